//! The end of a reduction: the program, the change with which it passes, numbers, and what to do next.

use anstyle::{AnsiColor, Style};

use super::diff::{changed_files, line_style};
use super::highlight::{Class, classes};
use super::terminal::Shown;
use super::words::{DONE, FAILURE, ended, rows, time};
use mcve_reduce::event::{Finds, Flaky, Messages, Rate, Summary};
use mcve_reduce::oracle::shell::quote;
use mcve_reduce::program::Language;

/// So many lines of a program are shown.
const SHOWN: usize = 40;

/// So many lines of a longer one are shown in front of the place of the failure.
const ABOVE: usize = 15;

/// A program with a longer line is not shown.
const WIDEST: usize = 400;

/// How a reduction ended; with the program itself if `shows_program`.
pub(super) fn describe(summary: &Summary, shows_program: bool) -> Shown {
    let gap = if shows_program { "\n" } else { "" };
    let program = if shows_program { program(summary) } else { Shown::default() };
    ended(summary.ending, DONE)
        .and(program)
        .and(difference(summary, gap))
        .and(change(summary, gap))
        .and(left(summary, gap))
        .and(Shown::plain(format_args!("\n{gap}{}", numbers(summary))))
        .and(rows(FAILURE, &facts(summary)))
}

/// The program in colours, or the lines of it around the failure.
fn program(summary: &Summary) -> Shown {
    let text = summary.program.shown();
    let lines: Vec<&str> = text.trim_end().lines().collect();
    if lines.iter().any(|line| line.chars().count() > WIDEST) {
        return Shown::default();
    }
    let at = summary.at.unwrap_or(0).saturating_sub(ABOVE + 1);
    let first = if lines.len() <= SHOWN { 0 } else { at.min(lines.len() - SHOWN) };
    let end = lines.len().min(first + SHOWN);
    let above = if first > 0 { format!("\n.. {first} lines") } else { String::new() };
    let below = if end < lines.len() { format!("\n.. {} more lines", lines.len() - end) } else { String::new() };
    let shown = lines[first..end].join("\n");
    let shown = if summary.program.language == Language::Rust { highlighted(&shown) } else { Shown::plain(shown) };
    Shown::plain(format_args!("\n{above}\n")).and(shown).and(Shown::plain(below))
}

/// A Rust text in colours that are legible on a light and on a dark background.
fn highlighted(text: &str) -> Shown {
    let style = |class| match class {
        Class::Keyword => AnsiColor::Magenta.on_default(),
        Class::Type => AnsiColor::Cyan.on_default(),
        Class::Macro => AnsiColor::Blue.on_default(),
        Class::Literal => AnsiColor::Green.on_default(),
        Class::Lifetime => AnsiColor::Red.on_default(),
        Class::Comment => Style::new().italic(),
    };
    let (mut shown, mut end) = (Shown::default(), 0);
    for (range, class) in classes(text) {
        let plain = Shown::plain(&text[end..range.start]);
        end = range.end;
        shown = shown.and(plain).and(Shown::styled(style(class), &text[range]));
    }
    shown.and(Shown::plain(&text[end..]))
}

/// How what the result prints differs between the two configurations that are compared.
fn difference(summary: &Summary, gap: &str) -> Shown {
    let Some(difference) = &summary.difference else { return Shown::default() };
    let lines = difference.lines().map(|line| format!("\n    {line}"));
    Shown::plain(format_args!("\n{gap}they print:{}", lines.collect::<String>()))
}

/// The lines of the change with which the program passes.
fn change(summary: &Summary, gap: &str) -> Shown {
    let Some((passing, how)) = &summary.passing else { return Shown::default() };
    let lines = changed_files(&summary.program, passing);
    if lines.is_empty() {
        return Shown::default();
    }
    let line = |line: &String| Shown::plain("\n    ").and(Shown::styled(line_style(line), line));
    let heading = Shown::plain(format_args!("\n{gap}with this change {how}:"));
    lines.iter().map(line).fold(heading, Shown::and)
}

/// What is left of the source, and why.
fn left(summary: &Summary, gap: &str) -> Shown {
    let Some(left) = &summary.left else { return Shown::default() };
    let lines: String = left.iter().map(|it| format!("\n    {} `{}`: {}", it.kind, it.text, it.why)).collect();
    Shown::plain(format_args!("\n{gap}left of the source:{}", if lines.is_empty() { " nothing" } else { &lines }))
}

/// What became of the size, in how many checks and how much time.
fn numbers(summary: &Summary) -> String {
    let Summary { before, after, checks, recalled, .. } = summary;
    let unit = summary.program.language.unit();
    let share = after.tokens as f64 * 100.0 / before.tokens.max(1) as f64;
    let minimal =
        if summary.one_minimal { "1-minimal: no single step makes it smaller" } else { "not shown to be 1-minimal" };
    let recalled = if *recalled > 0 { format!(" and {recalled} from before") } else { String::new() };
    let runs = summary.flaky.map_or_else(String::new, |flaky| format!(", {} runs", flaky.all_runs));
    format!(
        "{} -> {} {unit} ({share:.1} %), {} -> {} lines, {checks} checks{recalled}{runs}, {}; {minimal}",
        before.tokens,
        after.tokens,
        before.lines,
        after.lines,
        time(summary.seconds)
    )
}

/// What there is to say besides, a row each.
fn facts(summary: &Summary) -> Vec<(&'static str, String)> {
    let mut rows = vec![("failure", summary.failure.clone())];
    if let Some(Messages { before, after }) = &summary.messages {
        rows.push(("message", format!("{after} (the input: {before})")));
    }
    if summary.is_unexplained {
        rows.push(("cause", "not shown: no change is known that repairs just this".to_owned()));
    }
    rows.extend([
        ("file", summary.output.as_ref().map_or("standard output".to_owned(), |path| path.display().to_string())),
        ("see it", summary.command.clone()),
    ]);
    if let Some(Finds { count, folder }) = &summary.finds {
        rows.push(("finds", format!("{count} in {}", folder.display())));
    }
    if let Some(Rate { times, runs }) = summary.seen {
        if let Some(Flaky { input, .. }) = summary.flaky {
            rows.push(("fails", format!("{times} of {runs} runs (the input: {} of {})", input.times, input.runs)));
        } else if times < runs {
            rows.push(("warning", format!("the result shows the failure in {times} of {runs} runs only")));
        }
    }
    rows.extend(summary.resume.iter().map(|place| ("go on", format!("mcve resume {}", quote(place.as_os_str())))));
    let explained = summary.output.as_ref().filter(|_| summary.one_minimal && summary.program.is_lone());
    rows.extend(explained.map(|path| {
        let path = quote(path.as_os_str());
        let report = format!("; mcve report {path}");
        ("next", format!("mcve why {path}{}", if summary.program.language == Language::Rust { &report } else { "" }))
    }));
    rows
}
