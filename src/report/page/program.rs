//! The program of a page: its lines, with the parts that were tried and what refused them.

use std::cmp::Reverse;
use std::ops::Range;

use mcve_reduce::visible::visible;

use crate::report::highlight::{Class, classes};
use crate::report::log::{ResultLine, Run};
use crate::report::why::labels::{Label, general, labels};

/// A line of a program: its own, its parts, and whether it fails.
pub(super) type Line<'r> = (&'r ResultLine, Vec<Piece>, bool);

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

/// The files of a program, of which this line fails.
pub(super) fn files<'r>(run: &'r Run, failing: Option<usize>) -> Vec<(&'r str, Vec<Line<'r>>)> {
    let mut labels = [labels(run), general(run)].concat();
    labels.sort_by_key(|label| (label.line, label.start, Reverse(label.end)));
    let (mut labels, mut files, mut index) = (labels.into_iter().peekable(), Vec::new(), 0);
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
            shown.push((line, pieces, failing == Some(line.line)));
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

#[cfg(test)]
mod tests {
    use super::*;

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
