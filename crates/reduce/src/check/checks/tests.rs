//! Checking candidates with oracles in the process.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::check::testing::{Events, checker};

fn programs(texts: &[&str]) -> Vec<Option<Candidate<()>>> {
    texts.iter().map(|text| Some((Program::new("a.rs", *text), ()))).collect()
}

fn fails_with_x(text: &str) -> Outcome {
    if text.contains('x') { Outcome::Fail } else { Outcome::Pass }
}

#[test]
fn the_first_that_fails_wins_for_any_number_of_workers() {
    for jobs in 1..8 {
        let mut checks = checker(jobs, Limits::default(), fails_with_x);
        let mut candidates = programs(&["a", "b", "x1", "c", "x2"]).into_iter();
        let found = checks.first(&mut candidates, &mut Events::default()).expect("nothing stops it");
        assert_eq!(found.map(|(position, (program, ()))| (position, program.text.to_string())), Some((2, "x1".into())));
    }
}

#[test]
fn nothing_that_fails_is_none() {
    let mut checks = checker(2, Limits::default(), fails_with_x);
    let found = checks.first(&mut programs(&["a", "b"]).into_iter(), &mut Events::default());
    assert!(found.expect("nothing stops it").is_none());
}

#[test]
fn a_text_is_checked_once() {
    let mut checks = checker(2, Limits::default(), fails_with_x);
    for _ in 0..2 {
        checks.first(&mut programs(&["a", "b", "a"]).into_iter(), &mut Events::default()).expect("nothing stops it");
    }
    assert_eq!((checks.tally.checks, checks.tally.cache_hits), (2, 4));
}

#[test]
fn an_interrupt_stops_before_the_next_check() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    let limits = Limits::default();
    limits.interrupt.store(true, Ordering::Relaxed);
    let mut checks = checker(1, limits, move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
        Outcome::Pass
    });
    let stop = checks.first(&mut programs(&["a", "b", "c"]).into_iter(), &mut Events::default());
    assert!(matches!(stop, Err(Stop::Interrupted)));
    drop(checks);
    assert!(asked.load(Ordering::Relaxed) <= 1, "at most the one that was under way");
}
