//! A `macro_rules!` with its calls: the matchers of its rules, position by position, and the arguments there.

use std::ops::Range;

use proc_macro2::TokenStream;
use syn::Item;

use crate::macros::rules::{matcher_and_transcriber, rules_of, walk};
use crate::syntax::generics::inside;
use crate::syntax::token_groups::{Contents, Shape, TokenGroup, list, segments, token_groups};
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

/// The macros that the file defines.
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
