//! `macro_rules!`: rules, and metavariables in the matcher, in the transcriber and in calls at once.

use crate::macros::rules::rules_of;
use crate::rule::propose::delete_segments;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::token_groups::segments;
use crate::syntax::{Node, Syntax};

family! {
    "macro-rules", "Reduces the rules of macros.", in Macros;

    /// Delete a rule of a `macro_rules!` that has others.
    DELETE_MACRO_RULE = "delete-macro-rule", Rule::Node(delete_macro_rule),
        "macro_rules! m { () => {}; (a) => {} }" => "macro_rules! m { (a) => {} }";
}

fn delete_macro_rule(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Macro(mac) = node.syntax() else { return };
    let Some(rules) = rules_of(node.source_text(), mac) else { return };
    let rules = segments(node.source_text(), &rules, ";");
    let many = rules.len() > 1;
    delete_segments(&rules, out, |_| many);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn rules_take_their_semicolon_along() {
        check(
            &DELETE_MACRO_RULE,
            "macro_rules! m { () => {}; (a) => (b); [c] => [] }",
            &[
                "macro_rules! m { (a) => (b); [c] => [] }",
                "macro_rules! m { () => {}; [c] => [] }",
                "macro_rules! m { () => {}; (a) => (b) }",
            ],
        );
        check(&DELETE_MACRO_RULE, "macro_rules! m { () => {}; }", &["macro_rules! m { () => {} }"]);
    }

    #[test]
    fn the_only_rule_stays() {
        check(&DELETE_MACRO_RULE, "macro_rules! m { () => { a; b } } m! { a => b; c => d }", &[]);
    }
}
