//! The rules of `macro_rules!`: each one, and the repetitions in the matcher and in the transcriber at once.

use std::ops::Range;

use crate::macros::macro_def::{matcher_and_transcriber, rules_of, walk};
use crate::rule::propose::delete_segments;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::token_groups::{Contents, Shape, TokenGroup, segments};
use crate::syntax::{Node, Syntax};
use crate::text::{Edit, kept_between, outermost};

family! {
    "macro-rules", "Deletes the rules of macros, and unwraps their repetitions.", in Macros;

    /// Delete a rule of a `macro_rules!` that has others.
    DELETE_MACRO_RULE = "delete-macro-rule", Rule::Node(delete_macro_rule),
        "macro_rules! m { () => {}; (a) => {} }" => "macro_rules! m { (a) => {} }";

    /// Replace a repetition of a matcher, and those of the transcriber that repeat its metavariables, by what is repeated.
    UNWRAP_MACRO_REPETITION = "unwrap-macro-repetition", Rule::Node(unwrap_macro_repetition),
        "macro_rules! m { (a $($b:expr),*) => { f($($b),*) } }" => "macro_rules! m { (a $b:expr) => { f($b) } }";
}

fn delete_macro_rule(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Macro(mac) = node.syntax() else { return };
    let Some(rules) = rules_of(node.source_text(), mac) else { return };
    let rules = segments(node.source_text(), &rules, ";");
    let many = rules.len() > 1;
    delete_segments(&rules, out, |_| many);
}

fn unwrap_macro_repetition(node: Node<'_>, out: &mut Proposals<'_>) {
    let text = node.source_text();
    let Syntax::Macro(mac) = node.syntax() else { return };
    let Some(rules) = rules_of(text, mac) else { return };
    for rule in segments(text, &rules, ";") {
        let Some((matcher, transcriber)) = matcher_and_transcriber(text, &rule) else { continue };
        walk(text, &matcher.stream, 0, &mut |siblings, index, depth| {
            let TokenGroup { range, shape: Shape::Repetition(contents) } = &siblings[index] else { return };
            let mut edits = unwrapped(range, contents);
            let names = names(text, contents);
            walk(text, &transcriber.stream, 0, &mut |siblings, index, at| {
                if let TokenGroup { range, shape: Shape::Repetition(contents) } = &siblings[index]
                    && at == depth
                    && uses(text, contents, &names)
                {
                    edits.extend(unwrapped(range, contents));
                }
            });
            out.edit(range.clone(), outermost(edits));
        });
    }
}

fn unwrapped(range: &Range<usize>, contents: &Contents) -> Vec<Edit> {
    kept_between(range.clone(), "", contents.range.clone(), "")
}

fn names(text: &str, contents: &Contents) -> Vec<String> {
    let mut names = Vec::new();
    walk(text, &contents.stream, 0, &mut |siblings, index, _| {
        if let Shape::Fragment(name) = &siblings[index].shape {
            names.push(name.clone());
        }
    });
    names
}

fn uses(text: &str, contents: &Contents, names: &[String]) -> bool {
    let mut found = false;
    walk(text, &contents.stream, 0, &mut |siblings, index, _| {
        found |= matches!(&siblings[index].shape, Shape::Variable(name) if names.contains(name));
    });
    found
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

    #[test]
    fn nested_repetitions_go_at_their_own_depth() {
        check(
            &UNWRAP_MACRO_REPETITION,
            "macro_rules! m { ($($($a:ty),*);*) => { $([$($a)*])* } }",
            &["macro_rules! m { ($($a:ty),*) => { [$($a)*] } }", "macro_rules! m { ($($a:ty);*) => { $([$a])* } }"],
        );
    }

    #[test]
    fn without_repetitions_nothing_is_proposed() {
        check(&UNWRAP_MACRO_REPETITION, "m!($($a:ty)*);", &[]);
    }
}
