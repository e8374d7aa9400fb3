//! Labels of loops and blocks, and their uses.

use syn::{Expr, Lifetime};

use crate::rule::{Proposals, Rule, family};
use crate::syntax::precedence::label;
use crate::syntax::{Node, Syntax, range};
use crate::text::Edit;

family! {
    "labels", "Drops labels of loops and blocks, and their uses.", in Modifiers;

    /// Drop a label and its uses, or the label of a `break` or `continue`.
    DROP_LABEL = "drop-label", Rule::Node(drop_label),
        "fn f() { 'a: loop { break 'a } }" => "fn f() { loop { break } }";
}

/// The label of a `break` or `continue`, unless a label follows it.
fn used_label(syntax: Syntax<'_>) -> Option<&Lifetime> {
    match syntax {
        Syntax::Expr(Expr::Continue(expr)) => expr.label.as_ref(),
        Syntax::Expr(Expr::Break(expr)) => {
            let following = expr.expr.as_deref().and_then(label);
            expr.label.as_ref().filter(|_| following.is_none())
        }
        _ => None,
    }
}

fn drop_label(node: Node<'_>, out: &mut Proposals<'_>) {
    if let (Syntax::Label(label), Some(parent)) = (node.syntax(), node.parent()) {
        let uses = parent.descendants().filter_map(|inner| used_label(inner.syntax()));
        let mut edits = vec![Edit::delete(node.range())];
        edits.extend(uses.filter(|used| used.ident == label.name.ident).map(|used| Edit::delete(range(used))));
        out.edit(node.range(), edits);
    } else if let Some(label) = used_label(node.syntax()) {
        out.delete(range(label));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn labels_go_with_their_uses() {
        check(
            &DROP_LABEL,
            "fn f() { 'a: while b { 'c: { break 'c d; continue 'a } } }",
            &[
                "fn f() { while b { 'c: { break 'c d; continue } } }",
                "fn f() { 'a: while b { { break d; continue 'a } } }",
                "fn f() { 'a: while b { 'c: { break d; continue 'a } } }",
                "fn f() { 'a: while b { 'c: { break 'c d; continue } } }",
            ],
        );
        check(
            &DROP_LABEL,
            "fn f() { 'a: loop { break 'a b; continue 'a; } }",
            &[
                "fn f() { loop { break b; continue; } }",
                "fn f() { 'a: loop { break b; continue 'a; } }",
                "fn f() { 'a: loop { break 'a b; continue; } }",
            ],
        );
    }

    #[test]
    fn what_has_no_label_is_left_alone() {
        check(&DROP_LABEL, "fn f<'a>() { loop { break; } }", &[]);
    }

    #[test]
    fn the_label_of_a_break_stays_before_another_label() {
        check(
            &DROP_LABEL,
            "fn f() { loop { break; continue; break 'a 'b: loop {} } }",
            &["fn f() { loop { break; continue; break 'a loop {} } }"],
        );
    }
}
