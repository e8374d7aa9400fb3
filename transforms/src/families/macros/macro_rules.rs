//! `macro_rules!`: rules, and metavariables in the matcher, in the transcriber and in calls at once.

use std::collections::BTreeMap;

use syn::{Item, Macro};

use crate::macros::rules::{Edits, matcher_and_transcriber, rules_of, walk};
use crate::names::analysis::Analysis;
use crate::rule::propose::delete_segments;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::token_groups::{Contents, Segment, Shape, TokenGroup, segments, token_groups};
use crate::syntax::tree::{Node, Syntax};
use crate::text::edit::Edit;

family! {
    "macro-rules", "Reduces the rules of macros.", in Macros;

    /// Delete a rule of a `macro_rules!` that has others.
    ///
    /// ```text
    /// macro_rules! m { () => {}; (a) => {} }
    /// =>
    /// macro_rules! m { (a) => {} }
    /// ```
    DELETE_MACRO_RULE = "delete-macro-rule", Rule::Node(delete_macro_rule);

    /// Delete all that a rule makes.
    ///
    /// ```text
    /// macro_rules! m { (a) => { f(); } }
    /// =>
    /// macro_rules! m { (a) => { } }
    /// ```
    EMPTY_TRANSCRIBER = "empty-transcriber", Rule::Node(empty_transcriber);

    /// Delete a metavariable where it is matched and wherever it is used, with the argument in the calls of the macro.
    ///
    /// ```text
    /// macro_rules! m { ($a:expr, $b:expr) => { f($a, $b) } }
    /// m!(1, 2);
    /// =>
    /// macro_rules! m { ($b:expr) => { f($b) } }
    /// m!(2);
    /// ```
    ///
    /// Calls take part where commas alone tell which argument it is; a second alternative leaves them alone.
    DELETE_METAVARIABLE = "delete-metavariable", Rule::Tree(delete_metavariable);

}

fn delete_macro_rule(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Macro(mac) = node.syntax() else { return };
    let Some(rules) = rules_of(node.source_text(), mac) else { return };
    let rules = segments(node.source_text(), &rules, ";");
    let many = rules.len() > 1;
    delete_segments(&rules, out, |_| many);
}

fn empty_transcriber(node: Node<'_>, out: &mut Proposals<'_>) {
    let text = node.source_text();
    let Syntax::Macro(mac) = node.syntax() else { return };
    let Some(rules) = rules_of(text, mac) else { return };
    for rule in segments(text, &rules, ";") {
        if let Some((_, transcriber)) = matcher_and_transcriber(text, &rule)
            && !transcriber.stream.is_empty()
        {
            out.delete_in(rule.range.clone(), transcriber.range.clone());
        }
    }
}

fn delete_metavariable(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let text = analysis.source().text();
    let mut calls: BTreeMap<String, Vec<&Macro>> = BTreeMap::new();
    for node in analysis.nodes() {
        if let Syntax::Macro(mac) = node.syntax()
            && let Some(name) = mac.path.segments.last()
        {
            calls.entry(name.ident.to_string()).or_default().push(mac);
        }
    }
    for node in analysis.nodes() {
        let Syntax::Item(Item::Macro(item)) = node.syntax() else { continue };
        let Some(rules) = rules_of(text, &item.mac) else { continue };
        let calls = item.ident.as_ref().and_then(|ident| calls.get(&ident.to_string()));
        for rule in segments(text, &rules, ";") {
            if let Some((matcher, transcriber)) = matcher_and_transcriber(text, &rule) {
                let calls = calls.map_or(&[][..], Vec::as_slice);
                delete_metavariables(text, &RuleParts { matcher, transcriber, calls }, out);
            }
        }
    }
}

/// A rule and all calls of the macro.
struct RuleParts<'p> {
    matcher: &'p Contents,
    transcriber: &'p Contents,
    calls: &'p [&'p Macro],
}

fn delete_metavariables(text: &str, rule: &RuleParts<'_>, out: &mut Proposals<'_>) {
    let matched = token_groups(text, &rule.matcher.stream);
    let arguments = segments(text, &matched, ",");
    let mut uses: BTreeMap<String, Edits> = BTreeMap::new();
    walk(text, &rule.transcriber.stream, 0, &mut |siblings, index, _| {
        if let Shape::Variable(name) = &siblings[index].shape {
            uses.entry(name.clone()).or_default().delete_with_comma(text, siblings, index);
        }
    });
    walk(text, &rule.matcher.stream, 0, &mut |siblings, index, _| {
        let Shape::Fragment(name) = &siblings[index].shape else { return };
        let site = siblings[index].range.clone();
        let mut edits = uses.get(name).cloned().unwrap_or_default();
        edits.delete_with_comma(text, siblings, index);
        // The macro's argument of the same number, if the whole of it is this metavariable.
        let number = arguments.iter().position(|argument| argument.range.start == site.start);
        if let Some(number) = number.filter(|number| is_alone(&arguments[*number])) {
            let mut coupled = edits.clone();
            for call in rule.calls {
                delete_argument(text, call, number, arguments.len(), &mut coupled);
            }
            out.edit(site.clone(), coupled.into_vec());
        }
        out.edit(site, edits.into_vec());
    });
}

/// Whether an argument is one metavariable, but for a `$(,)?` at the end of the list.
fn is_alone(argument: &Segment<'_>) -> bool {
    match argument.pieces {
        [_] => true,
        [_, TokenGroup { shape: Shape::Repetition(contents), .. }] => contents.range.len() == 1,
        _ => false,
    }
}

/// Deletes argument `number` of a call that has `count` of them.
fn delete_argument(text: &str, call: &Macro, number: usize, count: usize, edits: &mut Edits) {
    let pieces = token_groups(text, &call.tokens);
    let arguments = segments(text, &pieces, ",");
    if arguments.len() != count {
        return;
    }
    let before = || arguments.get(number.checked_sub(1)?)?.separator.clone();
    edits.push(Edit::delete(arguments[number].range.clone()));
    if let Some(comma) = arguments[number].separator.clone().or_else(before) {
        edits.push(Edit::delete(comma));
    }
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
    fn transcribers_are_emptied() {
        check(
            &EMPTY_TRANSCRIBER,
            "macro_rules! m { (a) => { b }; (c) => (); (d) => [e, f] }",
            &[
                "macro_rules! m { (a) => { }; (c) => (); (d) => [e, f] }",
                "macro_rules! m { (a) => { b }; (c) => (); (d) => [] }",
            ],
        );
        check(&EMPTY_TRANSCRIBER, "m! { (a) => { b } } macro_rules! n { => { c } }", &[]);
    }

    #[test]
    fn a_metavariable_goes_with_its_uses_and_arguments() {
        check(
            &DELETE_METAVARIABLE,
            "macro_rules! m { ($a:expr, $b:ty) => { $a as $b } } m!(1, u8);",
            &[
                "macro_rules! m { ($b:ty) => { as $b } } m!(u8);",
                "macro_rules! m { ($b:ty) => { as $b } } m!(1, u8);",
                "macro_rules! m { ($a:expr) => { $a as } } m!(1);",
                "macro_rules! m { ($a:expr) => { $a as } } m!(1, u8);",
            ],
        );
    }

    #[test]
    fn a_macro_that_calls_itself_loses_its_own_argument() {
        check(
            &DELETE_METAVARIABLE,
            "macro_rules! m { ($a:expr) => { m!(1 + $a) } }",
            &["macro_rules! m { () => { m!() } }", "macro_rules! m { () => { m!(1 +) } }"],
        );
    }

    #[test]
    fn metavariables_in_repetitions_go_without_arguments() {
        check(
            &DELETE_METAVARIABLE,
            "macro_rules! m { ($($a:expr),*) => { [$($a, $a),*] } } m!(1, 2);",
            &["macro_rules! m { ($(),*) => { [$(),*] } } m!(1, 2);"],
        );
    }

    #[test]
    fn an_argument_of_several_pieces_stays_in_calls() {
        check(
            &DELETE_METAVARIABLE,
            "macro_rules! m { (a $b:expr) => { $b } } m!(a 1); n!(2);",
            &["macro_rules! m { (a) => { } } m!(a 1); n!(2);"],
        );
    }

    #[test]
    fn without_metavariables_there_is_nothing_to_delete() {
        check(&DELETE_METAVARIABLE, "macro_rules! m { (a) => { $crate::b } } m!($a:expr);", &[]);
    }
}
