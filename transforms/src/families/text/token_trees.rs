//! Bare tokens: what stands in macro calls, `macro_rules!` and items of unknown syntax, where syn cannot parse it.

use crate::rule::{Proposals, Rule, family};
use crate::syntax::Node;
use crate::syntax::token_groups::{Shape, TokenGroup, region};

family! {
    "token-trees", "Reduces the tokens in macros and in unknown syntax.", in Tokens;

    /// Delete what a group holds.
    EMPTY_TOKEN_GROUP = "empty-token-group", Rule::Node(empty_token_group), "m!(a => { b; c });" => "m!(a => { });";

    /// Replace a group, or a repetition `$( .. )*`, by what it holds.
    UNWRAP_TOKEN_GROUP = "unwrap-token-group", Rule::Node(unwrap_token_group), "m!(a => (b));" => "m!(a => b);";

    /// Replace a group in parentheses by `0`.
    GROUP_TO_ZERO = "token-group-to-zero", Rule::Node(group_to_zero), "m!(a => (b.c()) as u8);" => "m!(a => 0 as u8);";

    /// Delete a token, or a group with what it holds.
    DELETE_TOKEN_TREE = "delete-token-tree",
        Rule::Node(|node, out| region(node).into_iter().for_each(|piece| out.delete(piece.range))), "m!(a => (b));" => "m!(a =>);";
}

fn empty_token_group(node: Node<'_>, out: &mut Proposals<'_>) {
    for piece in region(node) {
        if let Shape::Group(contents) = piece.shape
            && !contents.stream.is_empty()
        {
            out.delete_in(piece.range, contents.range);
        }
    }
}

fn unwrap_token_group(node: Node<'_>, out: &mut Proposals<'_>) {
    for TokenGroup { range, shape } in region(node) {
        if let Shape::Group(contents) | Shape::Repetition(contents) = shape
            && !contents.stream.is_empty()
        {
            out.keep(range, contents.range);
        }
    }
}

fn group_to_zero(node: Node<'_>, out: &mut Proposals<'_>) {
    for TokenGroup { range, shape } in region(node) {
        if matches!(shape, Shape::Group(_)) && node.text_at(range.clone()).starts_with('(') {
            out.replace(range, "0");
        }
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
