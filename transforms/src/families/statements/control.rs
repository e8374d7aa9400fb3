//! Branches, jumps, loops and blocks: one of the branches, the condition, the value, the body, without the control flow around it.

use syn::{Expr, Pat, Stmt};

use crate::rule::branches::{keep_head, place_let, unwrap_conditional};
use crate::rule::{Proposals, Rule, family};
use crate::syntax::surroundings::{child_block, has_effect, is_body, is_jumped, tail, uses};
use crate::syntax::{Node, Place, Syntax, child, precedence};
use crate::text::Edit;

/// How many arms of a `match` are proposed alone, the longest first; when arms are deleted, others come to their turn.
const ARMS: usize = 8;

family! {
    "control", "Replaces branches, jumps, loops and blocks by what they hold.", in Control;

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

    /// Replace a loop by its body, its condition or what it runs over.
    ///
    /// A body with a `break` or `continue` that would have no target stays in its loop, and so does one that uses the loop's
    /// variable, until that is replaced by a value.
    UNWRAP_LOOP = "unwrap-loop", Rule::Node(unwrap_loop), "fn f() { for a in g() { h(); } }" => "fn f() { h(); }";

    /// Replace a block by its statements if it is a statement itself, else by its last expression.
    ///
    /// The blocks are plain, labelled, `unsafe`, `async`, `const` or `try`.
    UNWRAP_BLOCK = "unwrap-block", Rule::Node(unwrap_block),
        "fn f() { unsafe { let a = g(); h(a) } }" => "fn f() { let a = g(); h(a); }";
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

fn unwrap_loop(node: Node<'_>, out: &mut Proposals<'_>) {
    let (Some(place), Some(body)) = (Place::of(node), child_block(node)) else { return };
    match node.syntax() {
        Syntax::Expr(Expr::Loop(_)) if !is_jumped(node) => place.inline(out, body),
        Syntax::Expr(Expr::While(expr)) => {
            let Some(cond) = child(node, &expr.cond) else { return };
            if !is_jumped(node) {
                unwrap_conditional(&place, cond, body, out);
            }
            keep_head(&place, cond, out);
        }
        Syntax::Expr(Expr::ForLoop(expr)) => {
            let Some(head) = child(node, &expr.expr) else { return };
            if !is_jumped(node) && !uses(body, &expr.pat) {
                place.inline(out, body);
            }
            keep_head(&place, head, out);
        }
        _ => {}
    }
}

fn unwrap_block(node: Node<'_>, out: &mut Proposals<'_>) {
    match node.syntax() {
        Syntax::Expr(Expr::Block(expr)) if expr.label.is_none() || !is_jumped(node) => {}
        Syntax::Expr(Expr::Async(_) | Expr::Const(_) | Expr::TryBlock(_) | Expr::Unsafe(_)) => {}
        _ => return,
    }
    let (Some(place), Some(block)) = (Place::of(node), child_block(node)) else { return };
    if place.is_statement() {
        place.inline(out, block);
    } else if let Some(tail) = tail(block) {
        place.keep(out, tail);
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

    #[test]
    fn a_loop_becomes_its_body_or_its_head() {
        check(&UNWRAP_LOOP, "fn f() { loop { a; b } }", &["fn f() { a; b; }"]);
        check(&UNWRAP_LOOP, "fn f() { 'a: while b() { c; } d }", &["fn f() { c; d }", "fn f() { b(); d }"]);
        check(
            &UNWRAP_LOOP,
            "fn f() { while let Some(a) = b() { c(a); } }",
            &["fn f() { let a = b().unwrap(); c(a); }", "fn f() { b(); }"],
        );
        check(&UNWRAP_LOOP, "fn f() { for a in b() { c(); } }", &["fn f() { c(); }", "fn f() { b(); }"]);
        check(&UNWRAP_LOOP, "fn f() { let a = loop { b }; }", &["fn f() { let a = b; }"]);
    }

    #[test]
    fn a_jump_keeps_its_loop() {
        check(&UNWRAP_LOOP, "fn f() { loop { break } }", &[]);
        check(&UNWRAP_LOOP, "fn f() { 'a: loop { loop { break 'a } } }", &["fn f() { 'a: loop { break 'a } }"]);
        check(&UNWRAP_LOOP, "fn f() { for a in b { c(a) } }", &[]);
    }

    #[test]
    fn a_jump_may_go_to_the_loop_around() {
        check(
            &UNWRAP_LOOP,
            "fn f() { loop { loop { break } } }",
            &["fn f() { loop { break } }", "fn f() { loop { break } }"],
        );
    }

    #[test]
    fn a_block_statement_becomes_its_statements() {
        check(&UNWRAP_BLOCK, "fn f() { { a; b } c }", &["fn f() { a; b; c }"]);
        check(&UNWRAP_BLOCK, "fn f() { { a; if b {} } c }", &["fn f() { a; if b {} c }"]);
        check(&UNWRAP_BLOCK, "fn f() { { a; }; c }", &["fn f() { a; c }"]);
        check(&UNWRAP_BLOCK, "fn f() -> u8 { unsafe { a; b } }", &["fn f() -> u8 { a; b }"]);
        check(&UNWRAP_BLOCK, "fn f() { unsafe { a; b } }", &["fn f() { a; b; }"]);
        check(&UNWRAP_BLOCK, "fn f() { { #![a] b } c }", &["fn f() { b; c }"]);
    }

    #[test]
    fn a_block_with_a_value_becomes_its_last_expression() {
        check(&UNWRAP_BLOCK, "const A: u8 = const { b; c };", &["const A: u8 = c;"]);
        check(&UNWRAP_BLOCK, "fn f() { g(async move { a.b } + c) }", &["fn f() { g(a.b + c) }"]);
        check(&UNWRAP_BLOCK, "fn f() { g({ a + b } * c) }", &["fn f() { g((a + b) * c) }"]);
        check(&UNWRAP_BLOCK, "fn f() { g(|| { a }) }", &["fn f() { g(|| a) }"]);
        check(
            &UNWRAP_BLOCK,
            "fn f() { match a { b => { c } _ => { d } } }",
            &["fn f() { match a { b => c, _ => { d } } }", "fn f() { match a { b => { c } _ => d } }"],
        );
    }

    #[test]
    fn nested_blocks_go_one_by_one() {
        check(&UNWRAP_BLOCK, "fn f() { { { a; } } }", &["fn f() { { a; } }", "fn f() { { a; } }"]);
    }

    #[test]
    fn blocks_that_are_needed_stay() {
        check(&UNWRAP_BLOCK, "fn f() { 'a: { break 'a } }", &[]);
        check(&UNWRAP_BLOCK, "fn f() { let a = { b; }; g(|| -> u8 { c }) }", &[]);
        check(&UNWRAP_BLOCK, "fn f() { if a { b } else { c } let d = e else { g() }; }", &[]);
        check(&UNWRAP_BLOCK, "fn f() { {} unsafe {} }", &[]);
    }

    #[test]
    fn a_label_without_jump_goes_along() {
        check(&UNWRAP_BLOCK, "fn f() { 'a: { b; } }", &["fn f() { b; }"]);
    }
}
