//! Expressions that make a pointer: a reference, a raw borrow, `addr_of!`.

use syn::{Expr, PointerMutability, Type};

use super::surroundings::{child, macro_arguments};
use super::tree::{Node, Syntax};

/// An expression that makes a pointer.
pub(crate) struct Borrow<'t> {
    pub(crate) place: Node<'t>,
    pub(crate) is_mut: bool,
}

impl<'t> Borrow<'t> {
    /// What `node` does, if it makes a pointer: `&a`, `&raw const a`, `addr_of!(a)`, also with a cast to `*const _`.
    pub(crate) fn of(node: Node<'t>) -> Option<Self> {
        let Syntax::Expr(expr) = node.syntax() else { return None };
        match expr {
            Expr::Reference(expr) => Some(Self { place: child(node, &expr.expr)?, is_mut: expr.mutability.is_some() }),
            Expr::RawAddr(expr) => {
                let is_mut = matches!(expr.mutability, PointerMutability::Mut(_));
                Some(Self { place: child(node, &expr.expr)?, is_mut })
            }
            Expr::Cast(expr) if matches!(*expr.ty, Type::Ptr(_)) => Self::of(child(node, &expr.expr)?),
            Expr::Macro(_) => Self::of_macro(node),
            _ => None,
        }
    }

    /// What `node` does, if it is `addr_of!(a)` or `addr_of_mut!(a)`.
    pub(crate) fn of_macro(node: Node<'t>) -> Option<Self> {
        let Syntax::Expr(Expr::Macro(expr)) = node.syntax() else { return None };
        let name = expr.mac.path.segments.last()?.ident.to_string();
        let mut arguments = macro_arguments(node);
        let place = arguments.next().filter(|_| arguments.next().is_none())?;
        matches!(&*name, "addr_of" | "addr_of_mut").then(|| Self { place, is_mut: name == "addr_of_mut" })
    }
}
