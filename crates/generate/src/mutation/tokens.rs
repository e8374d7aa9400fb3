//! Mutations by tokens and characters, which need no syntax.

use std::ops::Range;

use mcve_dd::random::Random;
use mcve_transforms::{Edit, Kind, edited, tokens};

/// The text with a token or a character deleted, doubled, exchanged with the next one, or replaced by one of `other`.
pub(super) fn mutate(text: &str, other: &str, random: &mut Random) -> Option<String> {
    type Pieces = fn(&str) -> Vec<Range<usize>>;
    let (pieces, blank): (Pieces, &str) = if random.below(4) == 0 { (characters, "") } else { (code, " ") };
    let (own, others) = (pieces(text), pieces(other));
    let at = random.index(own.len().max(1));
    let piece = own.get(at)?;
    let edit = match random.below(5) {
        0 => Edit::delete(piece.clone()),
        1 => Edit::replace(piece.end..piece.end, format!("{blank}{}", &text[piece.clone()])),
        2 => {
            let next = own.get(at + 1)?;
            let between = &text[piece.end..next.start];
            Edit::replace(piece.start..next.end, format!("{}{between}{}", &text[next.clone()], &text[piece.clone()]))
        }
        how => {
            let donated = &other[others.get(random.index(others.len().max(1)))?.clone()];
            let place = if how == 3 { piece.clone() } else { piece.start..piece.start };
            Edit::replace(place, format!("{donated}{blank}"))
        }
    };
    Some(edited(text, 0..text.len(), &[edit]))
}

fn code(text: &str) -> Vec<Range<usize>> {
    tokens(text).into_iter().filter(|token| token.kind == Kind::Code).map(|token| token.range).collect()
}

/// The characters of its tokens.
fn characters(text: &str) -> Vec<Range<usize>> {
    let of = |range: Range<usize>| {
        let start = range.start;
        text[range].char_indices().map(move |(at, character)| start + at..start + at + character.len_utf8())
    };
    code(text).into_iter().flat_map(of).collect()
}
