//! Changes of the matchers of a macro together with the arguments of its calls.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::macros::macro_def::{MacroCall, MacroDef, MacroRule, macro_defs, walk, without_piece};
use crate::names::Analysis;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::token_groups::{Contents, Shape, TokenGroup, token_groups};
use crate::text::{Edit, edited, outermost};

family! {
    "macro-protocols", "Changes what the rules of a macro match together with what its calls pass.", in MacroProtocols;

    /// Delete what stands at one place of the rules of a macro and of its calls.
    ///
    /// A token goes from the rules and calls that have it there, a metavariable from the rules with its uses, and from
    /// the calls that have none of the tokens there that other rules ask for.
    DELETE_MATCHED_PIECE = "delete-matched-piece", Rule::Tree(delete_matched_piece),
        "macro_rules! m { (@ a $x:ident) => { m!(@ b $x) }; (@ b $x:ident) => { struct $x; } }\n\
         m!(@ a A);"
        => "macro_rules! m { (a $x:ident) => { m!(b $x) }; (b $x:ident) => { struct $x; } }\n\
            m!(a A);";

    /// Replace a metavariable by a token that a call passes for it.
    METAVARIABLE_TO_TOKEN = "metavariable-to-token", Rule::Tree(metavariable_to_token),
        "macro_rules! m { ($a:ident $b:ty) => { struct $a($b); } }\n\
         m!(A u8);"
        => "macro_rules! m { (A $b:ty) => { struct A($b); } }\n\
            m!(A u8);";

    /// Put what a rule makes in the place of the calls in other rules of its macro, and delete it.
    ///
    /// The rule matches tokens that tell it from others, and then all the rest as one metavariable or repetition.
    INLINE_RULE = "inline-macro-rule", Rule::Tree(inline_rule),
        "macro_rules! m { (@ a $($x:tt)*) => { $($x)* }; ($($y:tt)*) => { m!(@ a struct $($y)*); } }\n\
         m!(A;);"
        => "macro_rules! m { ($($y:tt)*) => { struct $($y)*; } }\n\
            m!(A;);";
}

/// How many places of a matcher are looked at.
const PLACES: usize = 12;

fn delete_matched_piece(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    for macro_def in macro_defs(analysis).filter(|macro_def| !macro_def.calls.is_empty()) {
        for place in 0..PLACES {
            let matched = || macro_def.rules.iter().filter_map(|rule| rule.matcher.get(place));
            let literals: BTreeSet<&str> = matched().filter_map(|piece| macro_def.literal(piece)).collect();
            for literal in &literals {
                let is = |piece: &TokenGroup| macro_def.literal(piece) == Some(literal);
                propose(&macro_def, place, &is, &is, out);
            }
            let is_variable = |piece: &TokenGroup| matches!(piece.shape, Shape::Fragment(_));
            let is_other =
                |piece: &TokenGroup| macro_def.literal(piece).is_none_or(|literal| !literals.contains(literal));
            propose(&macro_def, place, &is_variable, &is_other, out);
            let is_empty = |piece: &TokenGroup| piece.contents().is_some_and(|contents| contents.stream.is_empty());
            propose(&macro_def, place, &is_empty, &is_empty, out);
        }
    }
}

/// Proposes to delete the pieces at `place` of the rules and calls that have them.
fn propose(
    macro_def: &MacroDef<'_>,
    place: usize,
    in_rule: &dyn Fn(&TokenGroup) -> bool,
    in_call: &dyn Fn(&TokenGroup) -> bool,
    out: &mut Proposals<'_>,
) {
    let rules: Vec<&MacroRule> =
        macro_def.rules.iter().filter(|rule| rule.matcher.get(place).is_some_and(in_rule)).collect();
    let calls: Vec<&MacroCall> =
        macro_def.calls.iter().filter(|call| call.arguments.get(place).is_some_and(in_call)).collect();
    let Some(first) = rules.first().filter(|_| !calls.is_empty()) else { return };
    let mut edits = Vec::new();
    for rule in &rules {
        edits.extend(without_piece(macro_def.text, &rule.matcher, place));
        if let Shape::Fragment(name) = &rule.matcher[place].shape {
            walk(macro_def.text, &rule.transcriber.stream, 0, &mut |siblings, index, _| {
                if matches!(&siblings[index].shape, Shape::Variable(used) if used == name) {
                    edits.extend(without_piece(macro_def.text, siblings, index));
                }
            });
        }
    }
    edits.extend(calls.iter().flat_map(|call| without_piece(macro_def.text, &call.arguments, place)));
    out.edit(first.matcher[place].range.clone(), outermost(edits));
}

fn metavariable_to_token(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    for macro_def in macro_defs(analysis) {
        for rule in &macro_def.rules {
            for (place, piece) in rule.matcher.iter().enumerate().take(PLACES) {
                let Shape::Fragment(name) = &piece.shape else { continue };
                let at_place = |pieces: &'_ [TokenGroup]| macro_def.literal(pieces.get(place)?);
                let matched: BTreeSet<&str> =
                    macro_def.rules.iter().filter_map(|rule| at_place(&rule.matcher)).collect();
                let passed: BTreeSet<&str> =
                    macro_def.calls.iter().filter_map(|call| at_place(&call.arguments)).collect();
                for token in passed.difference(&matched).copied() {
                    let mut edits = vec![Edit::replace(piece.range.clone(), token)];
                    walk(macro_def.text, &rule.transcriber.stream, 0, &mut |siblings, index, _| {
                        if matches!(&siblings[index].shape, Shape::Variable(used) if used == name) {
                            edits.push(Edit::replace(siblings[index].range.clone(), token));
                        }
                    });
                    out.edit(piece.range.clone(), edits);
                }
            }
        }
    }
}

fn inline_rule(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    for macro_def in macro_defs(analysis) {
        for (index, rule) in macro_def.rules.iter().enumerate() {
            let tail = rule.matcher.last().and_then(|piece| tail_of(macro_def.text, piece));
            let tokens = rule.matcher.len() - usize::from(tail.is_some());
            let prefix: Option<Vec<&str>> =
                rule.matcher[..tokens].iter().map(|piece| macro_def.literal(piece)).collect();
            let Some(prefix) = prefix.filter(|prefix| !prefix.is_empty()) else { continue };
            let (own, others): (Vec<&MacroCall>, Vec<&MacroCall>) = macro_def
                .calls
                .iter()
                .filter(|call| begins_with(&macro_def, call, &prefix, tail.is_some()))
                .partition(|call| call.rule == Some(index));
            // A rule that is called from outside has to stay, and one that calls itself never ends.
            if !own.is_empty() || others.is_empty() || others.iter().any(|call| call.rule.is_none()) {
                continue;
            }
            let made = |call: &&MacroCall| {
                let rest = call.arguments.get(tokens).map_or(call.inside.end, |piece| piece.range.start);
                let rest = macro_def.text[rest..call.inside.end].trim();
                let text = substituted(macro_def.text, &rule.transcriber, tail.as_deref(), rest)?;
                Some(Edit::replace(call.range.clone(), text))
            };
            if let Some(edits) = others.iter().map(made).collect::<Option<Vec<Edit>>>() {
                let site = rule.without.first().map_or(0..0, |edit| edit.range.clone());
                out.edit(site, outermost(rule.without.iter().cloned().chain(edits).collect()));
            }
        }
    }
}

/// The metavariable that all the rest is matched by, if `piece` is one or a repetition of nothing else.
fn tail_of(text: &str, piece: &TokenGroup) -> Option<String> {
    match &piece.shape {
        Shape::Fragment(name) => Some(name.clone()),
        Shape::Repetition(contents) => match &token_groups(text, &contents.stream)[..] {
            [TokenGroup { shape: Shape::Fragment(name), .. }] => Some(name.clone()),
            _ => None,
        },
        _ => None,
    }
}

fn begins_with(macro_def: &MacroDef<'_>, call: &MacroCall, prefix: &[&str], has_tail: bool) -> bool {
    let passed: Vec<Option<&str>> = call.arguments.iter().map(|piece| macro_def.literal(piece)).collect();
    let begins = passed.len() >= prefix.len() && passed.iter().zip(prefix).all(|(passed, own)| *passed == Some(*own));
    begins && (has_tail || passed.len() == prefix.len())
}

/// The expansion of `transcriber` with `rest`, which the metavariable `name` matched.
fn substituted(text: &str, transcriber: &Contents, name: Option<&str>, rest: &str) -> Option<String> {
    let is_tail = |piece: &TokenGroup| matches!(&piece.shape, Shape::Variable(used) if Some(used.as_str()) == name);
    let mut edits: Vec<Edit> = Vec::new();
    let mut inner: Vec<Range<usize>> = Vec::new();
    let mut known = true;
    walk(text, &transcriber.stream, 0, &mut |siblings, index, _| {
        let piece = &siblings[index];
        match &piece.shape {
            Shape::Repetition(contents) => match &token_groups(text, &contents.stream)[..] {
                [only] if is_tail(only) => {
                    edits.push(Edit::replace(piece.range.clone(), rest));
                    inner.push(only.range.clone());
                }
                _ => known = false,
            },
            Shape::Variable(_) if inner.contains(&piece.range) => {}
            Shape::Variable(_) if is_tail(piece) => edits.push(Edit::replace(piece.range.clone(), rest)),
            // Another macro's, `$crate`, or no variable.
            _ => {}
        }
    });
    known.then(|| edited(text, transcriber.range.clone(), &outermost(edits)).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn a_token_goes_from_rules_and_calls() {
        check(
            &DELETE_MATCHED_PIECE,
            "macro_rules! m { (@ a) => { m!(@ b) }; (@ b) => {}; (c) => {} } m!(@ a); n!(@ a);",
            &[
                "macro_rules! m { (a) => { m!(b) }; (b) => {}; (c) => {} } m!(a); n!(@ a);",
                "macro_rules! m { (@) => { m!(@ b) }; (@ b) => {}; (c) => {} } m!(@); n!(@ a);",
                "macro_rules! m { (@ a) => { m!(@) }; (@) => {}; (c) => {} } m!(@ a); n!(@ a);",
            ],
        );
    }

    #[test]
    fn a_token_stands_for_a_metavariable() {
        check(
            &METAVARIABLE_TO_TOKEN,
            "macro_rules! m { ($a:ident $($b:ty)*) => { m!(=> $a) }; (=> $b:tt) => { $($b)? } } m!(c d); m!(1 (2)); m!();",
            &[
                "macro_rules! m { (1 $($b:ty)*) => { m!(=> 1) }; (=> $b:tt) => { $($b)? } } m!(c d); m!(1 (2)); m!();",
                "macro_rules! m { (c $($b:ty)*) => { m!(=> c) }; (=> $b:tt) => { $($b)? } } m!(c d); m!(1 (2)); m!();",
                "macro_rules! m { ($a:ident $($b:ty)*) => { m!(=> $a) }; (=> d) => { $(d)? } } m!(c d); m!(1 (2)); m!();",
            ],
        );
        check(&METAVARIABLE_TO_TOKEN, "macro_rules! m { ($a:tt) => { m!($a) }; (b) => {} } m!((1));", &[]);
    }

    #[test]
    fn a_metavariable_goes_from_calls_that_other_rules_do_not_take() {
        check(
            &DELETE_MATCHED_PIECE,
            "macro_rules! m { ($a:ty { }) => { m!(b $a) }; (b $c:ty) => { $c } } type A = m!(u8 { });",
            &[
                "macro_rules! m { ($a:ty { }) => { m!($a) }; ($c:ty) => { $c } } type A = m!(u8 { });",
                "macro_rules! m { ({ }) => { m!(b) }; (b $c:ty) => { $c } } type A = m!({ });",
                "macro_rules! m { ($a:ty { }) => { m!(b) }; (b) => { } } type A = m!(u8);",
                "macro_rules! m { ($a:ty) => { m!(b $a) }; (b $c:ty) => { $c } } type A = m!(u8);",
            ],
        );
    }

    #[test]
    fn a_rule_is_inlined_in_the_others() {
        check(
            &INLINE_RULE,
            "macro_rules! m { (@ a $f:ty) => { Vec<$f> }; ($($x:tt)*) => { m!(@ a $($x)*) } } type A = m!(u8);",
            &["macro_rules! m { ($($x:tt)*) => { Vec<$($x)*> } } type A = m!(u8);"],
        );
        check(
            &INLINE_RULE,
            "macro_rules! m { (a) => { m!(b) }; (b) => { struct S; } } m!(a);",
            &["macro_rules! m { (a) => { struct S; } } m!(a);"],
        );
    }

    #[test]
    fn what_is_called_from_outside_or_calls_itself_stays() {
        check(&INLINE_RULE, "macro_rules! m { (a) => {}; (b) => { m!(a) } } m!(a); m!(b);", &[]);
        check(&INLINE_RULE, "macro_rules! m { (a $($x:tt)*) => { m!(a $($x)*) } }", &[]);
        check(&INLINE_RULE, "macro_rules! m { ($a:ty) => {}; (b) => { m!(u8) } } m!(b);", &[]);
    }

    #[test]
    fn macros_without_calls_are_left_alone() {
        check(&DELETE_MATCHED_PIECE, "macro_rules! m { (a) => {} } n!(a); fn m() {}", &[]);
        check(&DELETE_MATCHED_PIECE, "macro_rules! m { () => {} } m!();", &[]);
    }
}
