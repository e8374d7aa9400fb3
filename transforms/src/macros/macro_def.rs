//! A `macro_rules!` with its calls: what its rules match, position by position, and what is passed there.

use std::ops::Range;

use proc_macro2::TokenStream;
use syn::Item;

use crate::macros::rules::{matcher_and_transcriber, rules_of, walk};
use crate::syntax::generics::inside;
use crate::syntax::token_groups::{Contents, Segment, Shape, TokenGroup, segments, token_groups};
use crate::syntax::tree::{Node, Syntax, Tree};
use crate::text::edit::Edit;

/// A rule.
pub(crate) struct MacroRule {
    /// What takes it away.
    pub(crate) without: Vec<Edit>,
    /// What it matches.
    pub(crate) matcher: Vec<TokenGroup>,
    /// What it makes.
    pub(crate) transcriber: Contents,
}

/// A call.
pub(crate) struct MacroCall {
    /// Its bytes, from the name to the closing delimiter.
    pub(crate) range: Range<usize>,
    /// The bytes between the delimiters.
    pub(crate) inside: Range<usize>,
    /// What is passed.
    pub(crate) arguments: Vec<TokenGroup>,
    /// The rule of the same macro that makes it.
    pub(crate) rule: Option<usize>,
}

/// A macro of the file.
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
    let mut rules = Vec::new();
    let mut calls = Vec::new();
    for (index, rule) in all.iter().enumerate() {
        let (matcher, transcriber) = matcher_and_transcriber(text, rule)?;
        calls_in(text, &transcriber.stream, &name, index, &mut calls);
        let transcriber = Contents { range: transcriber.range.clone(), stream: transcriber.stream.clone() };
        rules.push(MacroRule {
            without: without(&all, index),
            matcher: token_groups(text, &matcher.stream),
            transcriber,
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

/// What takes the rule at `index` away: it and the semicolon after it, of the last one that before it.
fn without(rules: &[Segment<'_>], index: usize) -> Vec<Edit> {
    let before = || rules.get(index.checked_sub(1)?)?.separator.clone();
    let separator = rules[index].separator.clone().or_else(before);
    [Some(rules[index].range.clone()), separator].into_iter().flatten().map(Edit::delete).collect()
}

/// Collects the calls of the macro `name` among the tokens that rule `rule` makes.
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
    /// The text of a piece that stands for itself.
    pub(crate) fn literal(&self, piece: &TokenGroup) -> Option<&str> {
        match piece.shape {
            Shape::Token | Shape::Literal | Shape::Ident => Some(&self.text[piece.range.clone()]),
            _ => None,
        }
    }
}
