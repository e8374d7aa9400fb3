//! The rules of `macro_rules!`: splitting them into parts, and editing several places of one.

use proc_macro2::TokenStream;
use syn::Macro;

use crate::syntax::token_groups::{Contents, Segment, Shape, TokenGroup, token_groups};
use crate::text::Edit;

/// The rules of a `macro_rules!`, if `mac` is one.
pub(crate) fn rules_of(text: &str, mac: &Macro) -> Option<Vec<TokenGroup>> {
    mac.path.is_ident("macro_rules").then(|| token_groups(text, &mac.tokens))
}

pub(crate) fn matcher_and_transcriber<'p>(text: &str, rule: &Segment<'p>) -> Option<(&'p Contents, &'p Contents)> {
    match rule.pieces {
        [
            TokenGroup { shape: Shape::Group(matcher), .. },
            arrow,
            TokenGroup { shape: Shape::Group(transcriber), .. },
        ] if &text[arrow.range.clone()] == "=>" => Some((matcher, transcriber)),
        _ => None,
    }
}

/// Calls `visit` for each piece of `stream`, those in groups included, with the pieces around it, its index among them
/// and the number of repetitions around it.
pub(crate) fn walk(text: &str, stream: &TokenStream, depth: usize, visit: &mut dyn FnMut(&[TokenGroup], usize, usize)) {
    let pieces = token_groups(text, stream);
    for (index, piece) in pieces.iter().enumerate() {
        visit(&pieces, index, depth);
        if let Some(contents) = piece.contents() {
            let inner = depth + usize::from(matches!(piece.shape, Shape::Repetition(_)));
            walk(text, &contents.stream, inner, visit);
        }
    }
}

/// The edits that delete the piece at `index` with the comma after it, or else the one before it. Those of two pieces may delete
/// a comma twice.
pub(crate) fn without_piece(text: &str, pieces: &[TokenGroup], index: usize) -> Vec<Edit> {
    let comma = |index: Option<usize>| {
        pieces.get(index?).map(|piece| piece.range.clone()).filter(|range| &text[range.clone()] == ",")
    };
    let comma = comma(Some(index + 1)).or_else(|| comma(index.checked_sub(1)));
    std::iter::once(pieces[index].range.clone()).chain(comma).map(Edit::delete).collect()
}
