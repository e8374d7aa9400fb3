//! Blocks as expressions: what they hold without them.

use syn::Expr;

use crate::rule::{Proposals, Rule, family};
use crate::syntax::{Node, Place, Syntax, surroundings};

family! {
    "blocks", "Takes blocks away from what they hold.", in Control;

    /// Replace a block by its statements if it is a statement itself, else by its last expression.
    ///
    /// The blocks are plain, labelled, `unsafe`, `async`, `const` or `try`.
    UNWRAP_BLOCK = "unwrap-block", Rule::Node(unwrap_block),
        "fn f() { unsafe { let a = g(); h(a) } }" => "fn f() { let a = g(); h(a); }";
}

fn unwrap_block(node: Node<'_>, out: &mut Proposals<'_>) {
    match node.syntax() {
        Syntax::Expr(Expr::Block(expr)) if expr.label.is_none() || !surroundings::is_jumped(node) => {}
        Syntax::Expr(Expr::Async(_) | Expr::Const(_) | Expr::TryBlock(_) | Expr::Unsafe(_)) => {}
        _ => return,
    }
    let (Some(place), Some(block)) = (Place::of(node), surroundings::child_block(node)) else { return };
    if place.is_statement() {
        place.inline(out, block);
    } else if let Some(tail) = surroundings::tail(block) {
        place.keep(out, tail);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

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
