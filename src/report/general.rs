//! The parts of a program that may be any of their kind, in words.

use std::fmt::Write;

use anstyle::Style;

use super::terminal::Shown;
use super::words::{table, time};
use mcve_reduce::event::{General, Generalised};
use mcve_reduce::visible::visible;

/// How the search ended.
pub(super) fn summary(done: &Generalised) -> Shown {
    let rows = [
        ("parts", format!("{} may be any of their kind", done.parts.len())),
        ("checks", done.checks.to_string()),
        ("time", time(done.seconds)),
        ("failure", done.failure.clone()),
    ];
    table(done.ending, [Style::new(); 2], &rows)
}

/// The program, with marks under the parts. Of a part of several lines the first one is marked.
pub(crate) fn marked(done: &Generalised) -> Shown {
    let (mut out, mut start) = (String::new(), 0);
    let width = done.program.text.lines().count().to_string().len();
    for (number, line) in (1..).zip(done.program.text.split_inclusive('\n')) {
        let shown = line.trim_end_matches('\n');
        let _ = writeln!(out, "{number:>width$} | {shown}");
        for part in done.parts.iter().filter(|part| (start..start + line.len()).contains(&part.start)) {
            let width_of = |part: &str| visible(part).chars().count();
            let column = width_of(&shown[..part.start - start]);
            let end = (part.end - start).min(shown.len());
            let marks = "^".repeat(width_of(&shown[part.start - start..end]).max(1));
            let _ = writeln!(out, "{:>width$} | {}{marks} {}", "", " ".repeat(column), words(part));
        }
        start += line.len();
    }
    Shown::plain(out)
}

fn words(part: &General) -> String {
    let count = part.samples.len();
    let alone = if part.together { "" } else { ", but not whatever the others are" };
    format!("any {} ({count} of {count} tried{alone})", part.kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcve_reduce::event::Ending;
    use mcve_reduce::program::Program;

    #[test]
    fn marks_stand_below_the_parts() {
        let general = |kind: &str, text: &str, start, together| General {
            text: text.to_owned(),
            start,
            end: start + text.len(),
            kind: kind.to_owned(),
            samples: vec!["x".to_owned(), "y".to_owned()],
            together,
        };
        let done = Generalised {
            ending: Ending::Complete,
            program: Program::new("a.rs", "fn f() {\n    g(ä, 1)\n}\n"),
            parts: vec![general("expression", "ä", 15, true), general("integer", "1", 19, false)],
            checks: 4,
            seconds: 1.0,
            failure: "x".to_owned(),
        };
        let expected = [
            "1 | fn f() {",
            "2 |     g(ä, 1)",
            "  |       ^ any expression (2 of 2 tried)",
            "  |          ^ any integer (2 of 2 tried, but not whatever the others are)",
            "3 | }",
        ];
        assert_eq!(marked(&done), Shown::plain(expected.join("\n") + "\n"));
    }
}
