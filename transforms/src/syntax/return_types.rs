//! Return types and their deletion.

use syn::{Expr, Stmt};

use super::surroundings;
use super::tree::{Node, Syntax, range};
use crate::text::Edit;

/// The edits that delete the return type `node` and make the last expression a statement, if that may have a value.
pub(crate) fn without_return_type(node: Node<'_>) -> Vec<Edit> {
    let stmts = node.parent().and_then(body).unwrap_or_default();
    let (tail, diverges) = match stmts.last() {
        Some(Stmt::Expr(expr, None)) => (Some(range(expr)), diverges(expr)),
        Some(Stmt::Macro(stmt)) if stmt.semi_token.is_none() => (Some(range(stmt)), false),
        _ => (None, true),
    };
    let semicolon = tail.filter(|_| !diverges).map(|tail| Edit::replace(tail.end..tail.end, ";"));
    std::iter::once(Edit::delete(node.range())).chain(semicolon).collect()
}

/// Whether an expression is of any type, `()` too.
fn diverges(expr: &Expr) -> bool {
    let names = ["panic", "todo", "unimplemented", "unreachable"];
    match expr {
        Expr::Loop(_) | Expr::Return(_) => true,
        Expr::Macro(expr) => names.iter().any(|name| expr.mac.path.is_ident(name)),
        _ => false,
    }
}

/// The statements of what has the signature or closure `node`.
fn body(node: Node<'_>) -> Option<&[Stmt]> {
    let block = match node.syntax() {
        Syntax::Expr(Expr::Closure(expr)) => match &*expr.body {
            Expr::Block(body) => &body.block,
            _ => return None,
        },
        Syntax::Signature(_) => surroundings::body(node.parent()?)?,
        _ => return None,
    };
    Some(&block.stmts)
}
