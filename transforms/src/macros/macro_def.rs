//! A `macro_rules!` with its calls: the matchers of its rules, position by position, and the arguments there.

use std::ops::Range;

use proc_macro2::TokenStream;
use syn::{Item, Macro};

use crate::syntax::generics::inside;
use crate::syntax::token_groups::{Contents, Segment, Shape, TokenGroup, list, segments, token_groups};
use crate::syntax::{Node, Syntax, Tree};
use crate::text::Edit;

pub(crate) struct MacroRule {
    /// The edits that delete it.
    pub(crate) without: Vec<Edit>,
    pub(crate) matcher: Vec<TokenGroup>,
    pub(crate) transcriber: Contents,
}

pub(crate) struct MacroCall {
    /// Its bytes, from the name to the closing delimiter.
    pub(crate) range: Range<usize>,
    /// The bytes between the delimiters.
    pub(crate) inside: Range<usize>,
    pub(crate) arguments: Vec<TokenGroup>,
    /// The rule of the same macro whose right side contains it.
    pub(crate) rule: Option<usize>,
}

pub(crate) struct MacroDef<'t> {
    pub(crate) name: String,
    pub(crate) text: &'t str,
    pub(crate) rules: Vec<MacroRule>,
    pub(crate) calls: Vec<MacroCall>,
}

pub(crate) fn macro_defs<'t>(tree: &'t Tree<'_>) -> impl Iterator<Item = MacroDef<'t>> {
    tree.nodes().filter_map(macro_def)
}

fn macro_def(node: Node<'_>) -> Option<MacroDef<'_>> {
    let Syntax::Item(Item::Macro(item)) = node.syntax() else { return None };
    let name = item.ident.as_ref()?.to_string();
    let text = node.source_text();
    let pieces_of_all = rules_of(text, &item.mac)?;
    let all = segments(text, &pieces_of_all, ";");
    let list = list(&all);
    let mut rules = Vec::new();
    let mut calls = Vec::new();
    for (index, rule) in all.iter().enumerate() {
        let (matcher, transcriber) = matcher_and_transcriber(text, rule)?;
        calls_in(text, &transcriber.stream, &name, index, &mut calls);
        rules.push(MacroRule {
            without: list.without(index),
            matcher: token_groups(text, &matcher.stream),
            transcriber: transcriber.clone(),
        });
    }
    for other in node.tree().nodes().filter(|other| !node.range().contains(&other.range().start)) {
        if let Syntax::Macro(mac) = other.syntax()
            && mac.path.segments.last().is_some_and(|segment| segment.ident == name)
        {
            let inside = inside(*mac.delimiter.span());
            calls.push(MacroCall {
                range: other.range(),
                inside,
                arguments: token_groups(text, &mac.tokens),
                rule: None,
            });
        }
    }
    Some(MacroDef { name, text, rules, calls })
}

/// Collects the calls of the macro `name` among the tokens of the right side of the rule `rule`.
fn calls_in(text: &str, stream: &TokenStream, name: &str, rule: usize, calls: &mut Vec<MacroCall>) {
    walk(text, stream, 0, &mut |siblings, index, _| {
        let is = |piece: Option<&TokenGroup>, word: &str| piece.is_some_and(|piece| &text[piece.range.clone()] == word);
        if is(siblings.get(index), name)
            && is(siblings.get(index + 1), "!")
            && let Some(TokenGroup { range, shape: Shape::Group(contents) }) = siblings.get(index + 2)
        {
            calls.push(MacroCall {
                range: siblings[index].range.start..range.end,
                inside: contents.range.clone(),
                arguments: token_groups(text, &contents.stream),
                rule: Some(rule),
            });
        }
    });
}

impl MacroDef<'_> {
    /// The text of a piece that matches itself literally.
    pub(crate) fn literal(&self, piece: &TokenGroup) -> Option<&str> {
        match piece.shape {
            Shape::Token | Shape::Literal | Shape::Ident => Some(&self.text[piece.range.clone()]),
            _ => None,
        }
    }
}

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
