//! Staged checks in the process: a closure is the compiler, and another one the check.

use super::*;
use crate::search::checker::Limits;
use crate::search::testing::{Events, checker, staged};

/// A word of a text is the code of an error.
fn codes(text: &str) -> &'static [&'static str] {
    match text.split(' ').next() {
        Some("one") => &["E0001"],
        Some("two") => &["E0002"],
        Some("both") => &["E0001", "E0002"],
        _ => &[],
    }
}

fn ends_with_x(text: &str) -> Outcome {
    match text.split(' ').next_back() {
        Some("x") => Outcome::Fail,
        Some("?") => Outcome::Unresolved,
        _ => Outcome::Pass,
    }
}

/// Checks `texts`, one after the other, behind an input that compiles: how many were checked, and how many spared.
#[track_caller]
fn check(texts: &[&str], expected: (usize, usize)) {
    let mut checker = staged(1, ends_with_x, codes, |_| 9);
    let program = |text: &str| Program::new("a.rs", text);
    checker
        .check(&program("x"), std::num::NonZeroUsize::new(1), None, &mut Events::default())
        .expect("nothing stops it");
    checker.try_screening(&program("x")).expect("nothing stops it");
    for text in texts {
        let mut candidate = std::iter::once(Some((program(text), ())));
        let found = checker.first(&mut candidate, &mut Events::default()).expect("nothing stops it");
        assert!(found.is_none() || ends_with_x(text) == Outcome::Fail, "{text}");
    }
    assert_eq!((checker.checks - 1, checker.screened), expected, "{texts:?}");
}

#[test]
fn a_check_is_spared_where_the_compiler_says_what_it_said_of_one_in_vain() {
    check(&["one a", "one b", "one x"], (1, 2));
    check(&["one a", "two a", "both a", "one b", "two b", "both b"], (3, 3));
}

#[test]
fn nothing_is_spared_where_one_of_the_kind_failed() {
    check(&["one x", "one a", "one b"], (3, 0));
    check(&["a", "b", "c"], (3, 0));
}

#[test]
fn what_could_not_be_said_counts_for_nothing() {
    check(&["one ?", "one a", "one x"], (2, 1));
}

#[test]
fn a_text_is_known_that_was_spared() {
    check(&["one a", "one b", "one b"], (1, 1));
}

#[test]
fn a_check_that_is_held_up_once_is_not_dear() {
    let input = Program::new("a.rs", "x");
    let mut screens = Vec::new();
    for takes in [|_: &str| 9, |_: &str| 1, |text: &str| if text.ends_with("\n}") { 9 } else { 1 }] {
        let mut checker = staged(1, ends_with_x, codes, takes);
        checker.check(&input, std::num::NonZeroUsize::new(1), None, &mut Events::default()).expect("nothing stops it");
        checker.try_screening(&input).expect("nothing stops it");
        screens.push(checker.screens);
    }
    assert_eq!(screens, [true, false, false]);
}

#[test]
fn without_a_compiler_every_check_is_made() {
    let mut checker = checker(1, Limits::default(), ends_with_x);
    let input = Program::new("a.rs", "x");
    checker.check(&input, std::num::NonZeroUsize::new(1), None, &mut Events::default()).expect("nothing stops it");
    checker.try_screening(&input).expect("nothing stops it");
    assert!(!checker.screens);
}
