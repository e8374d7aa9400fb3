//! Branches and jumps: one of the branches, the condition, the value, without the control flow around it.

use syn::{Expr, Pat, Stmt};

use crate::rule::branches::{keep_head, place_let, unwrap_conditional};
use crate::rule::{Proposals, Rule, family};
use crate::syntax::surroundings::{child_block, has_effect, is_body, uses};
use crate::syntax::{Node, Place, Syntax, child, precedence};
use crate::text::Edit;

/// How many arms of a `match` are proposed alone, the longest first; when arms are deleted, others come to their turn.
const ARMS: usize = 8;

family! {
    "control", "Replaces branches and jumps by what they hold.", in Control;

    /// Replace an `if` by one of its branches, or by its condition.
    ///
    /// Where a branch uses what the condition binds, the condition becomes a `let`. (From *The Debugging Book*.)
    UNWRAP_IF = "unwrap-if", Rule::Node(unwrap_if),
        "fn f() { if g() { h(); i() } else { j() } }" => "fn f() { h(); i(); }";

    /// Replace a `match` by the body of one of its arms, or by what is matched.
    ///
    /// Where the body uses what the pattern binds, the pattern becomes that of a `let`. The longest bodies come first. (From *The Debugging Book*.)
    UNWRAP_MATCH = "unwrap-match", Rule::Node(unwrap_match),
        "fn f() { match g() { A(a) => h(a), _ => {} } }" => "fn f() { let A(a) = g(); h(a); }";

    /// Replace a `return`, `break` or `yield` by its value.
    UNWRAP_JUMP = "unwrap-jump", Rule::Node(unwrap_jump), "fn f() -> u8 { return g(); }" => "fn f() -> u8 { g() }";
}

fn unwrap_if(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Expr(Expr::If(expr)) = node.syntax() else { return };
    let (Some(place), Some(cond), Some(then)) = (Place::of(node), child(node, &expr.cond), child_block(node)) else {
        return;
    };
    unwrap_conditional(&place, cond, then, out);
    if let Some(branch) = expr.else_branch.as_ref().and_then(|(_, branch)| child(node, branch)) {
        place.inline(out, branch);
    }
    keep_head(&place, cond, out);
}

fn unwrap_match(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Expr(Expr::Match(expr)) = node.syntax() else { return };
    let (Some(place), Some(scrutinee)) = (Place::of(node), child(node, &expr.expr)) else { return };
    for (pat, body) in arms(node).into_iter().take(ARMS) {
        if uses(body, pat) {
            place_let(&place, pat, scrutinee, body, out);
        } else {
            place.inline(out, body);
        }
    }
    keep_head(&place, scrutinee, out);
}

/// The arms of a `match`, the longest body first.
fn arms(node: Node<'_>) -> Vec<(&Pat, Node<'_>)> {
    let mut arms: Vec<(&Pat, Node<'_>)> = node
        .children()
        .filter_map(|arm| match arm.syntax() {
            Syntax::Arm(syntax) => Some((&syntax.pat, child(arm, &syntax.body)?)),
            _ => None,
        })
        .collect();
    arms.sort_by_key(|(_, body)| std::cmp::Reverse(body.range().len()));
    arms
}

fn unwrap_jump(node: Node<'_>, out: &mut Proposals<'_>) {
    let value = match node.syntax() {
        Syntax::Expr(Expr::Break(expr)) => &expr.expr,
        Syntax::Expr(Expr::Return(expr)) => &expr.expr,
        Syntax::Expr(Expr::Yield(expr)) => &expr.expr,
        _ => return,
    };
    let Some(value) = value.as_ref().and_then(|value| child(node, value)) else { return };
    let Some(place) = Place::of(node) else { return };
    if let (Some(semi), Syntax::Expr(Expr::Return(_)), Syntax::Expr(expr)) =
        (place.semicolon(), node.syntax(), value.syntax())
        && let Some(stmt) = node.parent().filter(|stmt| stmt.is_last() && stmt.parent().is_some_and(is_body))
        && !precedence::is_cut(expr)
        && matches!(stmt.syntax(), Syntax::Stmt(Stmt::Expr(..)))
    {
        let before = Edit::delete(node.range().start..value.range().start);
        return out.edit(node.range(), vec![before, Edit::delete(value.range().end..semi.end)]);
    }
    if !place.is_discarded() || has_effect(value) {
        place.keep(out, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn an_if_becomes_a_branch_or_its_condition() {
        check(&UNWRAP_IF, "fn f() { if a() { b; } c }", &["fn f() { b; c }", "fn f() { a(); c }"]);
        check(
            &UNWRAP_IF,
            "fn f() -> u8 { if a == b { c; d } else { e } }",
            &["fn f() -> u8 { c; d }", "fn f() -> u8 { e }", "fn f() -> u8 { a == b }"],
        );
        check(
            &UNWRAP_IF,
            "fn f() { g(if a { b } else { c; d } + 1) }",
            &["fn f() { g(b + 1) }", "fn f() { g({ c; d } + 1) }", "fn f() { g(a + 1) }"],
        );
    }

    #[test]
    fn an_else_stays_followed_by_a_block_or_an_if() {
        check(
            &UNWRAP_IF,
            "const A: u8 = if a { b } else if c { d } else { e };",
            &[
                "const A: u8 = b;",
                "const A: u8 = if c { d } else { e };",
                "const A: u8 = a;",
                "const A: u8 = if a { b } else { d };",
                "const A: u8 = if a { b } else { e };",
                "const A: u8 = if a { b } else { c };",
            ],
        );
    }

    #[test]
    fn what_a_condition_binds_is_bound() {
        check(
            &UNWRAP_IF,
            "fn f() { if let S { a } = b() { c(a) } }",
            &["fn f() { let S { a } = b(); c(a); }", "fn f() { b(); }"],
        );
        check(
            &UNWRAP_IF,
            "fn f() { if let Some(a) = &b { c(\"{a}\") } else { d } }",
            &["fn f() { let a = (&b).unwrap(); c(\"{a}\"); }", "fn f() { d; }", "fn f() { &b; }"],
        );
        check(&UNWRAP_IF, "fn f() { if let A(_) = b { c(a) } }", &["fn f() { c(a); }"]);
        check(&UNWRAP_IF, "fn f() { if a && let B(c) = d() { c; } }", &[]);
    }

    #[test]
    fn a_match_becomes_an_arm_the_longest_first_or_what_is_matched() {
        check(
            &UNWRAP_MATCH,
            "fn f() { match a() { 0 => b, c => { d; e(c) } } }",
            &["fn f() { let c = a(); d; e(c); }", "fn f() { b; }", "fn f() { a(); }"],
        );
        check(
            &UNWRAP_MATCH,
            "fn f() -> u8 { g + match a { B if b => c | d, Ok(e) => e } }",
            &["fn f() -> u8 { g + (c | d) }", "fn f() -> u8 { g + a.unwrap() }", "fn f() -> u8 { g + a }"],
        );
    }

    #[test]
    fn statements_are_not_left_without_effect() {
        check(&UNWRAP_IF, "fn f() { if a {} }", &[]);
        check(&UNWRAP_MATCH, "fn f() { match a {} b }", &[]);
        check(&UNWRAP_JUMP, "fn f() { loop { break a; } return; }", &[]);
    }

    #[test]
    fn a_jump_becomes_its_value() {
        check(&UNWRAP_JUMP, "fn f() -> u8 { loop { break a() } }", &["fn f() -> u8 { loop { a(); } }"]);
        check(&UNWRAP_JUMP, "fn f() -> u8 { a(return b || c) }", &["fn f() -> u8 { a(b || c) }"]);
        check(&UNWRAP_JUMP, "fn f() -> u8 { a; return b; }", &["fn f() -> u8 { a; b }"]);
        check(&UNWRAP_JUMP, "fn f() -> u8 { if a { return b(); } c }", &["fn f() -> u8 { if a { b(); } c }"]);
        check(&UNWRAP_JUMP, "fn f() { g(|| { return a; }) }", &["fn f() { g(|| { a }) }"]);
    }

    #[test]
    fn a_condition_that_assigns_is_no_expression() {
        check(&UNWRAP_IF, "fn f() { if let a = b && c = d {} }", &[]);
    }
}
