//! Checks for the tables of the families' tests.

use std::ops::Range;

use crate::text::edit::covers;
use crate::{
    Analysis, Measure, Reduction, Source, Transform, Tree, Understanding, apply, enumerate, enumerate_trials, tokens,
};

/// `text` as its code tokens with one space between: what is left when layout does not matter.
pub(crate) fn normal(text: &str) -> String {
    tokens(text).into_iter().map(|token| &text[token.range]).collect::<Vec<_>>().join(" ")
}

/// Checks that the candidates of `transform` over `text`, one for each reduction, are `expected`, in order, layout aside,
/// that they are smaller than `text`, and that they parse if it does.
#[track_caller]
pub(crate) fn check(transform: &'static Transform, text: &str, expected: &[&str]) {
    compare(candidates(transform, text), expected);
}

/// As [`check`], for what the transform proposes as trials.
#[track_caller]
pub(crate) fn check_trials(transform: &'static Transform, text: &str, expected: &[&str]) {
    compare(candidates_of(enumerate_trials, transform, text), expected);
}

#[track_caller]
fn compare(found: Vec<String>, expected: &[&str]) {
    let found: Vec<String> = found.iter().map(|candidate| normal(candidate)).collect();
    let expected: Vec<String> = expected.iter().map(|candidate| normal(candidate)).collect();
    assert_eq!(found, expected);
}

/// The texts that the single reductions of `transform` make of `text`.
#[track_caller]
pub(crate) fn candidates(transform: &'static Transform, text: &str) -> Vec<String> {
    let candidates = candidates_of(enumerate, transform, text);
    for candidate in &candidates {
        assert!(Measure::of(candidate) < Measure::of(text), "is no smaller: {candidate}");
    }
    candidates
}

#[track_caller]
fn candidates_of(
    enumerate: fn(&Analysis<'_>, &'static Transform) -> Vec<Reduction>,
    transform: &'static Transform,
    text: &str,
) -> Vec<String> {
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let names = Analysis::of(&tree);
    let reductions = enumerate(&names, transform);
    let must_parse = source.understanding() == Understanding::Full && !matches!(transform.rule, crate::Rule::Text(_));
    let unknown: Vec<Range<usize>> = tree.unknown().collect();
    let candidate = |reduction: &Reduction| {
        let candidate = apply(text, [reduction]);
        let site = &reduction.site;
        if must_parse && !unknown.iter().any(|unknown| covers(unknown, site)) {
            assert!(Source::is_valid(&candidate), "does not parse: {candidate}");
        }
        candidate
    };
    reductions.iter().map(candidate).collect()
}
