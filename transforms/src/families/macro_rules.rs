//! `macro_rules!`: rules, metavariables and repetitions, in the matcher and in the transcriber at once.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use syn::{Item, Macro};

use crate::edit::Edit;
use crate::pieces::{Contents, Piece, Segment, Shape, delete_segments, pieces, segments};
use crate::proposals::Proposals;
use crate::transform::{Rule, family};
use crate::tree::{Node, Syntax, Tree};

family! {
    "macro-rules", "Reduces the rules of macros.";

    /// Delete a rule of a `macro_rules!` that has others.
    ///
    /// ```text
    /// macro_rules! m { () => {}; (a) => {} }
    /// =>
    /// macro_rules! m { (a) => {} }
    /// ```
    DELETE_MACRO_RULE = "delete-macro-rule", Rule::Node(delete_macro_rule);

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

    /// Delete a repetition of a matcher, and those of the transcriber that repeat its metavariables.
    ///
    /// ```text
    /// macro_rules! m { (a $($b:expr),*) => { f($($b),*) } }
    /// =>
    /// macro_rules! m { (a) => { f() } }
    /// ```
    DELETE_MACRO_REPETITION = "delete-macro-repetition", Rule::Node(delete_macro_repetition);

    /// Replace a repetition of a matcher, and those of the transcriber that repeat its metavariables, by what is repeated.
    ///
    /// ```text
    /// macro_rules! m { (a $($b:expr),*) => { f($($b),*) } }
    /// =>
    /// macro_rules! m { (a $b:expr) => { f($b) } }
    /// ```
    UNWRAP_MACRO_REPETITION = "unwrap-macro-repetition", Rule::Node(unwrap_macro_repetition);
}

/// The rules of a `macro_rules!`, if `mac` is one.
fn rules_of(text: &str, mac: &Macro) -> Option<Vec<Piece>> {
    mac.path.is_ident("macro_rules").then(|| pieces(text, &mac.tokens))
}

/// The matcher and the transcriber of a rule.
fn matcher_and_transcriber<'p>(text: &str, rule: &Segment<'p>) -> Option<(&'p Contents, &'p Contents)> {
    match rule.pieces {
        [Piece { shape: Shape::Group(matcher), .. }, arrow, Piece { shape: Shape::Group(transcriber), .. }]
            if &text[arrow.range.clone()] == "=>" =>
        {
            Some((matcher, transcriber))
        }
        _ => None,
    }
}

/// Calls `visit` for each piece of `stream`, those in groups included, with the pieces around it, its index among them
/// and the number of repetitions around it.
fn walk(text: &str, stream: &TokenStream, depth: usize, visit: &mut dyn FnMut(&[Piece], usize, usize)) {
    let pieces = pieces(text, stream);
    for (index, piece) in pieces.iter().enumerate() {
        visit(&pieces, index, depth);
        if let Some(contents) = piece.contents() {
            let inner = depth + usize::from(matches!(piece.shape, Shape::Repetition(_)));
            walk(text, &contents.stream, inner, visit);
        }
    }
}

/// Edits that may name a comma twice.
#[derive(Clone, Default)]
struct Edits(BTreeMap<usize, Edit>);

impl Edits {
    fn push(&mut self, edit: Edit) {
        self.0.insert(edit.range.start, edit);
    }

    /// Deletes the piece at `index` with the comma after it, or else the one before it.
    fn delete_with_comma(&mut self, text: &str, pieces: &[Piece], index: usize) {
        let comma = |index: Option<usize>| {
            pieces.get(index?).map(|piece| piece.range.clone()).filter(|range| &text[range.clone()] == ",")
        };
        self.push(Edit::delete(pieces[index].range.clone()));
        if let Some(comma) = comma(Some(index + 1)).or_else(|| comma(index.checked_sub(1))) {
            self.push(Edit::delete(comma));
        }
    }

    fn into_vec(self) -> Vec<Edit> {
        self.0.into_values().collect()
    }
}

fn delete_macro_rule(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Macro(mac) = node.syntax() else { return };
    let Some(rules) = rules_of(node.source_text(), mac) else { return };
    let rules = segments(node.source_text(), &rules, ";");
    let many = rules.len() > 1;
    delete_segments(&rules, out, |_| many);
}

fn delete_metavariable(tree: &Tree<'_>, out: &mut Proposals<'_>) {
    let text = tree.source().text();
    let mut calls: BTreeMap<String, Vec<&Macro>> = BTreeMap::new();
    for node in tree.nodes() {
        if let Syntax::Macro(mac) = node.syntax()
            && let Some(name) = mac.path.segments.last()
        {
            calls.entry(name.ident.to_string()).or_default().push(mac);
        }
    }
    for node in tree.nodes() {
        let Syntax::Item(Item::Macro(item)) = node.syntax() else { continue };
        let Some(rules) = rules_of(text, &item.mac) else { continue };
        let calls = item.ident.as_ref().and_then(|ident| calls.get(&ident.to_string()));
        for rule in segments(text, &rules, ";") {
            if let Some((matcher, transcriber)) = matcher_and_transcriber(text, &rule) {
                let calls = calls.map_or(&[][..], Vec::as_slice);
                delete_metavariables(text, &Definition { matcher, transcriber, calls }, out);
            }
        }
    }
}

/// A rule and all calls of the macro.
struct Definition<'p> {
    matcher: &'p Contents,
    transcriber: &'p Contents,
    calls: &'p [&'p Macro],
}

fn delete_metavariables(text: &str, rule: &Definition<'_>, out: &mut Proposals<'_>) {
    let matched = pieces(text, &rule.matcher.stream);
    let arguments = segments(text, &matched, ",");
    walk(text, &rule.matcher.stream, 0, &mut |siblings, index, _| {
        let Shape::Fragment(name) = &siblings[index].shape else { return };
        let site = siblings[index].range.clone();
        let mut edits = Edits::default();
        edits.delete_with_comma(text, siblings, index);
        walk(text, &rule.transcriber.stream, 0, &mut |siblings, index, _| {
            if matches!(&siblings[index].shape, Shape::Variable(variable) if variable == name) {
                edits.delete_with_comma(text, siblings, index);
            }
        });
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
        [_, Piece { shape: Shape::Repetition(contents), .. }] => contents.range.len() == 1,
        _ => false,
    }
}

/// Deletes argument `number` of a call that has `count` of them.
fn delete_argument(text: &str, call: &Macro, number: usize, count: usize, edits: &mut Edits) {
    let pieces = pieces(text, &call.tokens);
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

fn delete_macro_repetition(node: Node<'_>, out: &mut Proposals<'_>) {
    let text = node.source_text();
    repetitions(node, out, |edits, siblings, index| edits.delete_with_comma(text, siblings, index));
}

fn unwrap_macro_repetition(node: Node<'_>, out: &mut Proposals<'_>) {
    repetitions(node, out, |edits, siblings, index| {
        if let Piece { range, shape: Shape::Repetition(contents) } = &siblings[index] {
            edits.push(Edit::delete(range.start..contents.range.start));
            edits.push(Edit::delete(contents.range.end..range.end));
        }
    });
}

/// Proposes for each repetition of a matcher what `change` does to it and to the repetitions of the transcriber that
/// use its metavariables at the same depth.
fn repetitions(node: Node<'_>, out: &mut Proposals<'_>, change: impl Fn(&mut Edits, &[Piece], usize)) {
    let text = node.source_text();
    let Syntax::Macro(mac) = node.syntax() else { return };
    let Some(rules) = rules_of(text, mac) else { return };
    for rule in segments(text, &rules, ";") {
        let Some((matcher, transcriber)) = matcher_and_transcriber(text, &rule) else { continue };
        walk(text, &matcher.stream, 0, &mut |siblings, index, depth| {
            let Shape::Repetition(contents) = &siblings[index].shape else { return };
            let mut edits = Edits::default();
            change(&mut edits, siblings, index);
            let names = names(text, contents);
            walk(text, &transcriber.stream, 0, &mut |siblings, index, at| {
                if let Shape::Repetition(contents) = &siblings[index].shape
                    && at == depth
                    && uses(text, contents, &names)
                {
                    change(&mut edits, siblings, index);
                }
            });
            out.edit(siblings[index].range.clone(), edits.into_vec());
        });
    }
}

/// The metavariables that are matched in `contents`.
fn names(text: &str, contents: &Contents) -> Vec<String> {
    let mut names = Vec::new();
    walk(text, &contents.stream, 0, &mut |siblings, index, _| {
        if let Shape::Fragment(name) = &siblings[index].shape {
            names.push(name.clone());
        }
    });
    names
}

/// Whether `contents` use one of the metavariables `names`.
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

    #[test]
    fn repetitions_go_with_those_that_use_their_metavariables() {
        check(
            &DELETE_MACRO_REPETITION,
            "macro_rules! m { ($($a:ty),* ; $($b:ty)*) => { $($a)* $(x $b)* } }",
            &["macro_rules! m { (; $($b:ty)*) => { $(x $b)* } }", "macro_rules! m { ($($a:ty),* ;) => { $($a)* } }"],
        );
        check(
            &UNWRAP_MACRO_REPETITION,
            "macro_rules! m { ($($a:ty),* ; $($b:ty)*) => { $($a)* $(x $b)* } }",
            &[
                "macro_rules! m { ($a:ty ; $($b:ty)*) => { $a $(x $b)* } }",
                "macro_rules! m { ($($a:ty),* ; $b:ty) => { $($a)* x $b } }",
            ],
        );
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
        check(&DELETE_MACRO_REPETITION, "macro_rules! m { ($a:ty) => { $($b)* } }", &[]);
        check(&UNWRAP_MACRO_REPETITION, "m!($($a:ty)*);", &[]);
    }
}
