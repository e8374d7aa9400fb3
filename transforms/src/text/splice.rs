//! A text from pieces of another: edits put in their places, so that the tokens stay apart and no holes are left.

use std::cell::OnceCell;
use std::ops::Range;

use super::edit::covers;
use crate::text::edit::Edit;
use crate::text::lex::{self, Token};

/// A part of a text that edits made of another: where it stands, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Its bytes in the new text. At the end there may be more of them than were kept: a space, or the end of a line.
    pub at: Range<usize>,
    /// The bytes of the old text that it is a copy of, or that it took the place of.
    pub from: Range<usize>,
    /// Whether it is a copy.
    pub is_copy: bool,
}

/// Applies sorted edits; one that begins before the end of the one applied last lies inside it.
pub(crate) fn splice(text: &str, edits: &[&Edit]) -> String {
    splice_traced(text, edits).0
}

/// As [`splice`], with where each part of the new text comes from.
pub(crate) fn splice_traced(text: &str, edits: &[&Edit]) -> (String, Vec<Segment>) {
    let result = String::with_capacity(text.len());
    let mut spliced = Spliced { text, tokens: OnceCell::new(), result, segments: Vec::new(), seam: 0 };
    let mut position = 0;
    for (index, edit) in edits.iter().enumerate() {
        if edit.range.start < position {
            continue;
        }
        spliced.copy(position..edit.range.start);
        spliced.append(&edit.text, edit.range.end, &edit.text);
        spliced.note(edit.text.len(), edit.range.clone(), false);
        position = edit.range.end;
        let next = edits[index + 1..].iter().map(|edit| edit.range.start).find(|&start| start >= position);
        let rest = &text[position..next.unwrap_or(text.len())];
        let line = spliced.end_of_blank_line(rest, text[..position].ends_with('\n'));
        position += match line {
            Some(end) => end,
            None if edit.text.is_empty() => spliced.close_gap(rest, edit.range.clone()),
            None => 0,
        };
    }
    spliced.copy(position..text.len());
    (spliced.result, spliced.segments)
}

/// The text at `range` after those of `edits`, sorted and without overlaps, that lie in it.
pub fn edited(text: &str, range: Range<usize>, edits: &[Edit]) -> String {
    let inside = edits.iter().filter(|edit| covers(&range, &edit.range));
    let shifted: Vec<Edit> = inside
        .map(|edit| Edit::replace(edit.range.start - range.start..edit.range.end - range.start, &*edit.text))
        .collect();
    splice(&text[range], &shifted.iter().collect::<Vec<_>>())
}

/// A text that comes into being from pieces of another.
struct Spliced<'t> {
    text: &'t str,
    /// The tokens of the text, where they are asked for.
    tokens: OnceCell<Vec<Token>>,
    result: String,
    /// Where its parts come from.
    segments: Vec<Segment>,
    /// Where the last piece of the text that was copied ends.
    seam: usize,
}

impl Spliced<'_> {
    fn copy(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.append(&self.text[range.clone()], range.start, "");
            self.note(range.len(), range.clone(), true);
            self.seam = range.end;
        }
    }

    /// Notes where the last `len` bytes of the result come from.
    fn note(&mut self, len: usize, from: Range<usize>, is_copy: bool) {
        if len > 0 {
            let end = self.result.len();
            self.segments.push(Segment { at: end - len..end, from, is_copy });
        }
    }

    /// Appends `piece` behind what stands between the seam and `end`, of which `written` takes the place, with a space where
    /// a lexer might read the tokens on both sides as one.
    fn append(&mut self, piece: &str, end: usize, written: &str) {
        if fuses(&self.result, piece) && !self.goes_on(self.seam..end, written) {
            self.result.push(' ');
        }
        self.result.push_str(piece);
    }

    /// Takes the line away that would be left blank if `rest` were to come next: how many bytes of `rest` belong to it.
    /// After `whole_lines` none is: it was.
    fn end_of_blank_line(&mut self, rest: &str, whole_lines: bool) -> Option<usize> {
        let end = rest.find('\n')?;
        let line = self.result.rfind('\n').map_or(0, |newline| newline + 1);
        let blank = rest[..end].trim().is_empty() && self.result[line..].trim().is_empty();
        let was_blank = whole_lines && line == self.result.len();
        (blank && !was_blank).then(|| {
            self.result.truncate(line);
            end + 1
        })
    }

    /// Takes away the spaces that would stand twice, or within a delimiter, where `deleted` was and `rest` comes next: those at
    /// the end of the result. How many bytes of `rest` are to be left out.
    fn close_gap(&mut self, rest: &str, deleted: Range<usize>) -> usize {
        let is_space = |c: char| c == ' ' || c == '\t';
        let (before, next) = (self.result.trim_end_matches(is_space), rest.trim_start_matches(is_space));
        let closes = next.starts_with([')', ']']);
        let begins_line = before.is_empty() || before.ends_with('\n');
        let kept = if closes && !begins_line { before.len() } else { self.result.len() };
        let doubled = self.result.is_empty() || self.result.ends_with(|c: char| c.is_whitespace() || "([".contains(c));
        let left_out = if closes || doubled { rest.len() - next.len() } else { 0 };
        // The tokens are asked for only where it matters: it takes time.
        if (kept, left_out) == (self.result.len(), 0) || self.goes_on(deleted, "") {
            return 0;
        }
        self.result.truncate(kept);
        left_out
    }

    /// Whether replacing `range` by `written` goes on with a token.
    fn goes_on(&self, range: Range<usize>, written: &str) -> bool {
        lex::goes_on(self.tokens.get_or_init(|| lex::tokens(self.text)), &range, written)
    }
}

/// Whether applying `edit` to `text` puts a space where it begins, so that no two of `tokens` are fused.
pub(crate) fn leaves_space(text: &str, tokens: &[Token], edit: &Edit) -> bool {
    let after = if edit.text.is_empty() { &text[edit.range.end..] } else { &edit.text };
    fuses(&text[..edit.range.start], after) && !lex::goes_on(tokens, &edit.range, &edit.text)
}

/// Whether applying `edit` to `text` puts a space where it ends.
pub(crate) fn leaves_space_behind(text: &str, tokens: &[Token], edit: &Edit) -> bool {
    fuses(&edit.text, &text[edit.range.end..]) && !lex::is_inside(tokens, &edit.range)
}

/// Whether the last token of `before` and the first of `after` might be read as one.
pub(crate) fn fuses(before: &str, after: &str) -> bool {
    let is_word = |c: char| c == '_' || c.is_alphanumeric() || !c.is_ascii() && !c.is_whitespace();
    let (mut ending, mut beginning) = (before.chars().rev(), after.chars());
    let (Some(last), Some(first)) = (ending.next(), beginning.next()) else { return false };
    match last {
        '.' if first.is_ascii_digit() => ending.next().is_some_and(|c| c.is_ascii_digit()),
        // The point is that of a float unless it begins a range or a method call.
        '0'..='9' if first == '.' => !beginning.next().is_some_and(|c| c == '.' || is_word(c) && !c.is_ascii_digit()),
        // What follows a literal may be read as its suffix, what precedes one as its prefix.
        '"' | '\'' => is_word(first),
        last if is_word(last) => is_word(first) || matches!(first, '"' | '\'' | '#'),
        // They are read as the beginning of one operator, or of a comment.
        '.' | ':' if first == last => true,
        '&' | '|' => first == last || first == '=',
        '.' | '+' | '*' | '%' | '^' | '!' => first == '=',
        '-' | '=' | '>' => matches!(first, '=' | '>'),
        '<' => matches!(first, '=' | '<' | '-'),
        '/' => matches!(first, '=' | '/' | '*'),
        '#' => first == '!',
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, edits: &[(Range<usize>, &str)], expected: &str) {
        let edits: Vec<Edit> = edits.iter().map(|(range, text)| Edit::replace(range.clone(), *text)).collect();
        assert_eq!(splice(text, &edits.iter().collect::<Vec<_>>()), expected);
    }

    #[test]
    fn each_part_knows_where_it_comes_from() {
        let edits = [Edit::delete(2..4), Edit::replace(6..7, "xy")];
        let (text, segments) = splice_traced("a b c d e", &edits.iter().collect::<Vec<_>>());
        assert_eq!(text, "a c xy e");
        let parts = segments.iter().map(|part| (&text[part.at.clone()], part.from.clone(), part.is_copy));
        let expected = [("a ", 0..2, true), ("c ", 4..6, true), ("xy", 6..7, false), (" e", 7..9, true)];
        assert_eq!(parts.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn tokens_are_not_fused() {
        check("a+b", &[(1..2, "")], "a b");
        check("&(&x)", &[(1..2, ""), (4..5, "")], "& &x");
        check("f(a)", &[(2..3, "")], "f()");
        check("a/b/c", &[(2..3, "")], "a/ /c");
        check("r+\"a\"", &[(1..2, "")], "r \"a\"");
        check("'a'+b", &[(3..4, "")], "'a' b");
        check("1+.2+.3", &[(1..2, ""), (4..5, "")], "1 .2 .3");
        check("1+.a+..b", &[(1..2, ""), (4..5, "")], "1.a..b");
    }

    #[test]
    fn no_space_is_put_where_tokens_stay_apart() {
        check("!ab.cd::<'e>(&fg)", &[(1..3, "a"), (4..6, "c"), (14..16, "f")], "!a.c::<'e>(&f)");
        check("\"{:>ab$}\"", &[(4..6, "a")], "\"{:>a$}\"");
        check("f!(r#\"{}\"#)", &[(6..8, "")], "f!(r#\"\"#)");
    }

    #[test]
    fn edits_inside_a_token_leave_it_one() {
        check("abcd", &[(1..2, ""), (2..3, "")], "ad");
        check("\"abc\" abc", &[(2..3, ""), (7..8, "x")], "\"ac\" axc");
        check("ab+cd", &[(1..3, "")], "a cd");
        check("a.0.1", &[(4..5, "0")], "a.0.0");
        check("a.0.1 ", &[(4..5, "")], "a.0. ");
    }

    #[test]
    fn a_space_goes_with_what_it_sets_apart() {
        check("a b b c", &[(2..3, "")], "a b c");
        check("a b b c", &[(4..5, "")], "a b c");
        check("a b b c", &[(2..3, ""), (4..5, "")], "a c");
        check("m!(a a) n![a a]", &[(3..4, ""), (13..14, "")], "m!(a) n![a]");
        check("m!(a a) n![a a]", &[(5..6, ""), (11..12, "")], "m!(a) n![a]");
        check("{ a b }", &[(4..5, "")], "{ a }");
        check("\ta; b;\n", &[(1..3, "")], "\tb;\n");
        check("m!(\n  a\n  b )", &[(10..11, "")], "m!(\n  a\n  )");
    }

    #[test]
    fn spaces_in_a_token_stay() {
        check("\"a b c\"", &[(3..4, "")], "\"a  c\"");
    }

    #[test]
    fn an_edit_that_begins_with_a_space_applies_behind_one_that_ends_there() {
        check("a b c d", &[(2..3, ""), (3..5, "")], "a d");
        check("a; b\n c d", &[(0..4, ""), (4..7, "")], "d");
        check("f(a, b)", &[(2..3, ""), (4..6, "")], "f(,)");
    }

    #[test]
    fn a_line_left_blank_goes() {
        check("a;\n  b;\nc;\n", &[(5..7, "")], "a;\nc;\n");
        check("a; // x\nb;\nc;", &[(8..10, "")], "a; // x\nc;");
        check("a;\n\nb;\n", &[(0..3, "")], "\nb;\n");
    }
}
