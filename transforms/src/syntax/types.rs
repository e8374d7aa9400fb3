//! Types: their components, and how a replacement would be parsed in their place.

use syn::{Expr, Ident, Item, ItemImpl, Type, TypeParen, TypeReference};

use super::generics::{is_sum, token_at};
use super::tree::{Node, Syntax};

/// How many alternatives a type gets.
pub(crate) const ALTERNATIVES: usize = 4;

/// The types inside a type, without those inside them.
pub(crate) fn components(node: Node<'_>) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    for child in node.children() {
        match child.syntax() {
            // Syntax that syn does not know may not be a type everywhere.
            Syntax::Type(Type::Verbatim(_)) => {}
            Syntax::Type(_) => found.push(child),
            Syntax::Attribute(_) | Syntax::Expr(_) | Syntax::Macro(_) | Syntax::Tokens(_) => {}
            _ => found.extend(components(child)),
        }
    }
    found
}

/// The nearest types inside a type, breadth first.
pub(crate) fn nearest(node: Node<'_>) -> Vec<Node<'_>> {
    let (mut found, mut level) = (Vec::new(), vec![node]);
    while !level.is_empty() && found.len() < ALTERNATIVES {
        level = level.into_iter().flat_map(components).collect();
        found.extend(&level);
    }
    found.truncate(ALTERNATIVES);
    found
}

/// Whether tokens after the type of a cast, or after its pointee, would be read as its generic arguments.
pub(crate) fn begins_arguments(node: Node<'_>) -> bool {
    let is_pointer = |node: &Node<'_>| matches!(node.syntax(), Syntax::Type(Type::Ptr(_) | Type::Reference(_)));
    let around = node.ancestors().find(|ancestor| !is_pointer(ancestor));
    around.is_some_and(|around| matches!(around.syntax(), Syntax::Expr(Expr::Cast(_))))
        && token_at(node, node.range().end).starts_with('<')
}

/// Whether `kept` after a bare `impl` would be read as generic parameters.
pub(crate) fn is_like_parameters(node: Node<'_>, kept: Node<'_>) -> bool {
    let bare =
        |item: &Item| matches!(item, Item::Impl(item) if item.trait_.is_none() && item.generics.lt_token.is_none());
    kept.text().starts_with('<') && matches!(node.parent().map(Node::syntax), Some(Syntax::Item(item)) if bare(item))
}

/// Whether `kept` is a sum of bounds and none may stand in the place of `node`.
pub(crate) fn needs_parentheses(node: Node<'_>, kept: Node<'_>) -> bool {
    matches!(kept.syntax(), Syntax::Type(ty) if is_sum(ty)) && refuses_sum(node)
}

/// Whether a sum of bounds needs parentheses in the place of the type `node`.
pub(crate) fn refuses_sum(node: Node<'_>) -> bool {
    let mut ancestors = node.ancestors().map(Node::syntax);
    match ancestors.next() {
        Some(Syntax::Type(Type::Ptr(_) | Type::Reference(_)) | Syntax::Expr(Expr::Cast(_))) => true,
        Some(Syntax::ReturnType(_)) => !matches!(ancestors.next(), Some(Syntax::Signature(_))),
        _ => false,
    }
}

/// Whether a literal is the length of an array or an argument in angle brackets. What is about a size is another question
/// where the size is 0.
pub(crate) fn is_length(literal: Node<'_>) -> bool {
    let expr = literal.parent().filter(|parent| matches!(parent.syntax(), Syntax::Expr(Expr::Lit(_))));
    let Some(expr) = expr else { return false };
    match expr.parent().map(Node::syntax) {
        Some(Syntax::Type(Type::Array(_)) | Syntax::GenericArgument(_)) => true,
        Some(Syntax::Expr(Expr::Repeat(_))) => expr.is_last(),
        _ => false,
    }
}

/// The names of the trait and of the type of an impl, references aside.
pub(crate) fn heads(item: &ItemImpl) -> [Option<&Ident>; 2] {
    let mut ty = &*item.self_ty;
    while let Type::Reference(TypeReference { elem, .. }) | Type::Paren(TypeParen { elem, .. }) = ty {
        ty = elem;
    }
    let of_type = if let Type::Path(ty) = ty { Some(&ty.path) } else { None };
    let of_trait = item.trait_.as_ref().map(|(path, _)| path);
    [of_trait, of_type].map(|path| Some(&path?.segments.last()?.ident))
}
