//! The program as lines of a screen, with what was taken away since the last picture.

use std::ops::Range;
use std::time::Duration;

use mcve_reduce::program::{Language, Program};
use mcve_reduce::visible::visible;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use similar::{ChangeTag, TextDiff};

use crate::report::highlight::{Class, classes};

/// How long two texts are compared: what is not found by then counts as different.
const COMPARED: Duration = Duration::from_millis(100);

/// A longer text has no colours.
const COLOURED: usize = 1 << 20;

/// Of more lines in a row that are gone, so many are shown.
const GONE: usize = 8;

/// The program as lines.
#[derive(Default)]
pub(super) struct Page {
    shown: Option<Program>,
    text: String,
    pub(super) lines: Vec<Line<'static>>,
    /// The first line that was taken away.
    pub(super) first_gone: Option<usize>,
}

impl Page {
    /// Shows `program`, with what was taken away since this page was shown.
    pub(super) fn turn(&mut self, program: &Program) {
        if self.shown.as_ref() == Some(program) {
            return;
        }
        let text = program.shown();
        let before = if self.shown.is_some() { &*self.text } else { &*text };
        (self.lines, self.first_gone) = lines(before, &text, program.language == Language::Rust);
        (self.shown, self.text) = (Some(program.clone()), text);
    }
}

/// The lines of `now`, with those of `before` that are gone, and the first of these.
fn lines(before: &str, now: &str, is_rust: bool) -> (Vec<Line<'static>>, Option<usize>) {
    let classes = if is_rust && now.len() < COLOURED { classes(now) } else { Vec::new() };
    let diff = TextDiff::configure().timeout(COMPARED).diff_lines(before, now);
    let (mut lines, mut first, mut start) = (Vec::new(), None, 0);
    for op in diff.ops() {
        let (gone, left): (Vec<_>, Vec<_>) =
            diff.iter_changes(op).partition(|change| change.tag() == ChangeTag::Delete);
        let gone: Vec<&str> =
            gone.iter().map(|change| change.value().trim_end()).filter(|line| !line.is_empty()).collect();
        first = first.or((!gone.is_empty()).then_some(lines.len()));
        let cross_out =
            |line: &&str| Line::from_iter([Span::raw("- "), Span::styled(shown(line), Modifier::CROSSED_OUT)]);
        lines.extend(gone.iter().take(GONE).map(|line| cross_out(line).style(TAKEN)));
        if gone.len() > GONE {
            lines.push(Line::styled(format!("- .. {} more lines", gone.len() - GONE), TAKEN));
        }
        for change in left {
            let text = change.value();
            let line = start..start + text.trim_end().len();
            let is_new = change.tag() == ChangeTag::Insert && !line.is_empty();
            let mark = if is_new { Span::styled("+ ", Color::Green) } else { Span::raw("  ") };
            let from = classes.partition_point(|(range, _)| range.end <= start);
            lines.push(Line::from_iter([mark].into_iter().chain(coloured(now, line, &classes[from..]))));
            start += text.len();
        }
    }
    (lines, first)
}

/// How what is gone looks.
const TAKEN: Style = Style::new().fg(Color::Red);

/// The parts of a line of `text`, of which the first of `classes` are.
fn coloured(text: &str, line: Range<usize>, classes: &[(Range<usize>, Class)]) -> Vec<Span<'static>> {
    let (mut spans, mut at) = (Vec::new(), line.start);
    for (range, class) in classes.iter().take_while(|(range, _)| range.start < line.end) {
        let (start, end) = (range.start.max(at), range.end.min(line.end));
        spans.push(Span::raw(shown(&text[at..start])));
        spans.push(Span::styled(shown(&text[start..end]), style(*class)));
        at = end;
    }
    spans.push(Span::raw(shown(&text[at..line.end])));
    spans
}

/// Colours that can be read on a light and on a dark terminal. Red and green are for what changes.
fn style(class: Class) -> Style {
    match class {
        Class::Keyword => Style::new().add_modifier(Modifier::BOLD),
        Class::Type | Class::Lifetime => Style::new().fg(Color::Cyan),
        Class::Macro | Class::Literal => Style::new().fg(Color::Magenta),
        Class::Comment => Style::new().add_modifier(Modifier::DIM),
    }
}

/// A part of a line as a terminal may show it.
fn shown(text: &str) -> String {
    visible(&text.replace('\r', "\\r")).replace('\t', "    ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(before: &str, now: &str) -> (Vec<String>, Option<usize>) {
        let (lines, first) = lines(before, now, true);
        (lines.iter().map(ToString::to_string).collect(), first)
    }

    #[test]
    fn what_is_gone_is_marked_where_it_stood() {
        let (lines, first) = text("a\nb\nc(1, 2)\n", "a\nc(1)\n");
        assert_eq!((lines, first), (["  a", "- b", "- c(1, 2)", "+ c(1)"].map(str::to_owned).to_vec(), Some(1)));
        assert_eq!(text("a\n", "a\n"), (vec!["  a".to_owned()], None));
        assert_eq!(text("a\n", ""), (vec!["- a".to_owned()], Some(0)));
    }

    #[test]
    fn many_lines_that_are_gone_take_little_room() {
        let before: String = (0..1000).map(|line| format!("x{line}\n")).collect();
        for now in ["y\n", ""] {
            let (lines, first) = text(&before, now);
            assert_eq!((lines.len(), first), (GONE + 1 + now.len() / 2, Some(0)));
            assert_eq!(lines[GONE], "- .. 992 more lines");
        }
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_left_and_each_part_has_its_colour() {
        let now = "let x = \"\u{1b}[2J\u{202e}\";\t// \u{9b}\r\n/* a\n b */ fn f() {}\n";
        let (lines, _) = lines(now, now, true);
        let shown: Vec<String> = lines.iter().map(ToString::to_string).collect();
        assert_eq!(shown[0], "  let x = \"\\u{1b}[2J\\u{202e}\";    // \\u{9b}");
        assert_eq!(shown[1..], ["  /* a", "   b */ fn f() {}"]);
        let of = |line: usize, part: &str| {
            let span = lines[line].spans.iter().find(|span| span.content.contains(part));
            span.expect("it is there").style
        };
        assert_eq!(of(0, "let"), style(Class::Keyword));
        assert_eq!(of(0, "202e"), style(Class::Literal));
        assert_eq!((of(1, "/* a"), of(2, "b */")), (style(Class::Comment), style(Class::Comment)));
        assert_eq!(of(2, "fn"), style(Class::Keyword));
    }
}
