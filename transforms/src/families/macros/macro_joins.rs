//! What the rules of a macro collect and what is left to do behind that, as one list.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::macros::macro_def::{MacroDef, macro_defs};
use crate::macros::matcher::operator_of;
use crate::macros::rules::walk;
use crate::names::analysis::Analysis;
use crate::rule::proposals::Proposals;
use crate::rule::transform::{Rule, family};
use crate::syntax::token_groups::{Contents, Shape, TokenGroup, token_groups};
use crate::text::edit::{Edit, outermost};

family! {
    "macro-joins", "Joins what a macro collects with the rest of its list.", in MacroJoins;

    /// Make one list of what the rules of a macro collect in a group and of what is left to do behind that.
    ///
    /// ```text
    /// macro_rules! m {
    ///     ({ $($a:tt)* } + $($b:tt)*) => { m!({ $($a)* $($a)* } $($b)*) };
    ///     ({ $($a:tt)* }) => { $($a)* };
    /// }
    /// type A = m!({ & } + + +);
    /// =>
    /// macro_rules! m {
    ///     (+ $($a:tt)*) => { m!($($a)* $($a)*) };
    ///     ($($a:tt)*) => { $($a)* };
    /// }
    /// type A = m!(+ + + &);
    /// ```
    ///
    /// What is left to do is then collected, too. In an alternative, `&&` is in the place of the one token that rules ask
    /// for: it may stand before any type, expression and pattern.
    JOIN_MACRO_LISTS = "join-macro-lists", Rule::Tree(join_macro_lists);
}

/// What may stand before any type, expression and pattern.
const PREFIX: &str = "&&";

fn join_macro_lists(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    for macro_def in macro_defs(analysis).filter(|macro_def| macro_def.calls.iter().any(|call| call.rule.is_none())) {
        let collectors: Option<Vec<Collector<'_>>> =
            macro_def.rules.iter().map(|rule| Collector::of(macro_def.text, &rule.matcher)).collect();
        let Some(collectors) = collectors.filter(|all| all.iter().any(|one| one.tail.is_some())) else { continue };
        let marks: BTreeSet<&str> =
            collectors.iter().flat_map(|one| one.marks).filter_map(|mark| macro_def.literal(mark)).collect();
        let site = macro_def.rules[0].matcher[0].range.clone();
        let join = Join { macro_def: &macro_def, collectors };
        if let Some(edits) = join.edits(None) {
            out.edit(site.clone(), edits);
        }
        if let (Some(mark), 1) = (marks.first(), marks.len())
            && !mark.starts_with(['&', '*', '-', '!'])
            && let Some(edits) = join.edits(Some(*mark))
        {
            out.edit(site, edits);
        }
    }
}

/// The matcher of a rule: a group with a list, tokens, and a list of all that follows.
struct Collector<'p> {
    /// The group's list.
    list: Range<usize>,
    marks: &'p [TokenGroup],
    /// The metavariable of the rest.
    tail: Option<String>,
}

impl<'p> Collector<'p> {
    fn of(text: &str, matcher: &'p [TokenGroup]) -> Option<Self> {
        let (TokenGroup { shape: Shape::Group(group), .. }, rest) = matcher.split_first()? else { return None };
        let inside = token_groups(text, &group.stream);
        let [list] = &inside[..] else { return None };
        variable(text, list, |shape| matches!(shape, Shape::Fragment(_)))?;
        let tail = rest.last().and_then(|last| variable(text, last, |shape| matches!(shape, Shape::Fragment(_))));
        let marks = &rest[..rest.len() - usize::from(tail.is_some())];
        let is_token = |piece: &TokenGroup| matches!(piece.shape, Shape::Token | Shape::Literal | Shape::Ident);
        marks.iter().all(is_token).then(|| Self { list: list.range.clone(), marks, tail })
    }
}

/// The metavariable of a repetition of that alone, without separator.
fn variable(text: &str, piece: &TokenGroup, is_wanted: fn(&Shape) -> bool) -> Option<String> {
    let Shape::Repetition(contents) = &piece.shape else { return None };
    let only = token_groups(text, &contents.stream);
    match (&only[..], operator_of(text, piece)?) {
        ([TokenGroup { shape: shape @ (Shape::Fragment(name) | Shape::Variable(name)), .. }], (None, '*'))
            if is_wanted(shape) =>
        {
            Some(name.clone())
        }
        _ => None,
    }
}

struct Join<'p, 't> {
    macro_def: &'p MacroDef<'t>,
    collectors: Vec<Collector<'p>>,
}

impl Join<'_, '_> {
    /// What joins the lists, with something else for `mark`; none if a rest is used otherwise, or a call has no group.
    fn edits(&self, mark: Option<&str>) -> Option<Vec<Edit>> {
        let text = self.macro_def.text;
        let mut edits = Vec::new();
        let mut passed = vec![0; self.collectors.len()];
        for (rule, collector) in self.macro_def.rules.iter().zip(&self.collectors) {
            let whole = rule.matcher.first()?.range.start..rule.matcher.last()?.range.end;
            let words = self.words(collector.marks, mark).chain([&text[collector.list.clone()]]);
            edits.push(Edit::replace(whole, words.collect::<Vec<_>>().join(" ")));
        }
        for call in &self.macro_def.calls {
            let (TokenGroup { shape: Shape::Group(group), .. }, rest) = call.arguments.split_first()? else {
                return None;
            };
            let collector = call.rule.map(|rule| (rule, &self.collectors[rule]));
            let is_tail = |piece: &&TokenGroup| {
                let name = variable(text, piece, |shape| matches!(shape, Shape::Variable(_)));
                name.is_some() && collector.is_some_and(|(_, collector)| collector.tail == name)
            };
            if let Some((rule, _)) = collector {
                passed[rule] += rest.iter().filter(is_tail).count();
            } else if self.is_marked(group) {
                return None;
            }
            let kept = rest.iter().filter(|piece| !is_tail(piece)).map(|piece| self.word(piece, mark));
            let words = kept.chain([text[group.range.clone()].trim()]);
            edits.push(Edit::replace(call.inside.clone(), words.collect::<Vec<_>>().join(" ")));
        }
        let all_passed = self.collectors.iter().enumerate().all(|(index, collector)| {
            let used = collector.tail.as_deref().map_or(0, |tail| self.uses(index, tail));
            used == passed[index]
        });
        all_passed.then(|| outermost(edits))
    }

    fn words<'a>(&'a self, pieces: &'a [TokenGroup], mark: Option<&'a str>) -> impl Iterator<Item = &'a str> {
        pieces.iter().map(move |piece| self.word(piece, mark))
    }

    fn word(&self, piece: &TokenGroup, mark: Option<&str>) -> &str {
        let own = &self.macro_def.text[piece.range.clone()];
        if mark == Some(own) { PREFIX } else { own }
    }

    /// Whether what is collected begins with what a rule would take for something to do.
    fn is_marked(&self, group: &Contents) -> bool {
        let text = self.macro_def.text;
        let first = token_groups(text, &group.stream).first().map(|piece| &text[piece.range.clone()]);
        first.is_none_or(|first| {
            first == PREFIX
                || self
                    .collectors
                    .iter()
                    .any(|one| one.marks.first().and_then(|mark| self.macro_def.literal(mark)) == Some(first))
        })
    }

    /// How often a rule uses the metavariable `name`.
    fn uses(&self, rule: usize, name: &str) -> usize {
        let mut uses = 0;
        walk(self.macro_def.text, &self.macro_def.rules[rule].transcriber.stream, 0, &mut |siblings, index, _| {
            uses += usize::from(matches!(&siblings[index].shape, Shape::Variable(used) if used == name));
        });
        uses
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn what_is_collected_and_what_is_left_become_one_list() {
        check(
            &JOIN_MACRO_LISTS,
            "macro_rules! m { ([$($a:tt)*] a b $($b:tt)*) => { m!([$($a)* c] $($b)*) }; ([$($a:tt)*] d) => { $($a)* } }
            m!([e f] a b g d);",
            &["macro_rules! m { (a b $($a:tt)*) => { m!($($a)* c) }; (d $($a:tt)*) => { $($a)* } } m!(a b g d e f);"],
        );
    }

    #[test]
    fn one_token_that_is_asked_for_becomes_a_prefix() {
        check(
            &JOIN_MACRO_LISTS,
            "macro_rules! m { ({$($a:tt)*} + $($b:tt)*) => { m!({$($a)*} $($b)*) }; ({$($c:ty)*}) => {} } m!({ & u8 } ++);",
            &[
                "macro_rules! m { (+ $($a:tt)*) => { m!($($a)*) }; ($($c:ty)*) => {} } m!(+ + & u8);",
                "macro_rules! m { (&& $($a:tt)*) => { m!($($a)*) }; ($($c:ty)*) => {} } m!(&& && & u8);",
            ],
        );
    }

    #[test]
    fn macros_that_do_something_else_with_a_list_keep_both() {
        let unchanged = [
            // The rest is used, or not passed on.
            "macro_rules! m { ({$($a:tt)*} + $($b:tt)*) => { m!({$($a)* $($b)*}) }; ({$($a:tt)*}) => {} } m!({a} +);",
            // What is collected would be taken for something to do.
            "macro_rules! m { ({$($a:tt)*} + $($b:tt)*) => { m!({$($a)*} $($b)*) }; ({$($a:tt)*}) => {} } m!({+ a} +);",
            "macro_rules! m { ({$($a:tt)*} + $($b:tt)*) => { m!({$($a)*} $($b)*) }; ({$($a:tt)*}) => {} } m!({} +);",
            // A call without a group, and none at all.
            "macro_rules! m { ({$($a:tt)*} + $($b:tt)*) => { m!({$($a)*} $($b)*) } } m!({a} +); m!(a);",
            "macro_rules! m { ({$($a:tt)*} + $($b:tt)*) => { m!({$($a)*} $($b)*) } }",
        ];
        for source in unchanged {
            check(&JOIN_MACRO_LISTS, source, &[]);
        }
    }

    #[test]
    fn matchers_of_other_forms_stay() {
        let unchanged = [
            "macro_rules! m { ({$($a:tt),*} + $($b:tt)*) => {} } m!({a} +);",
            "macro_rules! m { ({$($a:tt)*} $b:tt $($c:tt)*) => {} } m!({a} +);",
            "macro_rules! m { ({$a:tt} + $($b:tt)*) => {} } m!({a} +);",
            "macro_rules! m { (+ {$($a:tt)*} $($b:tt)*) => {} } m!(+ {a} b);",
            "macro_rules! m { ({$($a:tt)*} +) => {}; ({$($a:tt)*}) => {} } m!({a} +);",
        ];
        for source in unchanged {
            check(&JOIN_MACRO_LISTS, source, &[]);
        }
    }
}
