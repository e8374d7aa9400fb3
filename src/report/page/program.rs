//! The program of a page: its lines, with the parts that were tried and what refused them.

use std::ops::Range;

use mcve_reduce::event::{Attempt, Rejection};
use mcve_reduce::visible::visible;

use crate::report::highlight::{Class, classes};
use crate::report::log::{RefusedAt, ResultLine, Run};

/// A text of a page with the class of its colour.
pub(super) type Span = (&'static str, String);

/// A file of the program.
pub(super) struct File {
    pub(super) name: String,
    pub(super) lines: Vec<Line>,
}

/// A line of a file.
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) pieces: Vec<Piece>,
    pub(super) reasons: Vec<Reason>,
    /// How it fails, if it is the line that does.
    pub(super) fails: &'static str,
}

/// A part of a line, with the id of its reason if it has one.
pub(super) struct Piece {
    pub(super) spans: Vec<Span>,
    pub(super) reason: Option<String>,
}

/// Why a part is still there.
pub(super) struct Reason {
    pub(super) id: String,
    pub(super) part: String,
    pub(super) text: String,
}

/// Why the bytes `start..end` of the line with this index are still there.
struct Label {
    line: usize,
    start: usize,
    end: usize,
    text: String,
}

/// The files of a program with this failure.
pub(super) fn files(run: &Run, failure: &str) -> Vec<File> {
    let (labels, failing) = (labels(run), failing(&run.lines, failure));
    let mut files: Vec<File> = Vec::new();
    let mut first = 0;
    for lines in run.lines.chunk_by(|one, next| one.file == next.file) {
        let text: String = lines.iter().map(|line| format!("{}\n", line.text)).collect();
        let classes = if lines[0].file.ends_with(".rs") { classes(&text) } else { Vec::new() };
        let (mut start, mut shown) = (0, Vec::new());
        for (index, line) in (first..).zip(lines) {
            let own = labels.iter().filter(|label| label.line == index).collect::<Vec<_>>();
            let fails = failing.filter(|(failing, _)| *failing == index).map_or("", |(_, how)| how);
            let (pieces, reasons) = pieces(line, index, &own, &clipped(&classes, start..start + line.text.len()));
            shown.push(Line { number: line.line, pieces, reasons, fails });
            start += line.text.len() + 1;
        }
        first += lines.len();
        files.push(File { name: lines[0].file.clone(), lines: shown });
    }
    files
}

/// The parts of these bytes that have a class, from the first byte of the range on.
fn clipped(classes: &[(Range<usize>, Class)], line: Range<usize>) -> Vec<(Range<usize>, Class)> {
    let first = classes.partition_point(|(range, _)| range.end <= line.start);
    let inside = classes[first..].iter().take_while(|(range, _)| range.start < line.end);
    let clip = |(range, class): &(Range<usize>, Class)| {
        (range.start.max(line.start) - line.start..range.end.min(line.end) - line.start, *class)
    };
    inside.map(clip).collect()
}

/// The pieces of a line, and the reasons of those with a label.
fn pieces(
    line: &ResultLine,
    index: usize,
    labels: &[&Label],
    classes: &[(Range<usize>, Class)],
) -> (Vec<Piece>, Vec<Reason>) {
    let (mut pieces, mut reasons, mut at) = (Vec::new(), Vec::new(), 0);
    let text = &*line.text;
    for label in labels {
        let Some(part) = text.get(label.start..label.end).filter(|part| !part.is_empty() && label.start >= at) else {
            continue;
        };
        let id = format!("reason-{index}-{}", label.start);
        pieces.push(Piece { spans: spans(text, at..label.start, classes), reason: None });
        pieces.push(Piece { spans: spans(text, label.start..label.end, classes), reason: Some(id.clone()) });
        reasons.push(Reason { id, part: visible(part), text: visible(&label.text) });
        at = label.end;
    }
    pieces.push(Piece { spans: spans(text, at..text.len(), classes), reason: None });
    (pieces, reasons)
}

/// These bytes of a line, in their colours.
fn spans(text: &str, range: Range<usize>, classes: &[(Range<usize>, Class)]) -> Vec<Span> {
    let (mut spans, mut at) = (Vec::new(), range.start);
    let mut add = |class, range: Range<usize>| {
        if let Some(text) = text.get(range).filter(|text| !text.is_empty()) {
            spans.push((class, visible(text)));
        }
    };
    for (own, class) in classes {
        let (start, end) = (own.start.clamp(at, range.end), own.end.clamp(at, range.end));
        if start < end {
            add("", at..start);
            add(name(*class), start..end);
            at = end;
        }
    }
    add("", at..range.end);
    spans
}

fn name(class: Class) -> &'static str {
    match class {
        Class::Keyword => "keyword",
        Class::Type => "type",
        Class::Macro => "macro",
        Class::Literal => "literal",
        Class::Lifetime => "lifetime",
        Class::Comment => "comment",
    }
}

/// The index of the line that fails, and how, if the failure says which one it is: by its place, by what it asserts, or by the
/// function that it is in.
fn failing(lines: &[ResultLine], failure: &str) -> Option<(usize, &'static str)> {
    let only = |is_it: &dyn Fn(&ResultLine) -> bool| {
        let mut found = lines.iter().enumerate().filter(|(_, line)| is_it(line)).map(|(index, _)| index);
        found.next().filter(|_| found.next().is_none())
    };
    let bare = |text: &str| text.split_whitespace().collect::<String>();
    let asserted = failure.split_once("assertion failed: ").map(|(_, asserted)| bare(asserted));
    let function = failure.split_once("panic in `").and_then(|(_, rest)| rest.split('`').next()?.rsplit("::").next());
    let function = function.map(|name| format!("fn {name}"));
    let is_head = |line: &ResultLine, head: &str| {
        line.text.split_once(head).is_some_and(|(_, rest)| rest.starts_with(['(', '<']))
    };
    let has = |line: &ResultLine, asserted: &str| line.text.contains("assert") && bare(&line.text).contains(asserted);
    let here = |index| (index, "fails here");
    let by_place = || only(&|line| names(failure, &line.file, line.line)).map(here);
    let by_text = || only(&|line| asserted.as_deref().is_some_and(|asserted| has(line, asserted))).map(here);
    let by_function = || {
        let index = only(&|line| function.as_deref().is_some_and(|head| is_head(line, head)))?;
        Some((index, "fails in this function"))
    };
    by_place().or_else(by_text).or_else(by_function)
}

/// Whether a failure names this line of this file.
fn names(failure: &str, file: &str, line: usize) -> bool {
    let place = format!("{file}:{line}");
    let is_whole = |(at, _): (usize, &str)| {
        let before = failure[..at].chars().next_back();
        let after = failure[at + place.len()..].chars().next();
        before.is_none_or(|c| !c.is_alphanumeric() && !"/_-.".contains(c)) && after.is_none_or(|c| !c.is_ascii_digit())
    };
    failure.match_indices(&place).any(is_whole)
}

/// One reason for each part of the result: a change that a check refused, what removes a part before what replaces it, and the
/// longest first.
fn labels(run: &Run) -> Vec<Label> {
    let mut labels = Vec::new();
    for (line, result) in run.lines.iter().enumerate() {
        let refused = |at: &RefusedAt| {
            let attempt = run.tried.get(at.number)?;
            let rejection = attempt.rejection.as_ref().filter(|one| one.check.is_some() || one.by == "cache")?;
            (at.is_whole && at.start < at.end).then_some((at.clone(), attempt, rejection))
        };
        let mut refused: Vec<(RefusedAt, &Attempt, &Rejection)> = result.tried.iter().filter_map(refused).collect();
        refused.sort_by_key(|(at, attempt, _)| (!attempt.after.is_empty(), at.start.abs_diff(at.end)));
        let mut own: Vec<Label> = Vec::new();
        for (RefusedAt { start, end, .. }, attempt, rejection) in refused {
            if own.iter().all(|other| other.end <= start || end <= other.start) {
                let change = match attempt.after.split_whitespace().collect::<Vec<_>>().join(" ") {
                    after if after.is_empty() => "without it".to_owned(),
                    after => format!("`{after}` instead"),
                };
                own.push(Label { line, start, end, text: format!("{change}: {}", rejection.reason) });
            }
        }
        own.sort_by_key(|label| label.start);
        labels.append(&mut own);
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_a_line() {
        for (failure, expected) in [
            ("panic at a.rs:12:5: x", true),
            ("panic at a.rs:123:5", false),
            ("at b/a.rs:12", false),
            ("at ba.rs:12", false),
            ("(a.rs:12)", true),
        ] {
            assert_eq!(names(failure, "a.rs", 12), expected, "{failure}");
        }
    }

    #[test]
    fn a_failure_says_which_line_fails() {
        let line = |line, text: &str| ResultLine {
            file: "a.rs".to_owned(),
            line,
            text: text.to_owned(),
            was: String::new(),
            tried: Vec::new(),
            left: Vec::new(),
            untraced: Vec::new(),
        };
        let lines = [
            line(1, "fn get() {"),
            line(2, "    assert!(a == b);"),
            line(3, "    assert!(b);"),
            line(4, "    assert!(b);"),
        ];
        let here = |index| Some((index, "fails here"));
        for (failure, expected) in [
            ("panic at a.rs:3:4", here(2)),
            ("panic in `m::get`: assertion failed: a ==  b", here(1)),
            ("panic in `m::get`: assertion failed: b)", Some((0, "fails in this function"))),
            ("panic in `ge`: x", None),
            ("error E0308", None),
        ] {
            assert_eq!(failing(&lines, failure), expected, "{failure}");
        }
    }

    #[test]
    fn colours_end_where_a_part_ends() {
        let text = "let s = \"ab\";";
        let classes = classes(text);
        let shown = |range| {
            spans(text, range, &classes).into_iter().map(|(class, text)| format!("{class}:{text}")).collect::<Vec<_>>()
        };
        assert_eq!(shown(0..10), ["keyword:let", ": s = ", "literal:\"a"]);
        assert_eq!(shown(10..13), ["literal:b\"", ":;"]);
        let lines = "/* a\nb */ c";
        let classes = super::classes(lines);
        assert_eq!(clipped(&classes, 5..11), [(0..4, Class::Comment)]);
    }
}
