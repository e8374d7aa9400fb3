//! Neighbouring bare tokens that belong together without a delimiter around them, and the delimiters themselves.

use crate::names::Analysis;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::token_groups::region;
use crate::syntax::{Node, Source, Syntax, Understanding};
use crate::text::splice::splice;
use crate::text::{Edit, covers};

family! {
    "token-windows", "Deletes neighbouring tokens in macros and in unknown syntax, and brackets.", in TokenWindows;

    /// Delete two or three neighbouring tokens or groups of a small region.
    ///
    /// What belongs together without a delimiter, such as an operator with its operand. Of windows of neighbours, as in
    /// *Vulcan* (Xu et al., *Pushing the Limit of 1-Minimality of Language-Agnostic Program Reduction*, 2023), the smallest.
    DELETE_TOKEN_WINDOW = "delete-token-window", Rule::Node(delete_token_window),
        "m!(dyn a + ?b + c);" => "m!(dyn a + c);";

    /// Delete a pair of brackets of a small program, not what stands between them, if what is left is Rust.
    ///
    /// Those of a call, of the value of a unit struct, or of a closure with one expression.
    DELETE_BRACKETS = "delete-brackets", Rule::Tree(delete_brackets),
        "fn main() { f() }" => "fn main() { f }";
}

/// The largest program of which all brackets are deleted, in tokens.
const SMALL_PROGRAM: usize = 400;

fn delete_brackets(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let source = analysis.source();
    let whole = 0..source.text().len();
    if source.understanding() != Understanding::Full || source.count(&whole) > SMALL_PROGRAM {
        return;
    }
    // rustc may refuse an attribute without them only later than it shows the failure.
    let attributes = analysis.nodes().filter(|node| matches!(node.syntax(), Syntax::Attribute(_)));
    let attributes: Vec<_> = attributes.map(Node::range).collect();
    for (open, close) in source.brackets(whole) {
        let site = open.start..close.end;
        let edits = [Edit::delete(open), Edit::delete(close)];
        let is_in_attribute = attributes.iter().any(|attribute| covers(attribute, &site));
        if !is_in_attribute && Source::is_valid(&splice(source.text(), &[&edits[0], &edits[1]])) {
            out.edit(site, edits.into());
        }
    }
}

/// The largest region in which windows are deleted, in token trees.
const SMALL: usize = 100;

fn delete_token_window(node: Node<'_>, out: &mut Proposals<'_>) {
    let pieces = region(node);
    if pieces.len() > SMALL {
        return;
    }
    for width in [2, 3] {
        // All of the region is what other families delete.
        for window in pieces.windows(width).filter(|window| window.len() < pieces.len()) {
            out.delete(window[0].range.start..window[width - 1].range.end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn brackets_go_where_rust_is_left() {
        check(
            &DELETE_BRACKETS,
            "#[derive()] struct A {} fn f() -> A { g((1)); || { loop {} }; A {} }",
            &[
                // Either pair of the two.
                "#[derive()] struct A {} fn f() -> A { g(1); || { loop {} }; A {} }",
                "#[derive()] struct A {} fn f() -> A { g(1); || { loop {} }; A {} }",
                "#[derive()] struct A {} fn f() -> A { g((1)); || loop {}; A {} }",
                "#[derive()] struct A {} fn f() -> A { g((1)); || { loop {} }; A }",
            ],
        );
    }

    #[test]
    fn neighbours_go_together() {
        check(&DELETE_TOKEN_WINDOW, "m!(a => [b =>]);", &["m!([b =>]);", "m!(a);"]);
        check(&DELETE_TOKEN_WINDOW, "m!(a => ? b);", &["m!(? b);", "m!(a b);", "m!(a =>);", "m!(b);", "m!(a);"]);
        check(&DELETE_TOKEN_WINDOW, "m!(a =>); fn f() { a; b; } m!(b, c);", &[]);
    }
}
