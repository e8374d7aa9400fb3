//! Statements: each one, what can no longer be reached, and the end of a block.

use syn::{Expr, Stmt};

use crate::rule::{Proposals, Rule, family, parts};
use crate::syntax::{Node, Syntax, precedence, surroundings};
use crate::text::Edit;

family! {
    "stmts", "Deletes statements.", in Statements;

    /// Delete a statement, or the expression at the end of a block.
    DELETE_STATEMENT = "delete-statement", parts!(node,
            Syntax::Stmt(Stmt::Local(_) | Stmt::Expr(..) | Stmt::Macro(_)) => node.range()), in Switches, Statements,
        "fn f() { let a = g(); h(); a }" => "fn f() { let a = g(); a }";

    /// Replace the end of a block that has a value by an endless loop.
    ///
    /// The statements of such a block hang together by the value at its end. The first alternative leaves half of the
    /// statements, the next three quarters, and so on: what is deleted stays deleted, so a few rounds find the place. (From Felix Klock.)
    TRUNCATE_BLOCK = "truncate-block", Rule::Node(truncate_block),
        "fn f() -> u8 { let a = g(); let b = h(a); a + b }" => "fn f() -> u8 { let a = g(); loop {} }";

    /// Keep only the initialiser of a `let`.
    LET_TO_EXPRESSION = "let-to-expression", Rule::Node(let_to_expression),
        "fn f() { let a = g(); }" => "fn f() { g(); }";
}

fn truncate_block(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Block(block) = node.syntax() else { return };
    let has_value = match block.stmts.last() {
        Some(Stmt::Expr(Expr::Return(expr), _)) => expr.expr.is_some(),
        Some(Stmt::Expr(expr, None)) => !precedence::is_unit(expr) && !surroundings::is_unit_block(node),
        Some(Stmt::Macro(stmt)) => stmt.semi_token.is_none() && !surroundings::is_unit_block(node),
        _ => false,
    };
    if !has_value {
        return;
    }
    let stmts: Vec<Node<'_>> = node.children().collect();
    let mut first = stmts.len() / 2;
    // That the last expression alone can be one is for the family `values` to say.
    while 0 < first && first < stmts.len() {
        let rest = stmts[first..].iter().filter(|stmt| !matches!(stmt.syntax(), Syntax::Stmt(Stmt::Item(_))));
        let mut edits: Vec<Edit> = rest.map(|stmt| Edit::delete(stmt.range())).collect();
        if let [_, .., last] = edits.as_mut_slice() {
            last.text = "loop {}".to_owned();
            out.edit(node.range(), edits);
        }
        first += (stmts.len() - first).div_ceil(2);
    }
}

fn let_to_expression(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Stmt(Stmt::Local(local)) = node.syntax() else { return };
    let Some(init) = &local.init else { return };
    // The statement is a `Stmt`, its `let` a `Local`, in which the expression is.
    let Some(expr) = node.children().next().and_then(|local| surroundings::child(local, &init.expr)) else { return };
    if matches!(*init.expr, Expr::Lit(_)) {
        return;
    }
    let parentheses = if precedence::is_cut(&init.expr) { ("(", ");") } else { ("", ";") };
    out.keep_between(node.range(), parentheses.0, expr.range(), parentheses.1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn every_statement_but_items_can_go() {
        check(
            &DELETE_STATEMENT,
            "fn f() { let a = 1; g(); m!(); m! {} fn h() {} if a {} a }",
            &[
                "fn f() { g(); m!(); m! {} fn h() {} if a {} a }",
                "fn f() { let a = 1; m!(); m! {} fn h() {} if a {} a }",
                "fn f() { let a = 1; g(); m! {} fn h() {} if a {} a }",
                "fn f() { let a = 1; g(); m!(); fn h() {} if a {} a }",
                "fn f() { let a = 1; g(); m!(); m! {} fn h() {} a }",
                "fn f() { let a = 1; g(); m!(); m! {} fn h() {} if a {} }",
            ],
        );
    }

    #[test]
    fn statements_in_macro_calls_can_go() {
        check(&DELETE_STATEMENT, "m! { let a = 1; b(); }", &["m! { b(); }", "m! { let a = 1; }"]);
        check(&DELETE_STATEMENT, "m!(a, b); const A: u8 = 1; fn f() { struct S; }", &[]);
    }

    #[test]
    fn a_block_with_a_value_is_cut_by_halves() {
        check(
            &TRUNCATE_BLOCK,
            "fn f() -> A { let a = b; c; d; e; g; h; i + j }",
            &["fn f() -> A { let a = b; c; d; loop {} }", "fn f() -> A { let a = b; c; d; e; g; loop {} }"],
        );
        check(
            &TRUNCATE_BLOCK,
            "fn f() -> A { a; fn c() {} b; return d(); }",
            &["fn f() -> A { a; fn c() {} loop {} }"],
        );
        check(&TRUNCATE_BLOCK, "fn f() { let a = { b; c; d! {} }; }", &["fn f() { let a = { b; loop {} }; }"]);
    }

    #[test]
    fn a_block_without_value_is_not_cut() {
        check(&TRUNCATE_BLOCK, "fn f() { let a = g(); let b = h(a); b.i() }", &[]);
        check(&TRUNCATE_BLOCK, "fn f() -> u8 { let a = g(); loop {} } fn g() -> u8 { h(1, 2, 3) }", &[]);
    }

    #[test]
    fn an_initialiser_is_kept() {
        check(&LET_TO_EXPRESSION, "fn f() { let a: u8 = g(); }", &["fn f() { g(); }"]);
        check(&LET_TO_EXPRESSION, "fn f() { let a = { b } + c; }", &["fn f() { ({ b } + c); }"]);
        check(
            &LET_TO_EXPRESSION,
            "fn f() { let Some(a) = if b { c } else { d }; }",
            &["fn f() { if b { c } else { d }; }"],
        );
        check(&LET_TO_EXPRESSION, "fn f() { let A(a) = b() else { c() }; }", &["fn f() { b(); }"]);
    }

    #[test]
    fn a_literal_is_not_kept_and_what_moves_is() {
        check(&LET_TO_EXPRESSION, "fn f() { let a; let c = 1; d(); }", &[]);
        check(&LET_TO_EXPRESSION, "fn f() { let b = a; }", &["fn f() { a; }"]);
    }
}
