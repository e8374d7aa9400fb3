//! Bare tokens: what stands in macro calls, `macro_rules!` and items of unknown syntax, where syn cannot parse it.

use crate::rule::propose::delete_segments;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::token_groups::region;
use crate::syntax::token_groups::{Shape, TokenGroup, segments, token_groups};
use crate::syntax::tree::Node;

family! {
    "token-trees", "Reduces the tokens in macros and in unknown syntax.", in Tokens;

    /// Delete half of the tokens of a region.
    ///
    /// ```text
    /// m!(a => b, c => d,);
    /// =>
    /// m!(c => d,);
    /// ```
    ///
    /// Halves are for regions of 8 token trees or more that are needed together, so that deleting one of them does not do.
    DELETE_TOKEN_HALF = "delete-token-half", Rule::Node(delete_token_half);

    /// Delete an element of a list between semicolons or commas.
    ///
    /// ```text
    /// m!(a => b, c => d);
    /// =>
    /// m!(a => b);
    /// ```
    DELETE_TOKEN_SEGMENT = "delete-token-segment", Rule::Node(delete_token_segment);

    /// Delete what a group holds.
    ///
    /// ```text
    /// m!(a => { b; c });
    /// =>
    /// m!(a => { });
    /// ```
    EMPTY_TOKEN_GROUP = "empty-token-group", Rule::Node(empty_token_group);

    /// Replace a group, or a repetition `$( .. )*`, by what it holds.
    ///
    /// ```text
    /// m!(a => (b));
    /// =>
    /// m!(a => b);
    /// ```
    UNWRAP_TOKEN_GROUP = "unwrap-token-group", Rule::Node(unwrap_token_group);

    /// Replace a group in parentheses by `0`.
    ///
    /// ```text
    /// m!(a => (b.c()) as u8);
    /// =>
    /// m!(a => 0 as u8);
    /// ```
    GROUP_TO_ZERO = "token-group-to-zero", Rule::Node(group_to_zero);

    /// Delete a token, or a group with what it holds.
    ///
    /// ```text
    /// m!(a => (b));
    /// =>
    /// m!(a =>);
    /// ```
    DELETE_TOKEN_TREE = "delete-token-tree", Rule::Node(delete_token_tree);
}

fn delete_token_half(node: Node<'_>, out: &mut Proposals<'_>) {
    let Some(tokens) = region(node) else { return };
    let pieces = token_groups(node.source_text(), tokens);
    if pieces.len() < 8 {
        return;
    }
    let middle = pieces[pieces.len() / 2].range.start;
    out.delete_in(node.range(), middle..node.range().end);
    out.delete_in(node.range(), node.range().start..middle);
}

fn delete_token_segment(node: Node<'_>, out: &mut Proposals<'_>) {
    let Some(tokens) = region(node) else { return };
    let pieces = token_groups(node.source_text(), tokens);
    for separator in [";", ","] {
        let segments = segments(node.source_text(), &pieces, separator);
        if segments.len() > 1 {
            delete_segments(&segments, out, |segment| !segment.pieces.is_empty());
        }
    }
}

fn empty_token_group(node: Node<'_>, out: &mut Proposals<'_>) {
    let Some(tokens) = region(node) else { return };
    for piece in token_groups(node.source_text(), tokens) {
        if let Shape::Group(contents) = piece.shape
            && !contents.stream.is_empty()
        {
            out.delete_in(piece.range, contents.range);
        }
    }
}

fn unwrap_token_group(node: Node<'_>, out: &mut Proposals<'_>) {
    let Some(tokens) = region(node) else { return };
    for TokenGroup { range, shape } in token_groups(node.source_text(), tokens) {
        if let Shape::Group(contents) | Shape::Repetition(contents) = shape
            && !contents.stream.is_empty()
        {
            out.keep(range, contents.range);
        }
    }
}

fn group_to_zero(node: Node<'_>, out: &mut Proposals<'_>) {
    let Some(tokens) = region(node) else { return };
    for TokenGroup { range, shape } in token_groups(node.source_text(), tokens) {
        if matches!(shape, Shape::Group(_)) && node.text_at(range.clone()).starts_with('(') {
            out.replace(range, "0");
        }
    }
}

fn delete_token_tree(node: Node<'_>, out: &mut Proposals<'_>) {
    let Some(tokens) = region(node) else { return };
    for piece in token_groups(node.source_text(), tokens) {
        out.delete(piece.range);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn a_group_in_parentheses_may_be_a_number() {
        check(
            &GROUP_TO_ZERO,
            "m!(a => (b) as c, d(e) [f] {g});",
            &["m!(a => 0 as c, d(e) [f] {g});", "m!(a => (b) as c, d 0 [f] {g});"],
        );
        check(&GROUP_TO_ZERO, "m!(a => [b] {c}); fn f() { (g) }", &[]);
    }

    #[test]
    fn each_token_tree_goes() {
        check(&DELETE_TOKEN_TREE, "m!(a => [b]);", &["m!(=> [b]);", "m!(a [b]);", "m!(a =>);"]);
        check(
            &DELETE_TOKEN_TREE,
            "m!(/// a\n b; 'c: #[d]);",
            &[
                "m!(b; 'c: #[d]);",
                "m!(/// a\n; 'c: #[d]);",
                "m!(/// a\n b 'c: #[d]);",
                "m!(/// a\n b; : #[d]);",
                "m!(/// a\n b; 'c #[d]);",
                "m!(/// a\n b; 'c:);",
            ],
        );
    }

    #[test]
    fn the_tokens_of_rules_go_and_the_rules_stay() {
        check(
            &DELETE_TOKEN_TREE,
            "macro_rules! m { ($a:expr, $b:ty) => { $a as } }",
            &[
                "macro_rules! m { (, $b:ty) => { $a as } }",
                "macro_rules! m { ($a:expr $b:ty) => { $a as } }",
                "macro_rules! m { ($a:expr, ) => { $a as } }",
                "macro_rules! m { ($a:expr, $b:ty) => { as } }",
                "macro_rules! m { ($a:expr, $b:ty) => { $a } }",
            ],
        );
    }

    #[test]
    fn tokens_in_groups_go_too() {
        check(&DELETE_TOKEN_TREE, "m!(=> (=> a));", &["m!((=> a));", "m!(=>);", "m!(=> (a));", "m!(=> (=>));"]);
    }

    #[test]
    fn what_was_parsed_is_no_token_tree() {
        check(&DELETE_TOKEN_TREE, "fn f() { println!(\"{}\", a); } m! { struct S; }", &[]);
        check(&DELETE_TOKEN_TREE, "m!(); #[a(b => c)] struct S;", &[]);
    }

    #[test]
    fn halves_go_where_there_are_many_tokens() {
        check(&DELETE_TOKEN_HALF, "m!(a => b c => d =>);", &[]);
        check(&DELETE_TOKEN_HALF, "m!(a => b c => d (e) =>);", &["m!(a => b c);", "m!(=> d (e) =>);"]);
    }

    #[test]
    fn segments_take_their_separator_along() {
        check(
            &DELETE_TOKEN_SEGMENT,
            "m!(a =>, b; c =>, d);",
            &["m!(c =>, d);", "m!(a =>, b);", "m!(b; c =>, d);", "m!(a =>, d);", "m!(a =>, b; c =>);"],
        );
        check(&DELETE_TOKEN_SEGMENT, "m!(a =>, b =>,);", &["m!(b =>,);", "m!(a =>,);", "m!(a =>, b =>);"]);
    }

    #[test]
    fn what_is_no_list_has_no_segments() {
        check(&DELETE_TOKEN_SEGMENT, "m!(a => b); n!(a, b); macro_rules! o { () => {}; (a) => {} }", &[]);
    }

    #[test]
    fn groups_are_emptied() {
        check(&EMPTY_TOKEN_GROUP, "m!(a => (b) [] $(c)*);", &["m!(a => () [] $(c)*);"]);
        check(&EMPTY_TOKEN_GROUP, "macro_rules! m { (a) => { b } } n!((c));", &[]);
    }

    #[test]
    fn groups_and_repetitions_are_unwrapped() {
        check(&UNWRAP_TOKEN_GROUP, "m!(a => (b c) [] {d});", &["m!(a => b c [] {d});", "m!(a => (b c) [] d);"]);
        check(&UNWRAP_TOKEN_GROUP, "macro_rules! m { ($($a:ty),*) => {} }", &["macro_rules! m { ($a:ty) => {} }"]);
    }

    #[test]
    fn groups_of_parsed_syntax_are_not_unwrapped() {
        check(&UNWRAP_TOKEN_GROUP, "m!((a), [b]); macro_rules! n { (a) => { (b) } }", &[]);
    }

    #[test]
    fn unknown_items_are_bare_tokens() {
        check(&UNWRAP_TOKEN_GROUP, "macro m() { a => }", &["macro m() a =>"]);
    }
}
