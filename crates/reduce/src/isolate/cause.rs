//! Descriptions of the syntax in which the two programs differ.

use mcve_transforms::{Node, Reduction, Syntax, Tree, covers};
use syn::{ImplItem, Item, Stmt, TraitItem};

use super::pair::IsolationPair;
use crate::check::suspects::{describe, line};
use crate::program::Language;

/// Longer texts are cut.
const LONGEST: usize = 60;

impl IsolationPair<'_> {
    /// The differences of the two programs in words, in source order.
    pub(crate) fn causes(&self) -> Vec<String> {
        let tree = Tree::new(&self.source);
        let mut difference = self.difference.clone();
        difference.sort_by_key(|reduction| reduction.site.start);
        let is_rust = self.base.language == Language::Rust;
        let named = |reduction: &Reduction| match is_rust {
            true => cause(&tree, reduction),
            false => format!("the text `{}`", short(&self.base.text[reduction.site.clone()])),
        };
        let in_line = |reduction: &Reduction| format!("{}, {}", named(reduction), line(&self.base, reduction));
        difference.iter().map(in_line).collect()
    }

    /// Other small changes with which the program of the user passes, in words.
    pub(crate) fn others(&self) -> Vec<String> {
        let text = self.source.text();
        self.others.iter().map(|other| format!("{}, {}", describe(text, other), line(&self.base, other))).collect()
    }
}

/// Such as ``the expression `x` in the function `f` ``.
fn cause(tree: &Tree<'_>, reduction: &Reduction) -> String {
    let text = tree.source().text();
    let site = &reduction.site;
    let around =
        || tree.nodes().filter(|node| !matches!(node.syntax(), Syntax::File(_)) && covers(&node.range(), site));
    // Of several nodes with the same bytes the outermost is the most informative: a statement that is an expression.
    let exact = around().find(|node| node.range() == *site);
    let place = around().filter(|node| node.range() != *site).filter_map(|node| named(node)).last();
    let (kind, shown) = match exact {
        Some(node) => named(node).unwrap_or_else(|| (kind(node.syntax()), short(&text[site.clone()]))),
        None => ("the text", short(&text[site.clone()])),
    };
    let place = place.map_or_else(String::new, |(kind, name)| format!(" in {kind} `{name}`"));
    format!("{kind} `{shown}`{place}")
}

/// A text on one line that is not too long.
fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} ..", line[..end].trim_end()),
        None => line,
    }
}

/// The kind and the name of a named node.
fn named(node: Node<'_>) -> Option<(&'static str, String)> {
    let (kind, name) = match node.syntax() {
        Syntax::Item(Item::Const(item)) => ("the constant", &item.ident),
        Syntax::Item(Item::Enum(item)) => ("the enum", &item.ident),
        Syntax::Item(Item::Fn(item)) => ("the function", &item.sig.ident),
        Syntax::Item(Item::Impl(item)) => {
            let head = item.impl_token.span.byte_range().start..item.brace_token.span.open().byte_range().start;
            return Some(("the impl", short(node.text_at(head))));
        }
        Syntax::Item(Item::Mod(item)) => ("the module", &item.ident),
        Syntax::Item(Item::Static(item)) => ("the static", &item.ident),
        Syntax::Item(Item::Struct(item)) => ("the struct", &item.ident),
        Syntax::Item(Item::Trait(item)) => ("the trait", &item.ident),
        Syntax::Item(Item::Type(item)) => ("the alias", &item.ident),
        Syntax::Item(Item::Union(item)) => ("the union", &item.ident),
        Syntax::ImplItem(ImplItem::Const(item)) => ("the constant", &item.ident),
        Syntax::ImplItem(ImplItem::Fn(item)) => ("the function", &item.sig.ident),
        Syntax::ImplItem(ImplItem::Type(item)) => ("the type", &item.ident),
        Syntax::TraitItem(TraitItem::Const(item)) => ("the constant", &item.ident),
        Syntax::TraitItem(TraitItem::Fn(item)) => ("the function", &item.sig.ident),
        Syntax::TraitItem(TraitItem::Type(item)) => ("the type", &item.ident),
        Syntax::Variant(variant) => ("the variant", &variant.ident),
        _ => return None,
    };
    Some((kind, name.to_string()))
}

/// The kind of a node without a name.
fn kind(syntax: Syntax<'_>) -> &'static str {
    match syntax {
        Syntax::Arm(_) => "the arm",
        Syntax::Attribute(_) => "the attribute",
        Syntax::Block(_) => "the block",
        Syntax::Expr(_) | Syntax::Stmt(Stmt::Expr(_, None)) => "the expression",
        Syntax::Field(_) => "the field",
        Syntax::FieldPat(_) | Syntax::Pat(_) => "the pattern",
        Syntax::FnArg(_) | Syntax::Receiver(_) => "the parameter",
        Syntax::GenericArgument(_) | Syntax::PathArguments(_) => "the generic argument",
        Syntax::GenericParam(_) | Syntax::Generics(_) => "the generic parameter",
        Syntax::Item(Item::Use(_)) | Syntax::UseTree(_) => "the import",
        Syntax::Item(Item::Macro(_)) | Syntax::Macro(_) => "the macro call",
        Syntax::Item(_) | Syntax::ImplItem(_) | Syntax::TraitItem(_) | Syntax::ForeignItem(_) => "the item",
        Syntax::Lifetime(_) | Syntax::BoundLifetimes(_) => "the lifetime",
        Syntax::Lit(_) => "the literal",
        Syntax::Local(_) | Syntax::Stmt(_) => "the statement",
        Syntax::Path(_) | Syntax::PathSegment(_) => "the path",
        Syntax::ReturnType(_) => "the return type",
        Syntax::Type(_) => "the type",
        Syntax::TypeParamBound(_) => "the bound",
        Syntax::WhereClause(_) => "the where clause",
        Syntax::WherePredicate(_) => "the predicate",
        _ => "the text",
    }
}
