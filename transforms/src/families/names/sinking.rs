//! Declarations that move to the first assignment.

use syn::{Expr, Stmt};

use crate::names::Variable;
use crate::rule::propose::inline_variables;
use crate::rule::{Rule, family};
use crate::syntax::{Node, Occurrence, Syntax, range};
use crate::text::Edit;

family! {
    "sinking", "Moves declarations to where their variables get a value.", in Bindings;

    /// Join a `let` without value and the assignment that all other mentions of the variable stand behind.
    ///
    /// What is pointed to does not move into a loop: a pointer may outlive a round of it.
    SINK_DECLARATION = "sink-declaration",
        Rule::Tree(|names, out| inline_variables(names, out, |variable| sunk(variable).map(|declared| vec![declared]))),
        "fn f() { let mut a: u8; loop { a = g(); h(a); } }" => "fn f() { loop { let mut a: u8 = g(); h(a); } }";
}

/// The edit that declares a variable without value where it is assigned first.
fn sunk(variable: &Variable<'_>) -> Option<Edit> {
    let Variable { stmt, local, scope, uses, captures, .. } = variable;
    if local.init.is_some() || !local.attrs.is_empty() {
        return None;
    }
    let first = uses.first()?;
    let assigned = first.path_end()?.parent()?;
    let home = assigned.parent()?.parent()?;
    if !matches!(home.syntax(), Syntax::Stmt(Stmt::Expr(Expr::Assign(_), Some(_))))
        || home.range().start != first.range.start
        || assigned.range() != first.range
    {
        return None;
    }
    let behind = home.range().end..home.parent()?.range().end;
    let mut rest = uses[1..].iter().map(|occurrence| &occurrence.range).chain(captures);
    if !rest.all(|range| behind.contains(&range.start)) {
        return None;
    }
    // A pointer to it may outlive a round of a loop.
    let is_round =
        |node: Node<'_>| matches!(node.syntax(), Syntax::Expr(Expr::ForLoop(_) | Expr::Loop(_) | Expr::While(_)));
    let enters_loop = home.ancestors().take_while(|around| around.range().start >= scope.start).any(is_round);
    if enters_loop && uses.iter().any(is_borrowed) {
        return None;
    }
    let declaration = format!("let {}", stmt.text_at(range(&local.pat)));
    Some(Edit::replace(first.range.clone(), declaration))
}

/// Whether the address of a variable is taken at `occurrence`.
fn is_borrowed(occurrence: &Occurrence<'_>) -> bool {
    let is_part = |node: &Node<'_>| {
        matches!(
            node.syntax(),
            Syntax::Path(_) | Syntax::Expr(Expr::Field(_) | Expr::Index(_) | Expr::Paren(_) | Expr::Path(_))
        )
    };
    let around = occurrence.path_end().and_then(|path| path.ancestors().find(|node| !is_part(node)));
    matches!(
        around.map(Node::syntax),
        None | Some(Syntax::Macro(_) | Syntax::Expr(Expr::Macro(_) | Expr::Reference(_) | Expr::RawAddr(_)))
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn a_declaration_moves_to_the_assignment() {
        check(&SINK_DECLARATION, "fn f() { let a; g(); a = 1; h(a) }", &["fn f() { g(); let a = 1; h(a) }"]);
        check(
            &SINK_DECLARATION,
            "fn f() { let mut a: u8; if b { a = 1; a = 2; m!(\"{a}\"); } }",
            &["fn f() { if b { let mut a: u8 = 1; a = 2; m!(\"{a}\"); } }"],
        );
    }

    #[test]
    fn what_is_mentioned_elsewhere_stays() {
        check(&SINK_DECLARATION, "fn f() { let a; if b { a = 1; } g(a) }", &[]);
        check(&SINK_DECLARATION, "fn f() { let a; if b { a = 1; } m!(\"{a}\") }", &[]);
        check(&SINK_DECLARATION, "fn f() { let a; if b { a = 1; } else { a = 2; } }", &[]);
        check(&SINK_DECLARATION, "fn f() { let a; g(&mut a); a = 1; }", &[]);
        check(&SINK_DECLARATION, "fn f() { let a; a = a; }", &[]);
        check(&SINK_DECLARATION, "fn f() { let mut a; loop { a = 1; b = &raw mut a.c; d = addr_of!(a); } }", &[]);
    }

    #[test]
    fn what_is_no_plain_assignment_stays() {
        check(&SINK_DECLARATION, "fn f() { let a; a.b = 1; a[0] = 1; }", &[]);
        check(&SINK_DECLARATION, "fn f() { let a; a += 1; } fn g() { let a; if b { a = 1 } }", &[]);
        check(&SINK_DECLARATION, "fn f() { let mut a = 0; a = 1; } fn g() { let (a, b); a = 1; b = 1; }", &[]);
    }
}
