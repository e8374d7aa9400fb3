//! Numbers that are lengths.

use syn::{Expr, Type};

use super::tree::{Node, Syntax};

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
