//! Line differences of a text: the hunks of a diff without context, and their lines.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::piece::Piece;

/// A text split after its line feeds.
struct Lines<'t> {
    lines: Vec<&'t [u8]>,
    /// The start of each line, and the end of the last one.
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t [u8]) -> Self {
        let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
        let mut starts = vec![0];
        starts.extend(lines.iter().scan(0, |end, line| {
            *end += line.len();
            Some(*end)
        }));
        Self { lines, starts }
    }
}

/// The hunks: independent runs of changed lines.
pub(super) fn hunks(old: &[u8], new: &[u8]) -> Vec<Piece> {
    let (old, new) = (Lines::of(old), Lines::of(new));
    changed(&old, &new)
        .into_iter()
        .map(|(from, to)| {
            Piece::top(old.starts[from.start]..old.starts[from.end], new.starts[to.start]..new.starts[to.end])
        })
        .collect()
}

/// The lines of the hunks. If a hunk has equally many old and new lines, they are replaced in pairs; else each is
/// removed or added alone.
pub(super) fn lines(old: &[u8], new: &[u8]) -> Vec<Piece> {
    let (old, new) = (Lines::of(old), Lines::of(new));
    let mut pieces = Vec::new();
    for (from, to) in changed(&old, &new) {
        let is_paired = from.len() == to.len();
        let gone = from.clone().map(|line| old.starts[line]..old.starts[line + 1]);
        let come = to.map(|line| new.starts[line]..new.starts[line + 1]);
        if is_paired {
            pieces.extend(gone.zip(come).map(|(gone, come)| Piece::top(gone, come)));
        } else {
            let (end, nothing) = (old.starts[from.end], 0..0);
            pieces.extend(gone.map(|gone| Piece::top(gone, nothing.clone())));
            pieces.extend(come.map(|come| Piece::top(end..end, come)));
        }
    }
    pieces
}

/// The ranges of differing lines in both texts.
fn changed(old: &Lines<'_>, new: &Lines<'_>) -> Vec<(Range<usize>, Range<usize>)> {
    let mut runs: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for op in capture_diff_slices(Algorithm::Histogram, &old.lines, &new.lines) {
        let (from, to) = (op.old_range(), op.new_range());
        match runs.last_mut() {
            _ if matches!(op, DiffOp::Equal { .. }) => {}
            // A removal and an addition at the same place form one run.
            Some(last) if last.0.end == from.start && last.1.end == to.start => {
                (last.0.end, last.1.end) = (from.end, to.end);
            }
            _ => runs.push((from, to)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the removed and added text of each piece.
    #[track_caller]
    fn check(find: fn(&[u8], &[u8]) -> Vec<Piece>, old: &str, new: &str, expected: &[(&str, &str)]) {
        let pieces = find(old.as_bytes(), new.as_bytes());
        let texts: Vec<_> = pieces.iter().map(|piece| (&old[piece.old.clone()], &new[piece.new.clone()])).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn a_hunk_is_a_run_of_lines() {
        check(hunks, "a\nb\nc\nd\n", "a\nB\nC\nd\ne\n", &[("b\nc\n", "B\nC\n"), ("", "e\n")]);
        check(hunks, "a\nb\n", "b\n", &[("a\n", "")]);
        check(hunks, "a\n", "a\n", &[]);
        check(hunks, "", "a\nb", &[("", "a\nb")]);
    }

    #[test]
    fn line_feeds_belong_to_their_lines() {
        check(hunks, "a\nb", "a\nb\n", &[("b", "b\n")]);
        check(hunks, "a\r\nb\r\n", "a\nb\r\n", &[("a\r\n", "a\n")]);
    }

    #[test]
    fn lines_take_the_place_of_as_many_and_otherwise_go_and_come() {
        check(lines, "a\nb\nc\n", "A\nB\nc\n", &[("a\n", "A\n"), ("b\n", "B\n")]);
        check(lines, "a\nc\n", "A\nB\nc\n", &[("a\n", ""), ("", "A\n"), ("", "B\n")]);
    }
}
