//! The type that an expression is expected to have, as far as the code around it shows it.

use syn::{BinOp, Expr, ImplItem, Item, Local, Pat, ReturnType, Signature, Stmt, TraitItem, Type, UnOp};

use crate::placeholders::values;
use crate::syntax::{Node, Precedence, Syntax, precedence, surroundings};

/// The knowledge about the type of an expression from its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Expectation<'t> {
    /// Nothing can be put here: the code before or after needs a particular type, or no value is used.
    Closed,
    /// Any type.
    Open,
    /// The type is written.
    Type(&'t Type),
    /// Like `Type`, but evaluated by the compiler, which would hang in an endless loop.
    Const(&'t Type),
    Number,
    /// A number that is a divisor.
    Divisor,
    /// `bool`.
    Condition,
    /// What a method is called on.
    Receiver,
    /// Something to iterate over.
    Iterable,
    /// Nothing is known, and `()` is likely: the body of a closure.
    Body,
    /// `()`.
    Unit,
}

pub(crate) fn expectation(mut node: Node<'_>) -> Expectation<'_> {
    // Whether a block inside has a value, and so all blocks around that end with it.
    let mut has_value = false;
    loop {
        let (Syntax::Expr(expr), Some(parent)) = (node.syntax(), node.parent()) else { return Expectation::Closed };
        node = match parent.syntax() {
            Syntax::Expr(outer) => match inside(outer, expr, parent) {
                Some(expectation) => return expectation,
                None => {
                    has_value &= !matches!(outer, Expr::Paren(_));
                    parent
                }
            },
            Syntax::Arm(_) => match parent.parent() {
                Some(outer) => outer,
                None => return Expectation::Closed,
            },
            Syntax::Stmt(Stmt::Expr(_, None)) if parent.is_last() => match of_tail(parent, has_value) {
                Ok(outer) => {
                    has_value = true;
                    outer
                }
                Err(expectation) => return expectation,
            },
            Syntax::Stmt(_) => return Expectation::Unit,
            Syntax::Local(Local { pat: Pat::Type(pat), .. }) => return Expectation::Type(&pat.ty),
            Syntax::Local(_) => return Expectation::Open,
            Syntax::FieldValue(_) => return Expectation::Open,
            Syntax::Pat(Pat::Guard(_)) => return Expectation::Condition,
            Syntax::Macro(_) | Syntax::Tokens(_) => return Expectation::Open,
            Syntax::Item(Item::Const(item)) => return Expectation::Const(&item.ty),
            Syntax::Item(Item::Static(item)) => return Expectation::Const(&item.ty),
            Syntax::ImplItem(ImplItem::Const(item)) => return Expectation::Type(&item.ty),
            Syntax::TraitItem(TraitItem::Const(item)) => return Expectation::Type(&item.ty),
            _ => return Expectation::Closed,
        };
    }
}

/// The expectation of `outer`, which is `parent`, for `expr`; `None` if it is the expectation for `outer` itself.
fn inside<'t>(outer: &'t Expr, expr: &Expr, parent: Node<'t>) -> Option<Expectation<'t>> {
    let is = |other: &Expr| std::ptr::eq(other, expr);
    let number_or_type = |ty: &'t Type| match values::of_type(ty) {
        ["0" | "0."] => Expectation::Number,
        _ => Expectation::Type(ty),
    };
    Some(match outer {
        Expr::Block(_) | Expr::Paren(_) | Expr::Unsafe(_) => return None,
        Expr::If(outer) if is(&outer.cond) => Expectation::Condition,
        Expr::If(_) => return None,
        Expr::While(_) => Expectation::Condition,
        Expr::ForLoop(_) => Expectation::Iterable,
        Expr::Binary(outer) => match outer.op {
            BinOp::And(_) | BinOp::Or(_) => Expectation::Closed,
            BinOp::Div(_) | BinOp::Rem(_) if is(&outer.right) => Expectation::Divisor,
            op => match Precedence::of_operator(&op) {
                Precedence::Compare => Expectation::Open,
                Precedence::Assign if is(&outer.left) => Expectation::Closed,
                _ => Expectation::Number,
            },
        },
        Expr::Assign(outer) if is(&outer.left) => Expectation::Closed,
        Expr::Cast(outer) => number_or_type(&outer.ty),
        Expr::Index(outer) if is(&outer.index) => Expectation::Number,
        Expr::Range(_) => Expectation::Number,
        Expr::Repeat(outer) if is(&outer.len) => Expectation::Number,
        Expr::Unary(outer) if matches!(outer.op, UnOp::Neg(_)) => Expectation::Number,
        Expr::Unary(_) | Expr::Reference(_) | Expr::RawAddr(_) => Expectation::Closed,
        Expr::Closure(outer) => match &outer.output {
            ReturnType::Type(_, ty) => Expectation::Type(ty),
            ReturnType::Default => Expectation::Body,
        },
        Expr::Return(_) => of_return(parent),
        Expr::MethodCall(outer) if is(&outer.receiver) => Expectation::Receiver,
        outer if precedence::base(outer).is_some_and(is) => Expectation::Closed,
        _ => Expectation::Open,
    })
}

/// The expectation for the last expression of a block, `stmt`, or the block's expression if it has the same expectation.
/// With `has_value`, the block is not taken for one without a value.
fn of_tail(stmt: Node<'_>, has_value: bool) -> Result<Node<'_>, Expectation<'_>> {
    let block = stmt.parent().filter(|block| matches!(block.syntax(), Syntax::Block(_))).ok_or(Expectation::Open)?;
    if !has_value && surroundings::is_unit_block(block) {
        return Err(Expectation::Unit);
    }
    let outer = block.parent().ok_or(Expectation::Closed)?;
    if let Some(signature) = surroundings::signature(outer) {
        return Err(of_output(signature));
    }
    match outer.syntax() {
        Syntax::Expr(Expr::Block(_) | Expr::If(_) | Expr::Unsafe(_)) => Ok(outer),
        _ => Err(Expectation::Open),
    }
}

fn of_return(node: Node<'_>) -> Expectation<'_> {
    for ancestor in node.ancestors() {
        if let Some(signature) = surroundings::signature(ancestor) {
            return of_output(signature);
        }
        if let Syntax::Expr(Expr::Async(_) | Expr::Closure(_)) = ancestor.syntax() {
            return Expectation::Open;
        }
    }
    Expectation::Open
}

fn of_output(signature: &Signature) -> Expectation<'_> {
    match &signature.output {
        ReturnType::Type(_, ty) => Expectation::Type(ty),
        ReturnType::Default => Expectation::Unit,
    }
}
