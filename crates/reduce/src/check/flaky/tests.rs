//! How a failure is checked that is there in some of the runs only.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use super::*;
use crate::check::baseline::{Runs, Times, baseline, check_again};
use crate::check::confirm::{confirm, is_certain};
use crate::check::limits::Limits;
use crate::check::refusal::Refusal;
use crate::check::request::Source;
use crate::check::testing::{Events, checker, runner};
use crate::exec::job::{End, JobResult, Trust};

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
        assert_eq!(checks.flaky(), Some(((16, 20), 20)));
        let counted = checks.tally.checks;
        assert_eq!(outcomes(&mut checks), [Outcome::Fail, Outcome::Unresolved, Outcome::Pass]);
        assert_eq!(checks.tally.checks, counted + 3, "several runs are one check");
        let runs = checks.flaky().expect("it is flaky").1;
        assert_eq!((outcomes(&mut checks), checks.flaky().expect("it is").1), (outcomes(&mut checks), runs));
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

/// Checks by a program that is run, of which a closure says whether its run of this number fails.
fn of_runs(fails: fn(&str, usize) -> bool) -> Checks {
    let counts: Mutex<HashMap<String, usize>> = Mutex::default();
    runner(move |text| {
        let mut counts = counts.lock().expect("nobody panics");
        let count = counts.entry(text.to_owned()).or_default();
        *count += 1;
        Some(if fails(text, *count - 1) { Outcome::Fail } else { Outcome::Pass })
    })
}

#[test]
fn one_failing_run_is_enough_to_begin_and_then_the_rate_is_measured() {
    let mut checks = of_runs(|text, run| match text {
        "input" => run % 33 == 30,
        "often" => run % 40 == 10,
        "seldom" => run % 300 == 10,
        _ => false,
    });
    begin(&mut checks, Times::Measured).expect("it fails now and then");
    let (times, runs) = checks.flaky().expect("it is flaky").0;
    assert_eq!((times, runs), (9, 300));
    assert_eq!(outcomes(&mut checks), [Outcome::Fail, Outcome::Unresolved, Outcome::Pass]);
}

#[test]
fn what_never_fails_is_refused_with_the_number_of_runs() {
    let refused = begin(&mut of_runs(|_, _| false), Times::Measured);
    assert!(matches!(&refused, Err(Refusal::NotFailing(why, _)) if why.ends_with("(300 runs)")), "{refused:?}");
    let refused = begin(&mut by_run(1, |_, _| false), Times::Measured);
    assert!(matches!(&refused, Err(Refusal::NotFailing(why, _)) if why.ends_with("(3 runs)")), "{refused:?}");
}

#[test]
fn a_rare_failure_is_refused_where_a_run_takes_long() {
    let replies = |times: usize, millis| -> Vec<Reply> {
        let outcome = |run| if run < times { Outcome::Fail } else { Outcome::Pass };
        let result = JobResult { wall: Duration::from_millis(millis), ..JobResult::ended(End::Exited(0)) };
        let reply = |run| (result.clone(), Some(Verdict::new(outcome(run), "")), Trust::Certain, Source::Run);
        (0..20).map(reply).map(|(result, verdict, trust, source)| Reply::of(result, verdict, trust, source)).collect()
    };
    let is_refused = [(1, 200), (1, 300), (3, 700), (3, 800), (4, 9000)];
    let is_refused = is_refused.map(|(times, millis)| is_too_seldom(&replies(times, millis)));
    assert_eq!(is_refused, [false, true, false, true, false]);
}

#[test]
fn one_whose_first_runs_all_failed_is_held_to_its_rate_once_a_run_did_not_fail() {
    let mut checks = of_runs(|text, run| match text {
        "input" => run < 5 || run % 5 != 1,
        "result" => run % 5 != 1,
        _ => run % 2 == 0,
    });
    begin(&mut checks, Times::Measured).expect("it fails");
    assert_eq!(checks.flaky(), None);
    let again = |checks: &mut Checks, text| {
        check_again(checks, &program(text), &mut Events::default()).expect("nothing stops it")
    };
    let (times, runs) = again(&mut checks, "result");
    assert!(runs == 20 && times.abs_diff(16) < 2, "{times}");
    let (times, runs) = checks.flaky().expect("the input passed as well").0;
    assert!(runs == 20 && times.abs_diff(16) < 2, "{times}");
    let mut checks = of_runs(|text, run| text == "input" || run % 5 != 1);
    begin(&mut checks, Times::Measured).expect("it fails");
    assert_eq!((again(&mut checks, "result"), checks.flaky()), ((2, 3), None), "the input fails each time");
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
    let note = |event: &Event| matches!(event, Event::Note { message } if message.contains("it fails in 5 of 22 runs"));
    assert!(events.0.iter().any(note), "{:?}", events.0);
    let runs = checks.flaky().expect("it is flaky").1;
    for lucky in [one, other] {
        assert_ne!(checks.outcome(&lucky, &mut events).expect("nothing stops it"), Outcome::Fail);
    }
    assert_eq!(checks.flaky().expect("it is flaky").1, runs + 16, "the runs of its first turn count");
}
