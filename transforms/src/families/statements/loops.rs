//! Loops: their bodies and their heads without them.

use syn::Expr;

use crate::rule::branches::{keep_head, unwrap_conditional};
use crate::rule::{Proposals, Rule, family};
use crate::syntax::surroundings::{child_block, is_jumped, uses};
use crate::syntax::{Node, Place, Syntax, child};

family! {
    "loops", "Replaces loops by what they hold.", in Control;

    /// Replace a loop by its body, its condition or what it runs over.
    ///
    /// A body with a `break` or `continue` that would have no target stays in its loop, and so does one that uses the loop's
    /// variable, until that is replaced by a value.
    UNWRAP_LOOP = "unwrap-loop", Rule::Node(unwrap_loop), "fn f() { for a in g() { h(); } }" => "fn f() { h(); }";
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
}
