//! Applies in one step all reductions that compile together.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use mcve_transforms::{Complaint, Node, Reduction, Syntax, Tree, blanked, covers, function, marks_test, tokens};
use syn::{Attribute, Item};

use crate::check::limits::Stop;
use crate::check::queries::complaints;
use crate::search::engine::Search;
use crate::search::tester::KeepListTester;
use mcve_dd::keep_list::KeepList;
use mcve_dd::tester::Tester;

/// How often reductions are left out that make errors: a compiler checks types first, and borrows after them.
const MENDINGS: usize = 8;

/// Applies those of `reductions` that delete documentation, or a test that is not the one that fails, all at once.
pub(super) fn without_other_tests(search: &mut Search<'_>, mut reductions: Vec<Reduction>) -> Result<(), Stop> {
    let oracle = Arc::clone(search.checks.oracle());
    let Some(run) = oracle.as_run() else { return Ok(()) };
    let source = search.best.source();
    let others = search.checks.clock.in_time(|| other_tests(&Tree::new(&source), run.runner.target.test()))?;
    reductions.retain(|reduction| reduction.transform.name == "delete-doc" || others.contains(&reduction.site));
    let reductions = search.worth_proposing(reductions);
    all_that_compile(search, &reductions).map(drop)
}

/// The functions that the harness runs, but for those of the name `test`. What a macro makes is not known.
fn other_tests(tree: &Tree<'_>, test: Option<&str>) -> HashSet<Range<usize>> {
    // What is only compiled for tests may be used by the one that fails.
    let is_test = |own: &Attribute| marks_test(own) && !own.path().is_ident("cfg");
    let is_macro = |node: Node<'_>| matches!(node.syntax(), Syntax::Macro(_) | Syntax::Item(Item::Macro(_)));
    let others = tree.nodes().filter(|node| match node.syntax() {
        Syntax::Item(Item::Fn(item)) => {
            test.is_none_or(|test| item.sig.ident != test)
                && item.attrs.iter().any(is_test)
                && !node.ancestors().any(is_macro)
        }
        _ => false,
    });
    others.map(|node| node.range()).collect()
}

/// Applies all of `reductions` without those that make errors, if the result fails. If it does not, returns the places of those that
/// compile together, or of all if none do, or an error may be the failure.
pub(super) fn all_that_compile(search: &mut Search<'_>, reductions: &[Reduction]) -> Result<Option<Vec<usize>>, Stop> {
    let all = || Ok(Some((0..reductions.len()).collect()));
    if reductions.is_empty() || !search.checks.oracle().properties().is_of_run {
        return all();
    }
    let (best, source) = (search.best().clone(), search.best.source());
    let tree = search.checks.clock.in_time(|| Tree::new(&source))?;
    let mut left: Vec<usize> = (0..reductions.len()).collect();
    for _ in 0..MENDINGS {
        let candidate = blanked(&best.text, left.iter().map(|&index| &reductions[index]));
        let candidate = best.with_text(candidate);
        let complaints = complaints(&mut search.checks, &candidate)?;
        if complaints.is_empty() {
            break;
        }
        let wrong = search.checks.clock.in_time(|| wrong(&tree, reductions, &left, &complaints))?;
        if wrong.is_empty() {
            break;
        }
        left.retain(|index| !wrong.contains(index));
        if left.is_empty() {
            return all();
        }
    }
    let kept: Vec<usize> = (0..reductions.len()).filter(|index| left.binary_search(index).is_err()).collect();
    let kept = KeepList::of(reductions.len(), kept);
    let fails = KeepListTester::new(search, reductions).first(&mut std::iter::once(kept))?.is_some();
    Ok((!fails).then_some(left))
}

/// The likeliest reductions to make errors: those in a function with some, or else those that delete a word of an error.
fn wrong(tree: &Tree<'_>, reductions: &[Reduction], left: &[usize], complaints: &[Complaint]) -> HashSet<usize> {
    let text = tree.source().text();
    let functions: Vec<_> = complaints.iter().map(|error| function(tree, &(error.byte..error.byte + 1))).collect();
    let is_inside = |index: &usize| functions.iter().any(|function| covers(function, &reductions[*index].site));
    let inside: HashSet<usize> = left.iter().copied().filter(is_inside).collect();
    if !inside.is_empty() {
        return inside;
    }
    let words: HashSet<&str> = complaints.iter().flat_map(|error| &error.words).map(String::as_str).collect();
    let is_named = |index: &usize| {
        reductions[*index].edits.iter().any(|edit| {
            let removed = &text[edit.range.clone()];
            tokens(removed).into_iter().any(|token| words.contains(&removed[token.range]))
        })
    };
    left.iter().copied().filter(is_named).collect()
}

#[cfg(test)]
mod tests {
    use mcve_transforms::{Analysis, Source, enumerate, named};

    use super::*;

    /// Checks which of the reductions of `text` by `transform` an error at `place` that names `words` leaves.
    #[track_caller]
    fn check(text: &str, transform: &str, place: &str, words: &[&str], expected: &[&str]) {
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let reductions = enumerate(&Analysis::of(&tree), named(transform)[0]);
        let words = words.iter().map(|&word| word.to_owned()).collect();
        let error = Complaint { byte: text.find(place).expect("it is there"), words };
        let all: Vec<usize> = (0..reductions.len()).collect();
        let wrong = wrong(&tree, &reductions, &all, &[error]);
        let left =
            all.iter().filter(|index| !wrong.contains(index)).map(|&index| &text[reductions[index].site.clone()]);
        assert_eq!(left.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn tests_but_the_one_that_fails_are_others() {
        let text =
            "#[test] fn a() {} mod m { #[cfg(test)] fn b() {} #[tokio::test] async fn c() {} #[test] fn a() {} }";
        let source = Source::parse(text);
        let others = |test| {
            let mut others: Vec<_> = other_tests(&Tree::new(&source), test).into_iter().collect();
            others.sort_by_key(|range| range.start);
            others.into_iter().map(|range| &text[range]).collect::<Vec<_>>()
        };
        let (a, c) = ("#[test] fn a() {}", "#[tokio::test] async fn c() {}");
        assert_eq!((others(Some("a")), others(Some("c")), others(None)), (vec![c], vec![a, a], vec![a, c, a]));
    }

    #[test]
    fn what_is_in_a_function_with_an_error_stays() {
        check("fn f() { a(); } fn g() { b(); }", "delete-statement", "f", &["b"], &["b();"]);
    }

    #[test]
    fn what_an_error_names_stays() {
        let text = "#[derive(Debug)] struct A; #[repr(C)] struct B; fn f() { g() }";
        check(text, "delete-attribute", "g()", &["A", "Debug"], &["#[repr(C)]"]);
        check(text, "delete-attribute", "g()", &["A"], &["#[derive(Debug)]", "#[repr(C)]"]);
    }
}
