//! The pieces of a text that is not Rust, from large ones to characters. Nothing is known of its language: blocks are told by
//! indentation, groups by brackets, elements of lists by what separates them.

use std::ops::Range;

/// A piece of a text: the bytes that go with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Sorted, without overlaps, and at least one.
    pub ranges: Vec<Range<usize>>,
}

impl From<Range<usize>> for Piece {
    fn from(range: Range<usize>) -> Self {
        Self { ranges: std::iter::once(range).collect() }
    }
}

impl Piece {
    /// From its first byte to its last one.
    pub fn span(&self) -> Range<usize> {
        let ends = self.ranges.first().zip(self.ranges.last());
        ends.map_or(0..0, |(first, last)| first.start..last.end)
    }
}

struct Line {
    /// Its bytes, with the line break.
    range: Range<usize>,
    /// The blanks before its first character; none for a blank line.
    indentation: Option<usize>,
}

fn lines_of(text: &str) -> Vec<Line> {
    let mut start = 0;
    let line = |line: &str| {
        let range = start..start + line.len();
        start = range.end;
        let indentation = line.len() - line.trim_start_matches([' ', '\t']).len();
        Line { range, indentation: (!line.trim().is_empty()).then_some(indentation) }
    };
    text.split_inclusive('\n').map(line).collect()
}

/// The number of the first line behind `first` that does not belong to its block: the lines below that are further in.
fn end_of_block(lines: &[Line], first: usize) -> usize {
    let Some(indentation) = lines[first].indentation else { return first + 1 };
    let is_inside = |line: &Line| line.indentation.is_none_or(|inner| inner > indentation);
    let length = lines[first + 1..].iter().take_while(|line| is_inside(line)).count();
    let blank = lines[first + 1..][..length].iter().rev().take_while(|line| line.indentation.is_none()).count();
    first + 1 + length - blank
}

/// The blocks at this depth, from 0: a line with the lines below that are further in. None if there are none so deep.
pub fn blocks(text: &str, depth: usize) -> Vec<Piece> {
    let lines = lines_of(text);
    let (mut pieces, mut ends) = (Vec::new(), Vec::new());
    for number in 0..lines.len() {
        while ends.pop_if(|end| *end <= number).is_some() {}
        let end = end_of_block(&lines, number);
        if ends.len() == depth {
            pieces.push((lines[number].range.start..lines[end - 1].range.end).into());
        }
        ends.push(end);
    }
    pieces
}

/// The first line of each block with the additional indentation of the lines below, which so take its place.
pub fn heads(text: &str) -> Vec<Piece> {
    let lines = lines_of(text);
    let head = |number: usize| {
        let outer = lines[number].indentation?;
        let inside = &lines[number + 1..end_of_block(&lines, number)];
        let additional = inside.iter().filter_map(|line| line.indentation).min()? - outer;
        let blanks = inside.iter().filter(|line| line.indentation.is_some());
        // Behind those that the heads around take.
        let blanks = blanks.map(|line| line.range.start + outer..line.range.start + outer + additional);
        Some(Piece { ranges: std::iter::once(lines[number].range.clone()).chain(blanks).collect() })
    };
    (0..lines.len()).filter_map(head).collect()
}

/// The lines.
pub fn lines(text: &str) -> Vec<Piece> {
    lines_of(text).into_iter().map(|line| line.range.into()).collect()
}

struct Group {
    /// The bytes of both.
    open: Range<usize>,
    close: Range<usize>,
    /// How many pairs are around it.
    depth: usize,
}

/// The pairs of brackets that match, the outer before the inner.
fn groups(text: &str) -> Vec<Group> {
    let (mut open, mut found): (Vec<(char, usize)>, Vec<Group>) = (Vec::new(), Vec::new());
    for (at, char) in text.char_indices() {
        let opening = match char {
            ')' => '(',
            ']' => '[',
            '}' => '{',
            '(' | '[' | '{' => {
                open.push((char, at));
                continue;
            }
            _ => continue,
        };
        // Opening brackets in between have no end: they are skipped.
        if let Some(place) = open.iter().rposition(|(other, _)| *other == opening) {
            let start = open[place].1;
            open.truncate(place);
            found.push(Group { open: start..start + 1, close: at..at + 1, depth: 0 });
        }
    }
    found.sort_by_key(|group| group.open.start);
    let mut around: Vec<usize> = Vec::new();
    for group in &mut found {
        while around.pop_if(|end| *end <= group.open.start).is_some() {}
        group.depth = around.len();
        around.push(group.close.start);
    }
    found
}

/// What is in brackets at this depth, from 0, with them. None if there are none so deep.
pub fn bracketed(text: &str, depth: usize) -> Vec<Piece> {
    let groups = groups(text).into_iter().filter(|group| group.depth == depth);
    groups.map(|group| (group.open.start..group.close.end).into()).collect()
}

/// The elements of the lists in brackets at this depth, from 1, or of the whole text for 0: what stands between two separators, and
/// one of these. None if there are none so deep.
pub fn elements(text: &str, depth: usize) -> Vec<Piece> {
    let groups = groups(text);
    let whole = 0..text.len();
    let places = match depth {
        0 => vec![whole],
        _ => groups
            .iter()
            .filter(|group| group.depth + 1 == depth)
            .map(|group| group.open.end..group.close.start)
            .collect(),
    };
    let inner: Vec<Range<usize>> =
        groups.iter().filter(|group| group.depth == depth).map(|group| group.open.start..group.close.end).collect();
    places.into_iter().flat_map(|place| elements_of(text, place, &inner)).collect()
}

/// The elements in `place`, in which the brackets `inner` are part of an element.
fn elements_of(text: &str, place: Range<usize>, inner: &[Range<usize>]) -> Vec<Piece> {
    let is_separator = |char: char| matches!(char, ',' | ';' | '&');
    let first = inner.partition_point(|group| group.start < place.start);
    let mut groups = inner[first..].iter().take_while(|group| group.end <= place.end).peekable();
    let mut starts = vec![place.start];
    for (offset, char) in text[place.clone()].char_indices() {
        let at = place.start + offset;
        while groups.next_if(|group| group.end <= at).is_some() {}
        if is_separator(char) && groups.peek().is_none_or(|group| !group.contains(&at)) {
            starts.push(at + 1);
        }
    }
    let mut pieces: Vec<Piece> = starts.windows(2).map(|pair| (pair[0]..pair[1]).into()).collect();
    let last = starts[starts.len() - 1]..place.end;
    if pieces.is_empty() {
        pieces.extend((!last.is_empty()).then(|| last.into()));
    } else if !text[last.clone()].trim().is_empty() {
        // It goes with the separator before it.
        pieces.push((last.start - 1..last.end).into());
    }
    pieces
}

/// The pairs of brackets, without what is between.
pub fn brackets(text: &str) -> Vec<Piece> {
    groups(text).into_iter().map(|group| Piece { ranges: vec![group.open, group.close] }).collect()
}

fn is_of_word(char: char) -> bool {
    char == '_' || char.is_alphanumeric()
}

/// The words: letters, digits and `_`; blanks; and each other character.
pub fn words(text: &str) -> Vec<Piece> {
    let goes_on =
        |last: char, char: char| is_of_word(last) && is_of_word(char) || last.is_whitespace() && char.is_whitespace();
    let mut pieces: Vec<Piece> = Vec::new();
    let mut last = None;
    for (at, char) in text.char_indices() {
        let end = at + char.len_utf8();
        match pieces.last_mut() {
            Some(piece) if last.is_some_and(|last| goes_on(last, char)) => piece.ranges[0].end = end,
            _ => pieces.push((at..end).into()),
        }
        last = Some(char);
    }
    pieces
}

/// The words of letters, digits and `_`, each once with its places, in the order of their first places.
pub fn words_by_text(text: &str) -> Vec<(&str, Vec<Range<usize>>)> {
    by_text(text, is_of_word)
}

/// The same of names in paths and options: the words may also have `.`, `-`, `/`, `$` and `@`.
pub fn names_by_text(text: &str) -> Vec<(&str, Vec<Range<usize>>)> {
    by_text(text, |char| "_.-/$@".contains(char) || char.is_alphanumeric())
}

/// The runs of these characters by their text.
fn by_text(text: &str, is_inside: impl Fn(char) -> bool) -> Vec<(&str, Vec<Range<usize>>)> {
    let mut words: Vec<(&str, Vec<Range<usize>>)> = Vec::new();
    let mut start = 0;
    for run in text.split(|char| !is_inside(char)) {
        let range = start..start + run.len();
        start = range.end + text[range.end..].chars().next().map_or(0, char::len_utf8);
        match words.iter_mut().find(|(known, _)| *known == run) {
            _ if run.is_empty() => {}
            Some((_, places)) => places.push(range),
            None => words.push((run, vec![range])),
        }
    }
    words
}

/// `text` with another word in these places, which are in order.
pub fn with_word(text: &str, places: &[Range<usize>], word: &str) -> String {
    let (mut changed, mut at) = (String::with_capacity(text.len()), 0);
    for place in places {
        changed.push_str(&text[at..place.start.max(at)]);
        changed.push_str(word);
        at = at.max(place.end);
    }
    changed + &text[at..]
}

/// The characters.
pub fn characters(text: &str) -> Vec<Piece> {
    text.char_indices().map(|(at, char)| (at..at + char.len_utf8()).into()).collect()
}

/// `text` without these ranges, which may overlap.
pub fn without<'p>(text: &str, pieces: impl IntoIterator<Item = &'p Piece>) -> String {
    let mut ranges: Vec<Range<usize>> = pieces.into_iter().flat_map(|piece| piece.ranges.iter().cloned()).collect();
    ranges.sort_by_key(|range| range.start);
    with_word(text, &ranges, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the texts of pieces, the parts of each joined by `|`.
    #[track_caller]
    fn check(text: &str, pieces: &[Piece], expected: &[&str]) {
        let shown = |piece: &Piece| piece.ranges.iter().map(|range| &text[range.clone()]).collect::<Vec<_>>().join("|");
        assert_eq!(pieces.iter().map(shown).collect::<Vec<_>>(), expected);
    }

    const PYTHON: &str = "import a\n\ndef f(x):\n    if x:\n        return 1\n\n    g()\n\nf(2)\n";

    #[test]
    fn blocks_are_told_by_indentation() {
        let f = "def f(x):\n    if x:\n        return 1\n\n    g()\n";
        check(PYTHON, &blocks(PYTHON, 0), &["import a\n", "\n", f, "\n", "f(2)\n"]);
        check(PYTHON, &blocks(PYTHON, 1), &["    if x:\n        return 1\n", "\n", "    g()\n"]);
        check(PYTHON, &blocks(PYTHON, 2), &["        return 1\n"]);
        check(PYTHON, &blocks(PYTHON, 3), &[]);
        check("", &blocks("", 0), &[]);
    }

    #[test]
    fn what_a_head_holds_takes_its_place() {
        let heads = heads(PYTHON);
        check(PYTHON, &heads, &["def f(x):\n|    |    |    ", "    if x:\n|    "]);
        assert_eq!(without(PYTHON, [&heads[1]]), "import a\n\ndef f(x):\n    return 1\n\n    g()\n\nf(2)\n");
        assert!(without(PYTHON, &heads).contains("\nreturn 1\n\ng()\n"));
    }

    #[test]
    fn only_spaces_and_tabs_indent() {
        let text = "a\n\u{3000}b\n \u{3000}c\n";
        check(text, &heads(text), &["\u{3000}b\n| "]);
    }

    #[test]
    fn brackets_that_match_are_groups() {
        let text = "f(a[1], {b}) ) (c";
        check(text, &bracketed(text, 0), &["(a[1], {b})"]);
        check(text, &bracketed(text, 1), &["[1]", "{b}"]);
        check(text, &brackets(text), &["(|)", "[|]", "{|}"]);
    }

    #[test]
    fn elements_go_with_a_separator() {
        let text = "{\"a\": [1, 2], \"b\": 3}";
        check(text, &elements(text, 0), &[text]);
        check(text, &elements(text, 1), &["\"a\": [1, 2],", ", \"b\": 3"]);
        check(text, &elements(text, 2), &["1,", ", 2"]);
        check("a=1&b=2", &elements("a=1&b=2", 0), &["a=1&", "&b=2"]);
        check("a, ", &elements("a, ", 0), &["a,"]);
    }

    #[test]
    fn words_and_characters() {
        check("ab_1  (\u{e9})", &words("ab_1  (\u{e9})"), &["ab_1", "  ", "(", "\u{e9}", ")"]);
        check("a\u{e9}", &characters("a\u{e9}"), &["a", "\u{e9}"]);
    }

    #[test]
    fn equal_words_are_one_with_its_places() {
        let text = "ab(c, ab_) c";
        let starts = |words: &[(&str, Vec<Range<usize>>)]| -> Vec<String> {
            let all = words.iter().map(|(word, places)| (word, places.iter().map(|at| at.start).collect::<Vec<_>>()));
            all.map(|(word, starts)| format!("{word} {starts:?}")).collect()
        };
        let words = words_by_text(text);
        assert_eq!(starts(&words), ["ab [0]", "c [3, 11]", "ab_ [6]"]);
        assert_eq!(with_word(text, &words[1].1, "ab"), "ab(ab, ab_) ab");
        assert_eq!(starts(&names_by_text("a/b.c: -o $@")), ["a/b.c [0]", "-o [7]", "$@ [10]"]);
    }

    #[test]
    fn what_goes_twice_goes_once() {
        assert_eq!(without("abcdef", &[(1..3).into(), Piece { ranges: vec![2..4, 5..6] }]), "ae");
    }
}
