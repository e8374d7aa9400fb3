//! Repetitions in what a rule of a macro makes that stand side by side, as one.

use proc_macro2::TokenStream;

use crate::macros::macro_def::{MacroDef, macro_defs};
use crate::macros::matcher::operator_of;
use crate::macros::rules::walk;
use crate::names::analysis::Analysis;
use crate::rule::proposals::Proposals;
use crate::rule::transform::{Rule, family};
use crate::syntax::token_groups::{Shape, TokenGroup, token_groups};
use crate::text::edit::Edit;

family! {
    "macro-fusions", "Fuses repetitions in what the rules of macros make.", in MacroJoins;

    /// Make one repetition of two that stand side by side in what a rule makes.
    ///
    /// ```text
    /// macro_rules! m { ($($a:ident)*) => { $(struct $a;)* $(impl T for $a {})* } }
    /// =>
    /// macro_rules! m { ($($a:ident)*) => { $(struct $a; impl T for $a {})* } }
    /// ```
    ///
    /// In what a rule passes to its own macro they stay: there, the order is often what another rule counts on.
    FUSE_MACRO_REPETITIONS = "fuse-macro-repetitions", Rule::Tree(fuse_macro_repetitions);
}

fn fuse_macro_repetitions(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    for macro_def in macro_defs(analysis) {
        for rule in &macro_def.rules {
            fuse(&macro_def, &rule.transcriber.stream, out);
        }
    }
}

fn fuse(macro_def: &MacroDef<'_>, stream: &TokenStream, out: &mut Proposals<'_>) {
    let text = macro_def.text;
    let all = token_groups(text, stream);
    for (index, piece) in all.iter().enumerate() {
        if let Some(separator) = separator(text, piece) {
            let between = usize::from(separator.is_some());
            let is_between = separator.is_none()
                || all.get(index + 1).is_some_and(|next| Some(&text[next.range.clone()]) == separator.as_deref());
            if let Some(other) = all.get(index + 1 + between).filter(|_| is_between)
                && self::separator(text, other).as_ref() == Some(&separator)
                && operator_of(text, other) == operator_of(text, piece)
                && let (Some(first), Some(second)) = (piece.contents(), other.contents())
            {
                let joint = format!("{} ", separator.unwrap_or_default());
                out.edit(
                    piece.range.start..other.range.end,
                    vec![Edit::replace(first.range.end..second.range.start, joint)],
                );
            }
        }
        let own_call = index > 1
            && text[all[index - 2].range.clone()] == macro_def.name
            && &text[all[index - 1].range.clone()] == "!";
        if let Some(contents) = piece.contents().filter(|_| !own_call) {
            fuse(macro_def, &contents.stream, out);
        }
    }
}

/// The separator of a repetition of any number of metavariables.
fn separator(text: &str, piece: &TokenGroup) -> Option<Option<String>> {
    let Shape::Repetition(contents) = &piece.shape else { return None };
    let (separator, operator) = operator_of(text, piece)?;
    let mut repeats = false;
    walk(text, &contents.stream, 0, &mut |siblings, index, _| {
        repeats |= matches!(siblings[index].shape, Shape::Variable(_));
    });
    (repeats && operator != '?').then_some(separator)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn repetitions_side_by_side_become_one() {
        check(
            &FUSE_MACRO_REPETITIONS,
            "macro_rules! m { ($($a:ty)*) => { f($($a),*, $(Vec<$a>),*); $($a)+ $(&$a)+ } }",
            &[
                "macro_rules! m { ($($a:ty)*) => { f($($a, Vec<$a>),*); $($a)+ $(&$a)+ } }",
                "macro_rules! m { ($($a:ty)*) => { f($($a),*, $(Vec<$a>),*); $($a &$a)+ } }",
            ],
        );
    }

    #[test]
    fn repetitions_that_differ_stay() {
        check(&FUSE_MACRO_REPETITIONS, "macro_rules! m { ($($a:ty)*) => { $($a)* $($a),* $($a)+ } }", &[]);
        check(&FUSE_MACRO_REPETITIONS, "macro_rules! m { ($($a:ty)?) => { $($a)? $($a)? $($a)* x $($a)* } }", &[]);
        check(&FUSE_MACRO_REPETITIONS, "macro_rules! m { ($($a:ty)*) => { $($a),* $($a),* } } n!($($a)* $($a)*);", &[]);
    }

    #[test]
    fn what_a_rule_passes_to_its_own_macro_keeps_its_order() {
        check(&FUSE_MACRO_REPETITIONS, "macro_rules! m { ($($a:ty)*) => { m!($($a)* $($a)*) } }", &[]);
        check(
            &FUSE_MACRO_REPETITIONS,
            "macro_rules! m { ($($a:ty)*) => { n!($($a)* $($a)*) } }",
            &["macro_rules! m { ($($a:ty)*) => { n!($($a $a)*) } }"],
        );
    }
}
