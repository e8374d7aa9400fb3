//! Two lists that a macro takes and passes on in step, as one list of pairs.

use crate::macros::macro_def::macro_defs;
use crate::macros::parallel_lists::ParallelLists;
use crate::macros::zipped_lists::{ZippedLists, as_wholes, by_elements, matched};
use crate::names::analysis::Analysis;
use crate::rule::proposals::Proposals;
use crate::rule::transform::{Rule, family};
use crate::text::edit::Edit;

family! {
    "macro-lists", "Changes the lists that the rules of a macro take and pass on.", in MacroLists;

    /// Make one list of pairs of two lists that the rules of a macro take at the same places and pass on in step.
    ///
    /// ```text
    /// macro_rules! a {
    ///     ({ $($b:tt)* } { $($c:tt)* } + $($d:tt)*) => { a!({ $($b)* $($b)* } { $($c)* $($c)* } $($d)*) };
    ///     ({ $($b:tt)* } { $($c:tt)* }) => { $($b)* $($c)* };
    /// }
    /// type A = a!({ Copy < } { > } ++++);
    /// =>
    /// macro_rules! a {
    ///     ({ $($b:tt $c:tt)* } + $($d:tt)*) => { a!({ $($b $c)* $($b $c)* } $($d)*) };
    ///     ({ $($b:tt $c:tt)* }) => { $($b <)* $($c)* };
    /// }
    /// type A = a!({ Copy > } ++++);
    /// ```
    ///
    /// ParallelLists without a separator become one pair: what is the same in all calls from outside goes to where the rules use
    /// it, but for a token of each list that something is matched by. ParallelLists with as many elements as each other become a
    /// pair for each two elements, with `=>` between them where rustc lets nothing else follow, and what the rules make
    /// of them stays as it is.
    ZIP_MACRO_LISTS = "zip-macro-lists", Rule::Tree(zip_macro_lists);
}

/// How many places of a matcher are looked at.
const PLACES: usize = 12;

fn zip_macro_lists(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    for macro_def in macro_defs(analysis).filter(|macro_def| !macro_def.calls.is_empty()) {
        let text = macro_def.text;
        for places in (0..PLACES).flat_map(|first| (first + 1..PLACES).map(move |second| [first, second])) {
            let Some(lists) = ParallelLists::of(&macro_def, places) else { continue };
            let matcher = &lists.taken[0].rule.matcher;
            let site = matcher[places[0]].range.start..matcher[places[1]].range.end;
            for zipped in [as_wholes(text, &lists), by_elements(text, &lists)].into_iter().flatten() {
                if let Some(edits) = edits(&lists, zipped) {
                    out.edit(site.clone(), edits);
                }
            }
        }
    }
}

/// The edits that put `zipped` in the place of both lists; none where a call stands in the list of another.
fn edits(lists: &ParallelLists<'_>, zipped: ZippedLists) -> Option<Vec<Edit>> {
    let mut edits = lists.without_second.clone();
    for (taken, parts) in lists.taken.iter().zip(&zipped.parts) {
        edits.push(Edit::replace(taken.lists[0].repeated.clone(), matched(parts)));
    }
    for (step, elements) in lists.steps.iter().zip(zipped.steps) {
        edits.extend(step.elements.iter().zip(elements).map(|(at, element)| Edit::replace(at[0].clone(), element)));
    }
    for (seed, list) in lists.seeds.iter().zip(zipped.seeds) {
        edits.push(Edit::replace(seed[0].range.clone(), list));
    }
    edits.extend(zipped.uses);
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    edits.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start).then_some(edits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[track_caller]
    fn check_none(sources: &[&str]) {
        for source in sources {
            check(&ZIP_MACRO_LISTS, source, &[]);
        }
    }

    #[test]
    fn names_and_types_become_pairs() {
        check(
            &ZIP_MACRO_LISTS,
            "macro_rules! fields { ($s:ident [$($f:ident),*] [$($t:ty),*]) => { struct $s { $($f: $t),* } } }
            fields!(S [a, b, c] [u8, HashMap<u8, u16>, &'static str]); fields!(T [] []);",
            &["macro_rules! fields { ($s:ident [$($f:ident $t:ty),*]) => { struct $s { $($f: $t),* } } }
            fields!(S [a u8, b HashMap<u8, u16>, c &'static str]); fields!(T []);"],
        );
        check(
            &ZIP_MACRO_LISTS,
            "macro_rules! m { (($($t:ty),*), ($($f:ident),*) $(;)?) => { $(fn $f() -> $t { loop {} })* } }
            m!((u8, u16), (f, g)); m!((u8), (h););",
            &["macro_rules! m { (($($f:ident $t:ty),*) $(;)?) => { $(fn $f() -> $t { loop {} })* } }
            m!((f u8, g u16)); m!((h u8););"],
        );
    }

    #[test]
    fn three_lists_become_pairs_one_after_the_other() {
        check(
            &ZIP_MACRO_LISTS,
            "macro_rules! m { ([$($a:ident $b:ty),*] [$($c:ident = $d:literal),*]) => {} } m!([a u8, b u16] [c = 1, d = -2]);",
            &["macro_rules! m { ([$($c:ident = $d:literal $a:ident $b:ty),*]) => {} } m!([c = 1 a u8, d = -2 b u16]);"],
        );
    }

    #[test]
    fn an_arrow_stands_where_nothing_else_can() {
        check(
            &ZIP_MACRO_LISTS,
            "macro_rules! m { ([$($a:ty),*] [$($b:expr),*]) => { $(const _: $a = $b;)* } } m!([u8, u16] [1 + 1, f(2, 3)]);",
            &[
                "macro_rules! m { ([$($a:ty => $b:expr),*]) => { $(const _: $a = $b;)* } } m!([u8 => 1 + 1, u16 => f(2, 3)]);",
            ],
        );
    }

    #[test]
    fn calls_of_rules_pass_pairs() {
        check(
            &ZIP_MACRO_LISTS,
            "macro_rules! m {
                ([$($a:ident),*] [$($b:ident),*] $x:ident) => { $(fn $a() { $b() })* };
                ([$($f:ident),*] [$($g:ident),*]) => { m!([$($f),*, $($f),*] [$($g),*, $($g),*] x); $($f();)* };
            }
            m!([a, b] [c, d]);",
            &["macro_rules! m {
                ([$($a:ident $b:ident),*] $x:ident) => { $(fn $a() { $b() })* };
                ([$($f:ident $g:ident),*]) => { m!([$($f $g),*, $($f $g),*] x); $($f();)* };
            }
            m!([a c, b d]);"],
        );
        check(
            &ZIP_MACRO_LISTS,
            "macro_rules! m { ([$($a:ident)*] [$($b:tt)*]) => { m!([$($b)* x] [$($a)* 1]) } } m!([a b] [c d]);",
            &["macro_rules! m { ([$($a:ident $b:tt)*]) => { m!([$($b $a)* x 1]) } } m!([a c b d]);"],
        );
    }

    #[test]
    fn an_inner_rule_takes_pairs_of_what_others_repeat() {
        check(
            &ZIP_MACRO_LISTS,
            "macro_rules! m {
                (@ [$($a:ident),*] [$($t:ty),*]) => { $(fn $a() -> $t {})* };
                ($($f:ident: $g:ty),*) => { m!(@ [$($f),*, f] [$(Vec<$g>),*, u8]) };
            }
            m!(a: u8);",
            &["macro_rules! m {
                (@ [$($a:ident $t:ty),*]) => { $(fn $a() -> $t {})* };
                ($($f:ident: $g:ty),*) => { m!(@ [$($f Vec<$g>),*, f u8]) };
            }
            m!(a: u8);"],
        );
    }

    #[test]
    fn what_all_calls_pass_goes_to_the_rules() {
        check(
            &ZIP_MACRO_LISTS,
            "macro_rules! m { (+ { $($b:tt)* } { $($c:tt)* }) => { $($b)* u8 $($c)* } }
            type A = m!(+ { Copy < u8 < } { >> }); type B = m!(+ { } { });",
            &["macro_rules! m { (+ { $($b:tt $c:tt)* }) => { $($b < u8 <)* u8 $($c >)* } }
                type A = m!(+ { Copy > }); type B = m!(+ { });"],
        );
        check(
            &ZIP_MACRO_LISTS,
            "macro_rules! m { ([$($b:tt)*] [$($c:tt)*]) => { $($b)* $($c)+ } } m!([a < b] [e]); m!([c < d] [f]);",
            &["macro_rules! m { ([$($b:tt $b1:tt $c:tt)*]) => { $($b < $b1)* $($c)+ } } m!([a b e]); m!([c d f]);"],
        );
    }

    #[test]
    fn both_forms_are_proposed_for_lists_of_the_same_length() {
        check(
            &ZIP_MACRO_LISTS,
            "macro_rules! m { ($($a:ident)* ; [$($b:tt)*] [$($c:tt)*]) => { $($b)* $($c)* $($c)* } } n!(); m!(; [a b] [c d]);",
            &[],
        );
        check(
            &ZIP_MACRO_LISTS,
            "macro_rules! m { ([$($b:tt)*] $a:ident [$($c:tt)*]) => { $($b)* $($c)* } } m!([a b] x [c d]);",
            &[
                "macro_rules! m { ([$($b:tt $c:tt)*] $a:ident) => { $($b b)* $($c d)* } } m!([a c] x);",
                "macro_rules! m { ([$($b:tt $c:tt)*] $a:ident) => { $($b)* $($c)* } } m!([a c b d] x);",
            ],
        );
    }

    #[test]
    fn a_list_of_one_token_is_used_in_any_way() {
        check(
            &ZIP_MACRO_LISTS,
            "macro_rules! m { ([$($b:ident)*] [$($c:tt)*]) => { $(fn $b() {})* $($c)* } } m!([a] [const C: u8 = 1;]);",
            &["macro_rules! m { ([$($b:ident $c:tt)*]) => { $(fn $b() {})* $($c C: u8 = 1;)* } } m!([a const]);"],
        );
    }

    #[test]
    fn new_metavariables_have_new_names() {
        check(
            &ZIP_MACRO_LISTS,
            "macro_rules! m { ([$($b:tt)*] [$($b1:tt)*]) => { $($b)* $($b1)* } } m!([a b] [c -]); m!([e f] [g -]);",
            &[
                "macro_rules! m { ([$($b:tt $b2:tt $b1:tt)*]) => { $($b $b2)* $($b1 -)* } } m!([a b c]); m!([e f g]);",
                "macro_rules! m { ([$($b:tt $b1:tt)*]) => { $($b)* $($b1)* } } m!([a c b -]); m!([e g f -]);",
            ],
        );
    }

    #[test]
    fn lists_of_other_forms_stay() {
        check_none(&[
            "macro_rules! m { ({ $($a:tt)* } { $($b:tt),* }) => {} } m!({ a } { b });",
            "macro_rules! m { ({ $($a:tt)* } { $($b:tt)+ }) => {} } m!({ a } { b });",
            "macro_rules! m { ({ $a:tt $($b:tt)* } { $($c:tt)* }) => {} } m!({ a } { b });",
            "macro_rules! m { ({ $($a:tt)* } { $($($b:tt)*)* }) => {} } m!({ a } { b });",
            "macro_rules! m { ({ $($a:tt)* } $($b:tt)*) => {} } m!({ a } { b });",
            "macro_rules! m { ({ $($a:tt)* } { $($b:tt)* }) => {}; ({ } { $($b:tt)* }) => {} } m!({ a } { b });",
        ]);
    }

    #[test]
    fn lists_that_are_not_passed_in_step_stay() {
        check_none(&[
            // None is passed at all, or not to this macro.
            "macro_rules! m { ({ $($a:tt)* } { $($b:tt)* }) => { m!({ $($a)* } { $($b)* }) } }",
            "macro_rules! m { ({ $($a:tt)* } { $($b:tt)* }) => {} } n!({ a } { b });",
            // One is passed twice, or something is added to one.
            "macro_rules! m { ({ $($a:tt)* } { $($b:tt)* }) => { m!({ $($a)* $($a)* } { $($b)* }) } } m!({ a } { b });",
            "macro_rules! m { ({ $($a:tt)* } { $($b:tt)* }) => { m!({ $($a)* } { $($b)* c }) } } m!({ a } { b });",
            "macro_rules! m { ({ $($a:tt)* } { $($b:tt)* }) => { m!({ $($a)* c } { c $($b)* }) } } m!({ a } { b });",
            // The separator is left out.
            "macro_rules! m { ([$($a:ty),*] [$($b:tt),*]) => { m!([$($a)*] [$($b)*]) } } m!([u8] [b]);",
        ]);
    }

    #[test]
    fn lists_of_other_lengths_stay() {
        check_none(&[
            "macro_rules! m { ([$($a:ident),*] [$($b:ty),*]) => {} } m!([a, b] [u8]);",
            "macro_rules! m { ([$($a:ident),*] [$($b:ty),*]) => {} } m!([a] [u8]); m!([a] []);",
            "macro_rules! m { ([$($a:tt)*] [$($b:tt)*]) => {} } m!([a b] [c]); m!([a] [c]);",
            "macro_rules! m { ([$($a:tt)*] [$($b:tt)*]) => {} } m!([a] []);",
        ]);
    }

    #[test]
    fn lists_stay_where_constants_would_be_repeated_with_something_else() {
        check_none(&[
            "macro_rules! m { ([$($a:tt)*] [$($b:tt)*]) => { $(fn $a() {})* } } m!([a b] [c]);",
            "macro_rules! m { ([$($a:tt)*] [$($b:tt)*]) => { $($a),* } } m!([a b] [c]);",
        ]);
    }

    #[test]
    fn what_no_pair_can_be_made_of_stays() {
        check_none(&[
            // rustc lets no expression follow a visibility, nor any visibility an expression.
            "macro_rules! m { ([$($a:vis),*] [$($b:expr),*]) => {} } m!([pub] [1]);",
            // No token begins what the metavariable stands for.
            "macro_rules! m { ([$($a:tt)*] [$($b:tt)*]) => {} } m!([#[a] b] [c]);",
            // A call in the list of another.
            "macro_rules! m { ([$($a:expr),*] [$($b:ident),*]) => { 1 } } const C: u8 = m!([m!([1] [a])] [b]);",
        ]);
    }
}
