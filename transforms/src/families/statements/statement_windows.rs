//! Neighbouring statements that can only go together, in small programs.

use syn::Stmt;

use crate::rule::proposals::Proposals;
use crate::rule::transform::{Rule, family};
use crate::syntax::tree::{Node, Syntax};
use crate::text::edit::Edit;

family! {
    "statement-windows", "Deletes several of a few neighbouring statements of a small program.", in StatementWindows;

    /// Delete two or more of four neighbouring statements of a small program.
    ///
    /// ```text
    /// fn f() { let a = g(); h(); i(a); j() }
    /// =>
    /// fn f() { h(); j() }
    /// ```
    ///
    /// All subsets of each window, as *Vulcan* does (Xu et al., *Pushing the Limit of 1-Minimality of Language-Agnostic
    /// Program Reduction*, 2023): what a single deletion breaks, another one may mend.
    DELETE_STATEMENT_WINDOW = "delete-statement-window", Rule::Node(delete_statement_window);
}

/// How many neighbours a window holds.
const WIDTH: usize = 4;

fn delete_statement_window(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Block(_) = node.syntax() else { return };
    if !node.tree().source().is_small() {
        return;
    }
    let is_deletable =
        |stmt: &Node<'_>| matches!(stmt.syntax(), Syntax::Stmt(Stmt::Local(_) | Stmt::Expr(..) | Stmt::Macro(_)));
    let stmts: Vec<Node<'_>> = node.children().filter(is_deletable).collect();
    for (first, stmt) in stmts.iter().enumerate() {
        let rest = &stmts[first + 1..stmts.len().min(first + WIDTH)];
        // The bits say which of the rest go with the first one: so no subset comes twice. The largest comes first.
        for chosen in (1..1_usize << rest.len()).rev() {
            let others = rest.iter().enumerate().filter(|(bit, _)| chosen >> bit & 1 == 1).map(|(_, stmt)| stmt);
            let edits: Vec<Edit> = std::iter::once(stmt).chain(others).map(|stmt| Edit::delete(stmt.range())).collect();
            let end = edits.last().map_or(0, |edit| edit.range.end);
            out.edit(stmt.range().start..end, edits);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn all_subsets_of_a_window_go() {
        check(
            &DELETE_STATEMENT_WINDOW,
            "fn f() { let a = b; c(); d! {} }",
            &["fn f() { }", "fn f() { c(); }", "fn f() { d! {} }", "fn f() { let a = b; }"],
        );
        let subsets = crate::testing::candidates(&DELETE_STATEMENT_WINDOW, "fn f() { a(); b(); c(); d(); e(); }");
        assert_eq!(subsets.len(), 7 + 7 + 3 + 1);
    }

    #[test]
    fn items_are_no_neighbours() {
        check(&DELETE_STATEMENT_WINDOW, "fn f() { a(); struct B; c() }", &["fn f() { struct B; }"]);
        check(&DELETE_STATEMENT_WINDOW, "fn f() { a(); struct B; }", &[]);
    }

    #[test]
    fn single_statements_and_large_programs_are_left_alone() {
        check(&DELETE_STATEMENT_WINDOW, "fn f() { { a() } } struct S;", &[]);
        check(&DELETE_STATEMENT_WINDOW, &format!("{} fn f() {{ a(); b(); }}", "struct S; ".repeat(100)), &[]);
    }
}
