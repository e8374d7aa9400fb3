//! The possible meanings of a name at a place: any of several definitions of a name may be meant.

use std::ops::Range;

use proc_macro2::Ident;
use syn::Expr;

use crate::names::Analysis;
use crate::names::definitions::Kind;
use crate::syntax::generics::{generics, parameter_name};
use crate::syntax::surroundings::signature;
use crate::syntax::{Node, Syntax};
use crate::text::lex::plain;

/// A name, without `r#`.
pub(super) fn name(ident: &Ident) -> String {
    plain(&ident.to_string()).to_owned()
}

/// The item around a node, also one of an impl or a trait.
pub(super) fn owner(node: Node<'_>) -> Option<Node<'_>> {
    node.ancestors().find(|node| node.syntax().is_item())
}

/// Whether `name` is a generic parameter of something around `node`.
pub(super) fn is_parameter<'t>(node: Node<'t>, name: &str) -> bool {
    let own = |node: Node<'t>| generics(node.syntax()).or_else(|| Some(&signature(node)?.generics));
    let mut around = node.ancestors().filter_map(own);
    around.any(|generics| generics.params.iter().any(|param| parameter_name(param) == name))
}

pub(super) fn is_bound_lifetime(names: &Analysis<'_>, name: &str) -> bool {
    let is_bound = |node: Node<'_>| matches!(node.syntax(), Syntax::BoundLifetimes(_));
    names.definitions().named(name).any(|own| own.kind == Kind::Lifetime && own.node.parent().is_some_and(is_bound))
}

pub(super) fn is_bound(names: &Analysis<'_>, node: Node<'_>, name: &str) -> bool {
    let around = owner(node);
    let range = around.map_or(0..usize::MAX, Node::range);
    let (row, start) = (around.map(Node::row), node.range().start);
    let mut bindings = names.definitions().named(name).filter(|own| own.kind == Kind::Binding).map(|own| own.node);
    let is_near = |binding: Node<'_>| range.contains(&binding.range().start) && owner(binding).map(Node::row) == row;
    bindings.any(|binding| is_near(binding) && scope(binding).contains(&start))
}

/// The scope of a binding, or a larger range if that is uncertain.
fn scope(binding: Node<'_>) -> Range<usize> {
    for node in binding.ancestors() {
        match node.syntax() {
            Syntax::Local(_) => {
                let block = node.ancestors().find(|node| matches!(node.syntax(), Syntax::Block(_) | Syntax::Item(_)));
                return node.range().end..block.map_or(usize::MAX, |block| block.range().end);
            }
            Syntax::Arm(_) | Syntax::Expr(Expr::Closure(_) | Expr::ForLoop(_) | Expr::If(_) | Expr::While(_)) => {
                return node.range();
            }
            Syntax::Item(_) | Syntax::ImplItem(_) | Syntax::TraitItem(_) | Syntax::Macro(_) => break,
            _ => {}
        }
    }
    0..usize::MAX
}

pub(super) fn is_value(names: &Analysis<'_>, node: Node<'_>, name: &str) -> bool {
    names.definitions().define(name, Kind::begins_paths) || is_bound(names, node, name) || is_parameter(node, name)
}
