//! The program of a page: its lines, with the parts that were tried and what refused them.

use std::cmp::Reverse;
use std::ops::Range;

use mcve_reduce::visible::visible;

use crate::report::highlight::{Class, classes};
use crate::report::log::{ResultLine, Run};
use crate::report::why::labels::{Label, general, labels};

/// A line of a program: its own, its parts, and how it fails if it is the one that does.
pub(super) type Line<'r> = (&'r ResultLine, Vec<Piece>, &'static str);

/// A part of a line: its texts with their classes, and why it is still there.
pub(super) struct Piece {
    pub(super) spans: Vec<(String, String)>,
    pub(super) label: Option<Reason>,
}

/// Why a part that begins at the byte `start` of the line with this index is still there, and the parts in it.
pub(super) struct Reason {
    pub(super) line: usize,
    pub(super) start: usize,
    pub(super) text: String,
    /// The texts of the parts in it, and why those are there.
    pub(super) inner: Vec<(String, String)>,
}

/// The files of a program with this failure.
pub(super) fn files<'r>(run: &'r Run, failure: &str) -> Vec<(&'r str, Vec<Line<'r>>)> {
    let mut labels = [labels(run), general(run)].concat();
    labels.sort_by_key(|label| (label.line, label.start, Reverse(label.end)));
    let (mut labels, failing) = (labels.into_iter().peekable(), failing(&run.lines, failure));
    let (mut files, mut index) = (Vec::new(), 0);
    for lines in run.lines.chunk_by(|one, next| one.file == next.file) {
        let text: String = lines.iter().map(|line| format!("{}\n", line.text)).collect();
        let classes = if lines[0].file.ends_with(".rs") { classes(&text) } else { Vec::new() };
        let (mut start, mut shown) = (0, Vec::new());
        for line in lines {
            let (mut pieces, mut at, end) = (Vec::new(), start, start + line.text.len());
            while let Some(label) = labels.next_if(|label| label.line == index) {
                let part = start + label.start..start + label.end;
                pieces.push(Piece { spans: spans(&text, at..part.start, &classes), label: None });
                at = part.end;
                let (spans, Label { start: first, end, text, .. }) = (spans(&text, part, &classes), label);
                let mut reason = Reason { line: index, start: first, text: visible(&text), inner: Vec::new() };
                while let Some(inner) = labels.next_if(|inner| inner.line == index && inner.start < end) {
                    let part = line.text.get(inner.start..inner.end.min(end)).unwrap_or_default();
                    reason.inner.push((visible(part), visible(&inner.text)));
                }
                pieces.push(Piece { spans, label: Some(reason) });
            }
            pieces.push(Piece { spans: spans(&text, at..end, &classes), label: None });
            shown.push((line, pieces, failing.filter(|(at, _)| *at == index).map_or("", |(_, how)| how)));
            (start, index) = (end + 1, index + 1);
        }
        files.push((&*lines[0].file, shown));
    }
    files
}

/// These bytes of a text, with the classes of their colours.
fn spans(text: &str, range: Range<usize>, classes: &[(Range<usize>, Class)]) -> Vec<(String, String)> {
    let (mut spans, mut at) = (Vec::new(), range.start);
    let mut add = |class, range| spans.push((class, visible(&text[range])));
    let first = classes.partition_point(|(own, _)| own.end <= range.start);
    for (own, class) in classes[first..].iter().take_while(|(own, _)| own.start < range.end) {
        let (start, end) = (own.start.max(at), own.end.min(range.end));
        add(String::new(), at..start);
        add(format!("{class:?}"), start..end);
        at = end;
    }
    add(String::new(), at..range.end);
    spans.retain(|(_, text)| !text.is_empty());
    spans
}

/// The index of the line that fails, and how, if the failure says which one it is: by what it asserts, or by its function.
fn failing(lines: &[ResultLine], failure: &str) -> Option<(usize, &'static str)> {
    let bare = |text: &str| text.split_whitespace().collect::<String>();
    let asserted = failure.split_once("assertion failed: ").map(|(_, asserted)| bare(asserted));
    let function = failure.split_once("panic in `").and_then(|(_, rest)| rest.split('`').next()?.rsplit("::").next());
    let head = function.map(|name| format!("fn{name}("));
    let find = |word: &str, part: Option<String>, how| {
        let part = part?;
        let is_it = |line: &ResultLine| line.text.contains(word) && bare(&line.text).contains(&part);
        let mut found = (0..lines.len()).filter(|index| is_it(&lines[*index]));
        found.next().filter(|_| found.next().is_none()).map(|index| (index, how))
    };
    find("assert", asserted, "fails here").or_else(|| find("fn ", head, "fails in this function"))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(shown(0..10), ["Keyword:let", ": s = ", "Literal:\"a"]);
        assert_eq!(shown(10..13), ["Literal:b\"", ":;"]);
        let lines = "/* a\nb */ c";
        assert_eq!(spans(lines, 5..11, &super::classes(lines))[0], ("Comment".to_owned(), "b */".to_owned()));
    }
}
