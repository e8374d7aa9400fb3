//! How a failure is checked that is there in some of the runs only.

use std::collections::HashMap;
use std::sync::Mutex;

use super::*;
use crate::check::baseline::{Runs, Times, baseline};
use crate::check::confirm::{confirm, is_certain};
use crate::check::limits::Limits;
use crate::check::sequential::Flaky;
use crate::check::testing::{Events, checker};
use crate::exec::job::Trust;

/// Checks by a closure that is told a text and the number of the run of it.
fn by_run(jobs: usize, fails: fn(&str, usize) -> bool) -> Checks {
    by_outcome(jobs, move |text, run| if fails(text, run) { Outcome::Fail } else { Outcome::Pass })
}

fn by_outcome(jobs: usize, outcome: impl Fn(&str, usize) -> Outcome + Send + Sync + 'static) -> Checks {
    let counts: Mutex<HashMap<String, usize>> = Mutex::default();
    checker(jobs, Limits::default(), move |text| {
        let mut counts = counts.lock().expect("nobody panics");
        let count = counts.entry(text.to_owned()).or_default();
        *count += 1;
        outcome(text, *count - 1)
    })
}

fn program(text: &str) -> Program {
    Program::new("a.rs", text)
}

fn begin(checks: &mut Checks, times: Times) -> Result<(), Refusal> {
    let runs = Runs { times, ..Runs::default() };
    baseline(checks, &program("input"), runs, None, &mut Events::default())
}

/// The input fails in four of five runs, `often` in two of three, `seldom` in one of ten, and nothing else at all.
fn sometimes(text: &str, run: usize) -> bool {
    match text {
        "input" => run % 5 != 1,
        "often" => run % 3 != 1,
        "seldom" => run % 10 == 1,
        _ => false,
    }
}

fn outcomes(checks: &mut Checks) -> [Outcome; 3] {
    ["often", "seldom", "never"]
        .map(|text| checks.outcome(&program(text), &mut Events::default()).expect("nothing stops it"))
}

#[test]
fn a_candidate_counts_if_it_fails_nearly_as_often_whatever_the_number_of_workers() {
    for jobs in 1..4 {
        let mut checks = by_run(jobs, sometimes);
        begin(&mut checks, Times::Measured).expect("it fails often enough");
        assert_eq!(checks.flaky(), Some(Flaky { input: (16, 20), runs: 20 }));
        let counted = checks.tally.checks;
        assert_eq!(outcomes(&mut checks), [Outcome::Fail, Outcome::Unresolved, Outcome::Pass]);
        assert_eq!(checks.tally.checks, counted + 3, "several runs are one check");
        let runs = checks.flaky().expect("it is flaky").runs;
        assert_eq!((outcomes(&mut checks), checks.flaky().expect("it is").runs), (outcomes(&mut checks), runs));
        assert_eq!(checks.least_trust(), Trust::Certain);
    }
}

#[test]
fn one_that_fails_always_or_does_something_else_in_its_other_runs_is_another_one() {
    let mut checks = by_outcome(1, |text, run| match (text, run % 5) {
        ("always", _) | (_, 0 | 2..) => Outcome::Fail,
        ("other", _) => Outcome::Unresolved,
        _ => Outcome::Pass,
    });
    begin(&mut checks, Times::Measured).expect("it fails often enough");
    let mut of = |text| checks.outcome(&program(text), &mut Events::default()).expect("nothing stops it");
    assert_eq!(["same", "always", "other"].map(&mut of), [Outcome::Fail, Outcome::Unresolved, Outcome::Unresolved]);
}

#[test]
fn a_share_that_was_asked_for_is_what_counts() {
    let mut checks = by_run(2, sometimes);
    begin(&mut checks, Times::Share { needed: 1, runs: 2 }).expect("it fails once");
    assert_eq!(outcomes(&mut checks), [Outcome::Fail, Outcome::Fail, Outcome::Pass]);
    let all = begin(&mut by_run(1, sometimes), Times::Share { needed: 5, runs: 5 });
    assert!(matches!(all, Err(Refusal::Flaky { times: 4, runs: 5, .. })));
}

#[test]
fn what_fails_each_time_is_run_once() {
    let mut checks = by_run(1, |text, _| text == "input" || text == "often");
    begin(&mut checks, Times::Measured).expect("it fails");
    assert_eq!((checks.flaky(), checks.tally.checks), (None, 3));
    assert_eq!(outcomes(&mut checks), [Outcome::Fail, Outcome::Pass, Outcome::Pass]);
    assert_eq!(checks.tally.checks, 6);
}

#[test]
fn under_a_fifth_the_input_is_refused_with_the_rate() {
    let refused = begin(&mut by_run(1, |_, run| run % 7 == 0), Times::Measured);
    assert!(matches!(refused, Err(Refusal::Flaky { times: 3, runs: 20, .. })), "{refused:?}");
}

#[test]
fn one_that_failed_by_luck_counts_no_more_and_what_was_built_on_it_is_asked_again() {
    // Two that fail as long as they are new.
    let mut checks = by_run(2, |text, run| run % 5 != 1 && (text == "input" || run < 6));
    begin(&mut checks, Times::Measured).expect("it fails often enough");
    let (mut events, [one, other]) = (Events::default(), ["one", "other"].map(program));
    for lucky in [&one, &other] {
        assert_eq!(checks.outcome(lucky, &mut events).expect("nothing stops it"), Outcome::Fail);
        assert!(!is_certain(&checks, lucky));
    }
    assert!(confirm(&mut checks, &program("input"), &mut events).expect("nothing stops it"), "it was measured");
    assert!(!confirm(&mut checks, &other, &mut events).expect("nothing stops it"));
    let note = |event: &Event| matches!(event, Event::Note { message } if message.contains("it fails in 0 of 5 runs"));
    assert!(events.0.iter().any(note), "{:?}", events.0);
    for lucky in [one, other] {
        assert_ne!(checks.outcome(&lucky, &mut events).expect("nothing stops it"), Outcome::Fail);
    }
}
