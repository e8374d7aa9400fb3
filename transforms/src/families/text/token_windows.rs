//! Neighbouring bare tokens that belong together without a delimiter around them.

use crate::rule::{Proposals, Rule, family};
use crate::syntax::token_groups::region;
use crate::syntax::token_groups::token_groups;
use crate::syntax::tree::Node;

family! {
    "token-windows", "Deletes neighbouring tokens in macros and in unknown syntax.", in TokenWindows;

    /// Delete two or three neighbouring tokens or groups of a small region.
    ///
    /// What belongs together without a delimiter, such as an operator with its operand. Of windows of neighbours, as in
    /// *Vulcan* (Xu et al., *Pushing the Limit of 1-Minimality of Language-Agnostic Program Reduction*, 2023), the smallest.
    DELETE_TOKEN_WINDOW = "delete-token-window", Rule::Node(delete_token_window),
        "m!(dyn a + ?b + c);" => "m!(dyn a + c);";
}

/// The largest region in which windows are deleted, in token trees.
const SMALL: usize = 100;

fn delete_token_window(node: Node<'_>, out: &mut Proposals<'_>) {
    let Some(tokens) = region(node) else { return };
    let pieces = token_groups(node.source_text(), tokens);
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
    fn neighbours_go_together() {
        check(&DELETE_TOKEN_WINDOW, "m!(a => [b =>]);", &["m!([b =>]);", "m!(a);"]);
        check(&DELETE_TOKEN_WINDOW, "m!(a => ? b);", &["m!(? b);", "m!(a b);", "m!(a =>);", "m!(b);", "m!(a);"]);
        check(&DELETE_TOKEN_WINDOW, "m!(a =>); fn f() { a; b; } m!(b, c);", &[]);
    }
}
