//! Statements: each one, and what a `let` keeps.

use syn::{Expr, Stmt};

use crate::rule::{Proposals, Rule, family, parts};
use crate::syntax::{Node, Syntax, precedence, surroundings};

family! {
    "stmts", "Deletes statements.", in Statements;

    /// Delete a statement, or the expression at the end of a block.
    DELETE_STATEMENT = "delete-statement", parts!(node,
            Syntax::Stmt(Stmt::Local(_) | Stmt::Expr(..) | Stmt::Macro(_)) => node.range()), in Switches, Statements,
        "fn f() { let a = g(); h(); a }" => "fn f() { let a = g(); a }";

    /// Keep only the initialiser of a `let`.
    LET_TO_EXPRESSION = "let-to-expression", Rule::Node(let_to_expression),
        "fn f() { let a = g(); }" => "fn f() { g(); }";
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
