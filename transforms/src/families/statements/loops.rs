//! Loops: once instead of often, or without what they run over.

use syn::Expr;

use crate::rule::branches::{keep_head, place_let, unwrap_conditional};
use crate::rule::{Proposals, Rule, family};
use crate::syntax::attributes::is_inner;
use crate::syntax::surroundings::{child_block, is_jumped, uses};
use crate::syntax::{Node, Place, Syntax, child, range};
use crate::text::Edit;

family! {
    "loops", "Replaces loops by what they hold, and by simpler ones.", in Control;

    /// Replace a loop by its body, its condition or what it runs over.
    ///
    /// A body with a `break` or `continue` that would have no target stays in its loop, and one that uses the loop's
    /// variable is left to `run-once`.
    UNWRAP_LOOP = "unwrap-loop", Rule::Node(unwrap_loop), "fn f() { for a in g() { h(); } }" => "fn f() { h(); }";

    /// Replace `while` by `if`, and `for` by `let` with the first value.
    ///
    /// The first value of what is neither a range nor an array is written longer than the loop, so the value itself is
    /// bound.
    RUN_ONCE = "run-once", Rule::Node(run_once), "fn f() { for a in 0..9 { g(a); } }" => "fn f() { let a = 0; g(a); }";
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

fn run_once(node: Node<'_>, out: &mut Proposals<'_>) {
    match node.syntax() {
        // An `if` has no attributes inside of its braces.
        Syntax::Expr(Expr::While(expr)) if !is_jumped(node) && !expr.attrs.iter().any(is_inner) => {
            let keyword = range(&expr.while_token);
            let start = expr.label.as_ref().map_or(keyword.start, |label| range(label).start);
            out.edit(node.range(), vec![Edit::replace(start..keyword.end, "if")]);
        }
        Syntax::Expr(Expr::ForLoop(expr)) if !is_jumped(node) => {
            let (Some(place), Some(body), Some(head)) = (Place::of(node), child_block(node), child(node, &expr.expr))
            else {
                return;
            };
            if uses(body, &expr.pat) {
                place_let(&place, &expr.pat, first_value(head), body, out);
            }
        }
        _ => {}
    }
}

/// The first value of a range or array, or else the expression itself.
fn first_value(head: Node<'_>) -> Node<'_> {
    let (head, inner) = match head.syntax() {
        Syntax::Expr(Expr::Paren(expr)) => (child(head, &expr.expr).unwrap_or(head), &*expr.expr),
        Syntax::Expr(expr) => (head, expr),
        _ => return head,
    };
    let first = match inner {
        Expr::Range(expr) => expr.start.as_deref(),
        Expr::Array(expr) => expr.elems.first(),
        Expr::Repeat(expr) => Some(&*expr.expr),
        _ => None,
    };
    first.and_then(|first| child(head, first)).unwrap_or(head)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

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
    fn a_loop_runs_once() {
        check(&RUN_ONCE, "fn f() { 'a: while let b = c { d } }", &["fn f() { if let b = c { d } }"]);
        check(&RUN_ONCE, "fn f() { for a in (0..3) { b(a) } }", &["fn f() { let a = 0; b(a); }"]);
        check(&RUN_ONCE, "fn f() { for (a, b) in [(1, 2)] { c(a); } }", &["fn f() { let (a, b) = (1, 2); c(a); }"]);
        check(&RUN_ONCE, "fn f() { for a in b() { c(a) } d }", &["fn f() { let a = b(); c(a); d }"]);
    }

    #[test]
    fn a_loop_that_cannot_run_once_stays() {
        check(&RUN_ONCE, "fn f() { while a { break } for a in b {} loop {} while a { #![b] } }", &[]);
    }
}
