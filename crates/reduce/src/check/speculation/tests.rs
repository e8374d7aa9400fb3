//! What runs ahead, with checks in the process that end when the test says so.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::*;
use crate::check::checks::{Checks, Continuation};
use crate::check::limits::{Limits, Stop};
use crate::check::pool::{Pool, Task};
use crate::check::request::{About, Key};
use crate::check::rerun::repeat;
use crate::check::testing::{self, Events, checker};
use crate::exec::job::{End, ExecError, Executor, Job, JobResult, Trust};
use crate::exec::process::Cancel;
use crate::program::Program;
use mcve_dd::outcome::Outcome;

/// Checks of which each says what text it is about and waits for its outcome.
fn asking(jobs: usize) -> (Checks, Receiver<(String, Sender<Outcome>)>) {
    let (outcome, questions) = testing::asking();
    (checker(jobs, Limits::default(), outcome), questions)
}

/// The position of the first of `texts` that fails.
fn first(checks: &mut Checks, texts: &[&str]) -> Result<Option<usize>, Stop> {
    let mut candidates = texts.iter().map(|text| Some((Program::new("a.rs", *text), ())));
    let found = checks.first(&mut candidates, &mut Events::default())?;
    Ok(found.map(|(position, _)| position))
}

/// A course that asks for `a`, then for `b` and `c`, and for `d` if `a` fails.
fn course(checks: &mut Checks) -> Result<(), Stop> {
    let next: &[&str] = if first(checks, &["a"])?.is_some() { &["d"] } else { &["b", "c"] };
    first(checks, next).map(drop)
}

/// Goes by `course` as it was announced, and what was checked, with the outcomes that `answer` gives.
fn run(jobs: usize, course: fn(&mut Checks) -> Result<(), Stop>, answer: fn(&str) -> Outcome) -> (Vec<String>, usize) {
    let (mut checks, questions) = asking(jobs);
    set_continuation(&mut checks, || Arc::new(|mut checks| super::tests::course(&mut checks)));
    let answers = std::thread::spawn(move || {
        let mut asked = Vec::new();
        for (text, sender) in questions {
            let _ = sender.send(answer(&text));
            asked.push(text);
        }
        asked
    });
    course(&mut checks).expect("nothing stops it");
    let count = checks.tally.checks;
    drop(checks);
    let mut asked = answers.join().expect("it only answers");
    asked.sort();
    (asked, count)
}

#[test]
fn what_is_asked_next_is_begun_while_the_first_check_runs() {
    let (mut checks, questions) = asking(3);
    set_continuation(&mut checks, || Arc::new(|mut checks| course(&mut checks)));
    let mut begun: Vec<_> = questions.iter().take(3).collect();
    begun.sort_by(|(one, _), (other, _)| one.cmp(other));
    assert_eq!(begun.iter().map(|(text, _)| &**text).collect::<Vec<_>>(), ["a", "b", "c"]);
    // The last answers first, and is asked for last.
    for (_, answer) in begun.iter().rev() {
        answer.send(Outcome::Pass).expect("it waits for that");
    }
    course(&mut checks).expect("nothing stops it");
    assert_eq!((checks.tally.checks, checks.tally.cache_hits), (3, 0));
    drop(checks);
    assert_eq!(questions.iter().count(), 0, "each was run once");
}

#[test]
fn what_was_begun_on_a_wrong_assumption_is_not_waited_for() {
    let (mut checks, questions) = asking(2);
    set_continuation(&mut checks, || Arc::new(|mut checks| course(&mut checks)));
    let begun: Vec<_> = questions.iter().take(2).collect();
    for (text, answer) in &begun {
        if text == "a" {
            answer.send(Outcome::Fail).expect("it waits for that");
        }
    }
    // The check of `b` does not end, and `d` is begun all the same.
    let (text, answer) = questions.recv().expect("it runs ahead");
    assert_eq!(text, "d");
    answer.send(Outcome::Pass).expect("it waits for that");
    course(&mut checks).expect("nothing stops it");
    assert_eq!(checks.tally.checks, 2);
    drop(begun);
}

#[test]
fn a_search_that_takes_another_course_than_it_said_gets_the_same_answers() {
    let other = |checks: &mut Checks| first(checks, &["x", "c", "y", "a"]).map(drop);
    for jobs in 1..4 {
        let (asked, count) = run(jobs, other, |_| Outcome::Pass);
        assert_eq!(count, 4);
        assert!(["a", "c", "x", "y"].iter().all(|text| asked.iter().any(|other| other == text)), "{asked:?}");
    }
}

#[test]
fn one_worker_runs_nothing_ahead() {
    assert_eq!(run(1, course, |_| Outcome::Fail), (vec!["a".to_owned(), "d".to_owned()], 2));
    assert_eq!(run(1, course, |_| Outcome::Pass), (["a", "b", "c"].map(str::to_owned).to_vec(), 3));
}

#[test]
fn what_follows_on_the_baseline_is_begun_before_its_last_run_ends() {
    let (outcome, questions) = testing::asking();
    let baseline = std::thread::spawn(move || {
        let mut checks = checker(2, Limits::default(), outcome);
        let next: Continuation = Arc::new(|mut checks| course(&mut checks));
        let verdicts = repeat(
            &mut checks,
            &Program::new("a.rs", "x"),
            std::num::NonZeroUsize::new(3),
            Some(next),
            &mut Events::default(),
        );
        verdicts.expect("nothing stops it").len()
    });
    for (text, answer) in questions.iter().take(2) {
        assert_eq!(text, "x");
        answer.send(Outcome::Fail).expect("it waits for that");
    }
    let mut begun: Vec<_> = questions.iter().take(2).collect();
    begun.sort_by(|(one, _), (other, _)| one.cmp(other));
    assert_eq!(begun.iter().map(|(text, _)| &**text).collect::<Vec<_>>(), ["a", "x"]);
    drop((begun, questions));
    assert_eq!(baseline.join().expect("it waits for nothing else"), 3);
}

/// A course that asks for `a` and `b`, and for `c` if both fail, else for `d`, `e` and `f`.
fn both(checks: &mut Checks) -> Result<(), Stop> {
    let fails = first(checks, &["a"])?.is_some() & first(checks, &["b"])?.is_some();
    first(checks, if fails { &["c"] } else { &["d", "e", "f"] }).map(drop)
}

#[test]
fn a_check_is_assumed_to_come_out_as_the_one_before() {
    let (mut checks, questions) = asking(4);
    set_continuation(&mut checks, || Arc::new(|mut checks| both(&mut checks)));
    let next = |texts: &[&str]| {
        let mut begun: Vec<_> = questions.iter().take(texts.len()).collect();
        begun.sort_by(|(one, _), (other, _)| one.cmp(other));
        assert_eq!(begun.iter().map(|(text, _)| &**text).collect::<Vec<_>>(), texts);
        begun
    };
    let mut first = next(&["a", "b", "d", "e"]);
    first[0].1.send(Outcome::Fail).expect("it waits for that");
    // That was a surprise, so what was begun behind it is begun anew. That `b` fails is none.
    let mut second = next(&["b"]);
    // Two threads are free again.
    first.truncate(2);
    second.extend(next(&["c"]));
    for (_, answer) in &second {
        answer.send(Outcome::Fail).expect("it waits for that");
    }
    both(&mut checks).expect("nothing stops it");
    assert_eq!((checks.tally.checks, checks.tally.cache_hits), (3, 0));
    drop(first);
}

/// Tells how long each check may take, none of which fails.
struct Timeouts(Mutex<Sender<Duration>>);

impl Executor for Timeouts {
    fn run(&self, _: &Job, timeout: Duration, _: &Cancel) -> Result<JobResult, ExecError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).send(timeout).expect("the test listens");
        let (stdout, stderr, wall) = Default::default();
        Ok(JobResult { stdout, stderr, wall, ..JobResult::ended(End::Exited(Outcome::Pass as i32)) })
    }
}

#[test]
fn what_runs_ahead_may_take_as_long_as_any_check() {
    let (told, timeouts) = channel();
    let timeout = Duration::from_secs(1);
    let oracle = Arc::clone(&checker(1, Limits::default(), |_| Outcome::Pass).parts.oracle);
    let limits = Limits { timeout: Some(timeout), ..Limits::default() };
    let executor = Arc::new(Timeouts(Mutex::new(told)));
    let mut checks = Checks::new(oracle, executor, 2, limits).expect("threads can be had");
    set_continuation(&mut checks, || Arc::new(|mut checks| course(&mut checks)));
    assert_eq!(timeouts.iter().take(3).collect::<Vec<_>>(), [timeout; 3]);
}

/// A check of `b` that ends within a minute, and of others that fail after as many seconds as their text is long.
struct Walls;

impl Executor for Walls {
    fn run(&self, job: &Job, timeout: Duration, _: &Cancel) -> Result<JobResult, ExecError> {
        let text = std::str::from_utf8(&job.files[0].1.bytes).expect("programs are text");
        let end = match text {
            "b" if timeout < Duration::from_secs(60) => End::TimedOut,
            "b" => End::Exited(Outcome::Pass as i32),
            _ => End::Exited(Outcome::Fail as i32),
        };
        let (stdout, stderr) = Default::default();
        Ok(JobResult { stdout, stderr, wall: Duration::from_secs(text.len() as u64), ..JobResult::ended(end) })
    }
}

#[test]
fn what_was_begun_with_less_time_than_it_may_take_now_is_run_again() {
    let oracle = Arc::clone(&checker(1, Limits::default(), |_| Outcome::Pass).parts.oracle);
    let mut checks = Checks::new(oracle, Arc::new(Walls), 2, Limits::default()).expect("threads can be had");
    let program = |text: &str| Program::new("a.rs", text);
    let outcome =
        |checks: &mut Checks, text: &str| checks.outcome(&program(text), &mut Events::default()).expect("it goes on");
    assert_eq!(outcome(&mut checks, "s"), Outcome::Fail);
    expect(&checks, &mut [program("b")].into_iter());
    assert_eq!(outcome(&mut checks, "seven s"), Outcome::Fail);
    assert_eq!(outcome(&mut checks, "b"), Outcome::Pass);
}

#[test]
fn a_misprediction_does_not_cancel_a_run_that_is_waited_for() {
    let executor: Arc<dyn Executor> = Arc::new(Walls);
    let pool = Pool::new(1, &executor).expect("threads can be had");
    let program = Program::new("a.rs", "x");
    let job = checker(1, Limits::default(), |_| Outcome::Pass).parts.oracle.job(&program);
    let task = || Task { job: job.clone(), trust: Trust::Certain, limit: Duration::from_secs(60) };
    let [verdict, run] = [About::Verdict, About::Run(3)].map(|about| Key { text: program.hash(), about });
    pool.board.expect(verdict, task);
    pool.board.expect(run, task);
    pool.board.change(|state| state.predict(verdict, Outcome::Pass));
    let joined = pool.board.take(run, Trust::Certain).expect("it was begun");
    pool.board.settle(verdict, true);
    assert!(pool.wait(joined.ticket, Duration::from_secs(600)).is_some_and(|result| result.is_ok()));
}

struct Unable;

impl Executor for Unable {
    fn run(&self, _: &Job, _: Duration, _: &Cancel) -> Result<JobResult, ExecError> {
        Err(ExecError { doing: "cannot run it".to_owned(), source: std::io::ErrorKind::StorageFull.into() })
    }
}

#[test]
fn what_cannot_be_run_may_be_asked_again() {
    let oracle = Arc::clone(&checker(1, Limits::default(), |_| Outcome::Pass).parts.oracle);
    let soon =
        Limits { deadline: std::time::Instant::now().checked_add(Duration::from_secs(600)), ..Limits::default() };
    let mut checks = Checks::new(oracle, Arc::new(Unable), 1, soon).expect("threads can be had");
    for _ in 0..2 {
        let asked = checks.outcome(&Program::new("a.rs", "a"), &mut Events::default());
        assert!(matches!(asked, Err(Stop::Exec(_))), "it is no answer, and no deadline passes");
    }
}
