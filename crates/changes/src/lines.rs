//! Differences of a text without syntax: the hunks of a diff without context, and their lines, tokens or characters.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::piece::Piece;

/// A text split into units, such as lines.
struct Units<'t> {
    units: Vec<&'t [u8]>,
    /// The start of each unit, and the end of the last one.
    starts: Vec<usize>,
}

impl<'t> Units<'t> {
    /// The units of `range`.
    fn of(text: &'t [u8], range: &Range<usize>, split: Split) -> Self {
        let units = split(&text[range.clone()]);
        let mut starts = vec![range.start];
        starts.extend(units.iter().scan(range.start, |end, unit| {
            *end += unit.len();
            Some(*end)
        }));
        Self { units, starts }
    }
}

/// Splits a text into units that make it up.
type Split = fn(&[u8]) -> Vec<&[u8]>;

/// Lines with their line feeds.
pub(super) fn lines_of(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').collect()
}

/// Words, runs of white space, and single other characters.
pub(super) fn tokens_of(text: &[u8]) -> Vec<&[u8]> {
    let kind = |byte: u8| match byte {
        _ if byte.is_ascii_whitespace() => 0,
        b'_' | 0x80.. => 1,
        _ if byte.is_ascii_alphanumeric() => 1,
        _ => 2,
    };
    text.chunk_by(|&one, &other| kind(one) == kind(other) && kind(one) < 2).collect()
}

/// Characters of UTF-8.
pub(super) fn characters_of(text: &[u8]) -> Vec<&[u8]> {
    text.chunk_by(|_, &next| next & 0xc0 == 0x80).collect()
}

/// The hunks: independent runs of changed lines.
pub(super) fn hunks(old: &[u8], new: &[u8]) -> Vec<Piece> {
    let (old, new) = (Units::of(old, &(0..old.len()), lines_of), Units::of(new, &(0..new.len()), lines_of));
    let piece = |(from, to): (Range<usize>, Range<usize>)| {
        Piece::top(old.starts[from.start]..old.starts[from.end], new.starts[to.start]..new.starts[to.end])
    };
    changed(&old, &new).into_iter().map(piece).collect()
}

/// The units of the hunks. If as many old ones stand together as new ones, they are replaced in pairs; else each is removed
/// or added alone.
pub(super) fn units(old: &[u8], new: &[u8], split: Split) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for hunk in hunks(old, new) {
        let (old, new) = (Units::of(old, &hunk.old, split), Units::of(new, &hunk.new, split));
        for (from, to) in changed(&old, &new) {
            let is_paired = from.len() == to.len();
            let gone = from.clone().map(|unit| old.starts[unit]..old.starts[unit + 1]);
            let come = to.map(|unit| new.starts[unit]..new.starts[unit + 1]);
            if is_paired {
                pieces.extend(gone.zip(come).map(|(gone, come)| Piece::top(gone, come)));
            } else {
                let (end, nothing) = (old.starts[from.end], 0..0);
                pieces.extend(gone.map(|gone| Piece::top(gone, nothing.clone())));
                pieces.extend(come.map(|come| Piece::top(end..end, come)));
            }
        }
    }
    pieces
}

/// The ranges of differing units in both texts.
fn changed(old: &Units<'_>, new: &Units<'_>) -> Vec<(Range<usize>, Range<usize>)> {
    let mut runs: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for op in capture_diff_slices(Algorithm::Histogram, &old.units, &new.units) {
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

    fn lines(old: &[u8], new: &[u8]) -> Vec<Piece> {
        units(old, new, lines_of)
    }

    fn tokens(old: &[u8], new: &[u8]) -> Vec<Piece> {
        units(old, new, tokens_of)
    }

    fn characters(old: &[u8], new: &[u8]) -> Vec<Piece> {
        units(old, new, characters_of)
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

    #[test]
    fn tokens_and_characters_are_those_of_the_hunks() {
        let (old, new) = ("same (a)\nx = get_it(1, 2);\n", "same (a)\nx = get_all(1, 3);\n");
        check(tokens, old, new, &[("get_it", "get_all"), ("2", "3")]);
        check(characters, old, new, &[("i", ""), ("t", ""), ("", "a"), ("", "l"), ("", "l"), ("2", "3")]);
        check(characters, "ä\n", "äö\n", &[("", "ö")]);
    }
}
