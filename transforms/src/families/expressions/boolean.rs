//! Conditions: an operand, or a constant.

use syn::{BinOp, Expr, UnOp};

use crate::rule::{Proposals, Rule, family};
use crate::syntax::{Filler, Node, Place, Precedence, Syntax, child, precedence};

family! {
    "boolean", "Simplifies conditions.", in Control;

    /// Replace `&&`, `||` or a comparison by `true` or `false`.
    ///
    /// An operand of `&&` or `||` is not replaced, for without it the condition is shorter still. (From *The Debugging Book*, exercise 1.)
    DECIDE_CONDITION = "decide-condition", Rule::Node(decide_condition),
        "fn f() { if a < b && c() { d(); } }" => "fn f() { if true { d(); } }";

    /// Replace `&&` or `||` by an operand, and `!a` by `a`.
    ///
    /// It is for boolean operators. A `let` is an operand like others, where it may stand alone.
    KEEP_OPERAND = "keep-operand", Rule::Node(keep_operand),
        "fn f() { if a < b && !c() { d(); } }" => "fn f() { if !c() { d(); } }";
}

/// Whether `expr` is `&&` or `||`.
fn is_lazy(expr: &Expr) -> bool {
    matches!(expr, Expr::Binary(expr) if matches!(expr.op, BinOp::And(_) | BinOp::Or(_)))
}

fn decide_condition(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Expr(expr @ Expr::Binary(binary)) = node.syntax() else { return };
    let is_operand = matches!(node.parent().map(Node::syntax), Some(Syntax::Expr(parent)) if is_lazy(parent));
    if is_operand || !is_lazy(expr) && Precedence::of_operator(&binary.op) != Precedence::Compare {
        return;
    }
    if let Some(place) = Place::of(node).filter(|place| !place.is_discarded()) {
        place.put(out, Filler::Atom, "true");
        place.put(out, Filler::Atom, "false");
    }
}

fn keep_operand(node: Node<'_>, out: &mut Proposals<'_>) {
    let operands = match node.syntax() {
        Syntax::Expr(expr @ Expr::Binary(binary)) if is_lazy(expr) => vec![&*binary.left, &*binary.right],
        Syntax::Expr(Expr::Unary(unary)) if matches!(unary.op, UnOp::Not(_)) => vec![&*unary.expr],
        _ => return,
    };
    let Some(place) = Place::of(node) else { return };
    for operand in operands.into_iter().filter_map(|operand| child(node, operand)) {
        let bare = inside_parentheses(operand);
        if !place.is_discarded() || !matches!(bare.syntax(), Syntax::Expr(Expr::Path(_) | Expr::Lit(_))) {
            place.keep(out, bare);
        }
    }
}

fn inside_parentheses(mut node: Node<'_>) -> Node<'_> {
    while let Syntax::Expr(Expr::Paren(expr)) = node.syntax()
        && !precedence::holds_let(&expr.expr)
        && let Some(inner) = child(node, &expr.expr)
    {
        node = inner;
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn a_condition_is_decided() {
        check(
            &DECIDE_CONDITION,
            "fn f() { let a = b + 1 == c; }",
            &["fn f() { let a = true; }", "fn f() { let a = false; }"],
        );
        check(&DECIDE_CONDITION, "fn f() { if a || b < c {} }", &["fn f() { if true {} }", "fn f() { if false {} }"]);
    }

    #[test]
    fn what_is_no_condition_or_only_part_of_one_is_not_decided() {
        check(&DECIDE_CONDITION, "fn f() { a == b; a + b | c; !a; a += b; if let a = b {} }", &[]);
        check(&DECIDE_CONDITION, "const A: bool = true;", &[]);
    }

    #[test]
    fn an_operand_is_kept() {
        check(
            &KEEP_OPERAND,
            "fn f() -> bool { a && (b || c) }",
            &[
                "fn f() -> bool { a }",
                "fn f() -> bool { b || c }",
                "fn f() -> bool { a && (b) }",
                "fn f() -> bool { a && (c) }",
            ],
        );
        check(&KEEP_OPERAND, "fn f() { a & !(b | c) }", &["fn f() { a & (b | c) }"]);
        check(&KEEP_OPERAND, "fn f() { if !(S { a }.b) {} }", &["fn f() { if (S { a }.b) {} }"]);
    }

    #[test]
    fn a_let_is_kept_where_it_can_stand() {
        check(
            &KEEP_OPERAND,
            "fn f() { while a && let b = c && d {} }",
            &[
                "fn f() { while a && let b = c {} }",
                "fn f() { while d {} }",
                "fn f() { while a && d {} }",
                "fn f() { while let b = c && d {} }",
            ],
        );
    }

    #[test]
    fn operands_without_effect_are_not_kept_as_statements() {
        check(&KEEP_OPERAND, "fn f() { a && b; !c; -d; e | g; }", &[]);
    }
}
