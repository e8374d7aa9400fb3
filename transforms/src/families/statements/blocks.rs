//! Blocks as expressions: what they hold without them, and they without what they hold.

use syn::{Expr, Stmt};

use crate::rule::{Proposals, Rule, family};
use crate::syntax::{Node, Place, Syntax, surroundings};

family! {
    "blocks", "Takes blocks away from what they hold.", in Control;

    /// Replace a block by its statements if it is a statement itself, else by its last expression.
    ///
    /// The blocks are plain, labelled, `unsafe`, `async`, `const` or `try`.
    UNWRAP_BLOCK = "unwrap-block", Rule::Node(unwrap_block),
        "fn f() { unsafe { let a = g(); h(a) } }" => "fn f() { let a = g(); h(a); }";

    /// Replace a block that has a value by an expression that one of its statements holds, the last one first.
    HOIST_FROM_BLOCK = "hoist-from-block", Rule::Node(hoist_from_block),
        "fn f() -> u8 { g({ let a = h(); b }) }" => "fn f() -> u8 { g(h()) }";
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

/// How many statements' expressions are proposed for a block.
const LIMIT: usize = 4;

fn hoist_from_block(node: Node<'_>, out: &mut Proposals<'_>) {
    if !matches!(node.syntax(), Syntax::Expr(Expr::Block(_) | Expr::Const(_) | Expr::Unsafe(_))) {
        return;
    }
    let (Some(place), Some(block)) = (Place::of(node), surroundings::child_block(node)) else { return };
    let Syntax::Block(syntax) = block.syntax() else { return };
    if place.is_statement() {
        return;
    }
    let found: Vec<Node<'_>> = syntax.stmts.iter().zip(block.children()).filter_map(held).collect();
    found.into_iter().rev().take(LIMIT).for_each(|expr| place.keep(out, expr));
}

/// The expression that a statement holds; the tail is what `unwrap-block` proposes.
fn held<'t>((stmt, node): (&Stmt, Node<'t>)) -> Option<Node<'t>> {
    match stmt {
        Stmt::Expr(expr, Some(_)) => surroundings::child(node, expr),
        Stmt::Local(local) => {
            let own = node.children().find(|child| matches!(child.syntax(), Syntax::Local(_)))?;
            surroundings::child(own, &local.init.as_ref()?.expr)
        }
        _ => None,
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
    fn a_block_with_a_value_becomes_what_a_statement_holds() {
        check(
            &HOIST_FROM_BLOCK,
            "const A: B = { let a = b + 1; c(); let d; e };",
            &["const A: B = c();", "const A: B = b + 1;"],
        );
        check(&HOIST_FROM_BLOCK, "fn f() { { a; b } unsafe { c; } if d { e; } } const A: B = { a };", &[]);
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
