//! The kind of syntax that a macro call stands for, and how its expansion is fitted into its place.

use std::ops::Range;

use syn::parse::Parser;
use syn::{Block, Expr, ImplItem, Item, Pat, Stmt, TraitItem, Type};

use crate::syntax::types::refuses_sum;
use crate::syntax::{Filler, FillerPart, Node, Place, Source, Syntax, generics, precedence, range};
use crate::text::Edit;

/// The replacement for a call.
pub(crate) struct Expanded {
    pub(crate) site: Range<usize>,
    pub(crate) edits: Vec<Edit>,
}

impl Expanded {
    fn replace(site: Range<usize>, text: &str) -> Self {
        Self { edits: vec![Edit::replace(site.clone(), text)], site }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExpansionKind {
    /// Items of a file or module.
    Items,
    ImplItems,
    TraitItems,
    ForeignItems,
    Stmts,
    Expr,
    Type,
    Pat,
}

impl ExpansionKind {
    /// The kind of `call`; `None` if it has attributes, which would belong to nothing after the expansion.
    pub(crate) fn of(call: Node<'_>) -> Option<Self> {
        let (form, attrs) = match call.parent()?.syntax() {
            Syntax::Item(Item::Macro(item)) if item.ident.is_none() => (Self::Items, &item.attrs[..]),
            Syntax::ImplItem(ImplItem::Macro(item)) => (Self::ImplItems, &item.attrs[..]),
            Syntax::TraitItem(TraitItem::Macro(item)) => (Self::TraitItems, &item.attrs[..]),
            Syntax::ForeignItem(syn::ForeignItem::Macro(item)) => (Self::ForeignItems, &item.attrs[..]),
            Syntax::Stmt(Stmt::Macro(stmt)) => (Self::Stmts, &stmt.attrs[..]),
            Syntax::Expr(Expr::Macro(expr)) => (Self::Expr, &expr.attrs[..]),
            Syntax::Type(Type::Macro(_)) => (Self::Type, &[][..]),
            Syntax::Pat(Pat::Macro(pat)) => (Self::Pat, &pat.attrs[..]),
            _ => return None,
        };
        attrs.is_empty().then_some(form)
    }

    /// The text before and after such syntax that makes it a file, where nothing can be an inner attribute.
    pub(crate) fn frame(self) -> Option<(&'static str, &'static str)> {
        Some(match self {
            Self::Items => ("struct S;\n", ""),
            Self::ImplItems => ("impl S { type A = B;\n", "}"),
            Self::TraitItems => ("trait S { type A;\n", "}"),
            Self::ForeignItems => ("extern { type A;\n", "}"),
            Self::Stmts => ("fn f() { struct S;\n", "}"),
            Self::Expr => ("const A: B = ", ";"),
            Self::Type => ("type A = ", ";"),
            Self::Pat => ("fn f() { match a { ", " => {} } }"),
        })
    }

    /// Puts `text` in the place of `call`; `None` if it does not parse there.
    pub(crate) fn placed(self, call: Node<'_>, text: &str) -> Option<Expanded> {
        let node = call.parent()?;
        let site = node.range();
        let is_inside = call.ancestors().any(|node| matches!(node.syntax(), Syntax::Macro(_)));
        let placed = match self {
            Self::Items | Self::ImplItems | Self::TraitItems | Self::ForeignItems => {
                let (before, after) = self.frame()?;
                Source::is_valid(&format!("{before}{text}{after}")).then(|| Expanded::replace(site, text))
            }
            Self::Stmts => stmts(node, text),
            Self::Expr => expr(node, text),
            Self::Type => ty(node, text),
            Self::Pat => pat(node, text),
        };
        // Among the tokens of a macro, anything is allowed.
        placed.or_else(|| is_inside.then(|| Expanded::replace(call.range(), text)))
    }

    /// Puts `text` in the place of `call` without parsing it.
    pub(crate) fn replaced(self, call: Node<'_>, text: &str) -> Option<Expanded> {
        let site = match self {
            Self::Expr | Self::Type | Self::Pat => call.range(),
            _ => call.parent()?.range(),
        };
        Some(Expanded::replace(site, text))
    }
}

/// Statements in place of the statement `node`.
fn stmts(node: Node<'_>, text: &str) -> Option<Expanded> {
    let Syntax::Stmt(Stmt::Macro(stmt)) = node.syntax() else { return None };
    let parsed = Block::parse_within.parse_str(text).ok()?;
    let open = match parsed.last() {
        Some(Stmt::Expr(expr, None)) => {
            stmt.semi_token.is_some() || !node.is_last() && !precedence::is_block_like(expr)
        }
        Some(Stmt::Macro(last)) => last.semi_token.is_none() && stmt.semi_token.is_some(),
        _ => false,
    };
    let text = if open { format!("{text};") } else { text.to_owned() };
    Some(Expanded::replace(node.range(), &text))
}

/// An expression in place of the expression `node`: statements become a block, or the end of the block around them.
fn expr(node: Node<'_>, text: &str) -> Option<Expanded> {
    let place = Place::of(node)?;
    let site = place.site();
    let parsed = syn::parse_str::<Expr>(text).ok().filter(|_| !text.starts_with('#'));
    if let Some(parsed) = parsed {
        let edits = place.composed(Filler::Expr(&parsed), &[FillerPart::Text(text)])?;
        return Some(Expanded { site, edits });
    }
    let parsed = Block::parse_within.parse_str(text).ok()?;
    let is_end = node.parent().is_some_and(|stmt| matches!(stmt.syntax(), Syntax::Stmt(_)) && stmt.range() == site);
    if is_end && node.parent().is_some_and(Node::is_last) {
        return Some(Expanded::replace(site, text));
    }
    // rustc takes an expression with a semicolon for an expression.
    if let [Stmt::Expr(parsed, Some(semi))] = &parsed[..]
        && !matches!(parsed, Expr::Verbatim(_))
    {
        let text = text[..range(semi).start].trim_end();
        let edits = place.composed(Filler::Expr(parsed), &[FillerPart::Text(text)])?;
        return Some(Expanded { site, edits });
    }
    let block = [FillerPart::Text("{ "), FillerPart::Text(text), FillerPart::Text(" }")];
    Some(Expanded { edits: place.composed(Filler::Block, &block)?, site })
}

/// A type in place of the type `node`.
fn ty(node: Node<'_>, text: &str) -> Option<Expanded> {
    let parsed: Type = syn::parse_str(text).ok()?;
    let is_sum = generics::object_bounds(&parsed).is_some_and(|bounds| bounds.len() > 1);
    let text = if is_sum && refuses_sum(node) { format!("({text})") } else { text.to_owned() };
    Some(Expanded::replace(node.range(), &text))
}

/// A pattern in place of the pattern `node`.
fn pat(node: Node<'_>, text: &str) -> Option<Expanded> {
    let parsed = Pat::parse_multi_with_leading_vert.parse_str(text).ok()?;
    let text = if matches!(parsed, Pat::Or(_)) { format!("({text})") } else { text.to_owned() };
    Some(Expanded::replace(node.range(), &text))
}
