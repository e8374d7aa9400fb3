//! Counts how much edits remove from a text if they may change the tokens after them: without a quote, strings begin
//! where they ended.
//!
//! The text is read again from a token before the edits up to a token that was there before: a lexer has no memory, so
//! all tokens from there on are unchanged.

use std::cell::Cell;

use crate::syntax::Source;
use crate::text::lex::{self, Kind, Token};
use crate::text::{Edit, edited};

/// How many bytes are read again for each byte of a text, and in any case. Where each deletion of a character moves all
/// strings behind it, the time would be quadratic.
const READ_PER_BYTE: usize = 256;
const READ: usize = 1 << 20;

/// How many tokens before and behind the edits are read again at first.
const NEAR: usize = 2;

/// Reads parts of a text again.
pub(crate) struct Recount<'s> {
    text: &'s str,
    tokens: &'s [Token],
    /// How many bytes may still be read.
    left: Cell<usize>,
}

impl<'s> Recount<'s> {
    pub(crate) fn of(source: &'s Source) -> Self {
        let left = Cell::new(READ + READ_PER_BYTE * source.text().len());
        Self { text: source.text(), tokens: source.tokens(), left }
    }

    /// How many tokens and bytes `edits`, which are sorted, remove; `None` if it would take too long to find out.
    pub(crate) fn gain(&self, edits: &[Edit]) -> Option<(isize, isize)> {
        let Some(first) = edits.first() else { return Some((0, 0)) };
        let alone = |(index, edit): (usize, &Edit)| {
            let limit = edits.get(index + 1).map_or(self.text.len(), |next| self.start(next));
            self.window(std::slice::from_ref(edit), self.start(edit), limit)
        };
        // Usually each edit is settled before the next.
        if edits.len() > 1 && edits.windows(2).all(|pair| pair[0].range.end < self.start(&pair[1])) {
            let each: Option<Vec<(isize, isize)>> = edits.iter().enumerate().map(alone).collect();
            if let Some(each) = each {
                return Some(each.into_iter().fold((0, 0), |sum, gain| (sum.0 + gain.0, sum.1 + gain.1)));
            }
        }
        self.window(edits, self.start(first), self.text.len())
    }

    /// Where to begin to read again for `edit`: at a token before it, or at the beginning of the text.
    fn start(&self, edit: &Edit) -> usize {
        let before = self.tokens.partition_point(|token| token.range.end <= edit.range.start);
        before.checked_sub(NEAR).map_or(0, |index| self.tokens[index].range.start)
    }

    /// How many tokens and bytes `edits` remove, if all tokens from some byte before `limit` on are unchanged. Reads from
    /// `start` on.
    fn window(&self, edits: &[Edit], start: usize, limit: usize) -> Option<(isize, isize)> {
        let edited_to = edits.last()?.range.end;
        let behind = self.tokens.partition_point(|token| token.range.start < edited_to);
        let first = self.tokens.partition_point(|token| token.range.start < start);
        let mut more = NEAR;
        loop {
            // The text may begin with a prefix that is not code and may end anywhere.
            let all = start == 0 && edits.iter().any(|edit| edit.range.start <= lex::prefix(self.text) + 3);
            let next = self.tokens.get(behind + more).map_or(self.text.len(), |token| token.range.start);
            let end = if all { self.text.len() } else { next };
            if end > limit {
                return None;
            }
            self.left.set(self.left.get().checked_sub(end - start)?);
            let after = edited(self.text, start..end, edits);
            let found = if start == 0 { lex::tokens(&after) } else { lex::tokens_from(&after, 0) };
            let bytes = (end - start).cast_signed() - after.len().cast_signed();
            let old = &self.tokens[first..(behind + more).min(self.tokens.len())];
            // Counted from the end, so that tokens after the edits keep their positions.
            let same = |token: &&Token| {
                let from_end = after.len() - token.range.start;
                from_end <= end - edited_to
                    && old.binary_search_by_key(&(end - from_end), |old| old.range.start).is_ok()
            };
            let settled = found.iter().find(same).map(|token| after.len() - token.range.start);
            if settled.is_none() && end < self.text.len() {
                more *= 4;
                continue;
            }
            let until = settled.unwrap_or_default();
            let left = code(found.iter().filter(|token| after.len() - token.range.start > until));
            let had = if end == self.text.len() { &self.tokens[first..] } else { old };
            let had = code(had.iter().filter(|token| end - token.range.start > until));
            return Some((had.cast_signed() - left.cast_signed(), bytes));
        }
    }
}

fn code<'t>(tokens: impl Iterator<Item = &'t Token>) -> usize {
    tokens.filter(|token| token.kind == Kind::Code).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Measure;
    use crate::families::items::whole_items::DELETE_ITEM;
    use crate::rule::reduction::{Reduction, apply};

    /// Checks the gain of every deletion of up to three neighbouring characters, and of two that are not neighbours.
    #[track_caller]
    fn check(text: &str) {
        let source = Source::parse(text);
        let recount = Recount::of(&source);
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let mut all: Vec<Vec<Edit>> = Vec::new();
        for window in 2..5 {
            all.extend(places.windows(window).map(|at| vec![Edit::delete(at[0]..at[window - 1])]));
        }
        for (index, other) in (0..places.len() - 1).zip(places.len() / 2..places.len() - 1) {
            all.push([index, other].map(|at| Edit::delete(places[at]..places[at + 1])).to_vec());
        }
        for edits in all {
            let reduction = Reduction { transform: &DELETE_ITEM, site: 0..0, rank: 0, edits, gain: 0 };
            let after = apply(text, [&reduction]);
            let (old, new) = (Measure::of(text), Measure::of(&after));
            let expected = (
                old.tokens.cast_signed() - new.tokens.cast_signed(),
                old.bytes.cast_signed() - new.bytes.cast_signed(),
            );
            assert_eq!(recount.gain(&reduction.edits), Some(expected), "{:?} of {text}: {after}", reduction.edits);
        }
    }

    #[test]
    fn what_deletions_take_away_is_told() {
        check("fn f( { let a = b + 1; g(a) }");
        check("fn f( { \"a b\" c \"d\" e f \"g h\" i j k l m n o p \"q\" }");
        check("/* a /* b */ c */ d ( // e f\n g /// h\n i 'a 'b' 'c");
        check("r#\"a\"# b ( c::<d>> e ..= f .. .. 0.1 1..2 3.f 'g");
        check("a\n\nb (\n  c\n\n  d;\n} /*");
        check("#!a\n#![b] ( c");
        check("---\na\n---\nb (");
        check("\"\"\"\"\"\"\"\"(");
    }

    #[test]
    fn what_takes_too_long_is_not_told() {
        let text = format!("( {}", "\"a\" ".repeat(2_000));
        let source = Source::parse(text);
        let recount = Recount::of(&source);
        let quotes = source.text().match_indices('"').map(|(at, _)| vec![Edit::delete(at..at + 1)]);
        let told: Vec<bool> = quotes.map(|edits| recount.gain(&edits).is_some()).collect();
        assert!(told[0] && told.contains(&false));
    }
}
