//! What runs ahead, with checks in the process that end when the test says so.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::*;
use crate::exec::job::{End, ExecError, Executor, Job};
use crate::exec::process::Cancel;
use crate::program::Program;
use crate::search::engine::Search;
use crate::search::testing::{Events, checker};

/// A checker of which each check says what text it is about and waits for its outcome.
fn asking(jobs: usize) -> (Checker, Receiver<(String, Sender<Outcome>)>) {
    let (asked, questions) = channel();
    let asked = Mutex::new(asked);
    let outcome = move |text: &str| {
        let (answer, answered) = channel();
        let asked = asked.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // Where nobody asks any more, nobody listens.
        let _ = asked.send((text.to_owned(), answer));
        answered.recv().unwrap_or(Outcome::Unresolved)
    };
    (checker(jobs, Limits::default(), outcome), questions)
}

/// The position of the first of `texts` that fails.
fn first(checker: &mut Checker, texts: &[&str]) -> Result<Option<usize>, Stop> {
    let mut candidates = texts.iter().map(|text| Some((Program::new("a.rs", *text), ())));
    let found = checker.first(&mut candidates, &mut Events::default())?;
    Ok(found.map(|(position, _)| position))
}

/// A course that asks for `a`, then for `b` and `c`, and for `d` if `a` fails.
fn course(checker: &mut Checker) -> Result<(), Stop> {
    let next: &[&str] = if first(checker, &["a"])?.is_some() { &["d"] } else { &["b", "c"] };
    first(checker, next).map(drop)
}

/// Goes by `course` as it was announced, and what was checked, with the outcomes that `answer` gives.
fn run(jobs: usize, course: fn(&mut Checker) -> Result<(), Stop>, answer: fn(&str) -> Outcome) -> (Vec<String>, usize) {
    let (mut checker, questions) = asking(jobs);
    checker.announce(|| Arc::new(|mut checker| super::tests::course(&mut checker)));
    let answers = std::thread::spawn(move || {
        let mut asked = Vec::new();
        for (text, sender) in questions {
            let _ = sender.send(answer(&text));
            asked.push(text);
        }
        asked
    });
    course(&mut checker).expect("nothing stops it");
    let checks = checker.checks;
    drop(checker);
    let mut asked = answers.join().expect("it only answers");
    asked.sort();
    (asked, checks)
}

#[test]
fn what_is_asked_next_is_begun_while_the_first_check_runs() {
    let (mut checker, questions) = asking(3);
    checker.announce(|| Arc::new(|mut checker| course(&mut checker)));
    let mut begun: Vec<_> = questions.iter().take(3).collect();
    begun.sort_by(|(one, _), (other, _)| one.cmp(other));
    assert_eq!(begun.iter().map(|(text, _)| &**text).collect::<Vec<_>>(), ["a", "b", "c"]);
    // The last answers first, and is asked for last.
    for (_, answer) in begun.iter().rev() {
        answer.send(Outcome::Pass).expect("it waits for that");
    }
    course(&mut checker).expect("nothing stops it");
    assert_eq!((checker.checks, checker.cache_hits), (3, 0));
    drop(checker);
    assert_eq!(questions.iter().count(), 0, "each was run once");
}

#[test]
fn what_was_begun_on_a_wrong_assumption_is_not_waited_for() {
    let (mut checker, questions) = asking(2);
    checker.announce(|| Arc::new(|mut checker| course(&mut checker)));
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
    course(&mut checker).expect("nothing stops it");
    assert_eq!(checker.checks, 2);
    drop(begun);
}

#[test]
fn a_search_that_takes_another_course_than_it_said_gets_the_same_answers() {
    let other = |checker: &mut Checker| first(checker, &["x", "c", "y", "a"]).map(drop);
    for jobs in 1..4 {
        let (asked, checks) = run(jobs, other, |_| Outcome::Pass);
        assert_eq!(checks, 4);
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
    let (mut checker, questions) = asking(2);
    let baseline = std::thread::spawn(move || {
        let next: Course = Arc::new(|mut checker| course(&mut checker));
        let verdicts = checker.check(
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
fn both(checker: &mut Checker) -> Result<(), Stop> {
    let fails = first(checker, &["a"])?.is_some() & first(checker, &["b"])?.is_some();
    first(checker, if fails { &["c"] } else { &["d", "e", "f"] }).map(drop)
}

#[test]
fn a_check_is_assumed_to_come_out_as_the_one_before() {
    let (mut checker, questions) = asking(4);
    checker.announce(|| Arc::new(|mut checker| both(&mut checker)));
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
    both(&mut checker).expect("nothing stops it");
    assert_eq!((checker.checks, checker.cache_hits), (3, 0));
    drop(first);
}

#[test]
fn what_comes_behind_a_part_of_a_search_is_begun_before_that_ends() {
    fn ask(search: &mut Search<'_>, text: &str) -> Result<(), Stop> {
        first(&mut search.checker, &[text]).map(drop)
    }
    let (checker, questions) = asking(3);
    let search = std::thread::spawn(move || {
        let (mut events, mut keep) = (Events::default(), |_: &Program| Ok(()));
        let mut search = Search::new(Program::new("a.rs", "x"), Vec::new(), checker, &mut events, &mut keep);
        let inner = |search: &mut Search<'_>| {
            search.announce(|| Box::new(|search| ask(search, "a")));
            ask(search, "a")
        };
        let outer = |search: &mut Search<'_>| search.one_after_the_other(inner, |search| ask(search, "b"));
        search.one_after_the_other(outer, |search| ask(search, "c")).expect("nothing stops it");
        search.checker.checks
    });
    let mut begun: Vec<_> = questions.iter().take(3).collect();
    begun.sort_by(|(one, _), (other, _)| one.cmp(other));
    assert_eq!(begun.iter().map(|(text, _)| &**text).collect::<Vec<_>>(), ["a", "b", "c"]);
    for (_, answer) in &begun {
        answer.send(Outcome::Pass).expect("it waits for that");
    }
    assert_eq!(search.join().expect("it waits for nothing else"), 3);
}

/// Tells how long each check may take, none of which fails.
struct Timeouts(Mutex<Sender<Duration>>);

impl Executor for Timeouts {
    fn run(&self, _: &Job, timeout: Duration, _: &Cancel) -> Result<JobResult, ExecError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).send(timeout).expect("the test listens");
        let (stdout, stderr, wall) = Default::default();
        Ok(JobResult { end: End::Exited(Outcome::Pass as i32), stdout, stderr, wall })
    }
}

#[test]
fn what_runs_ahead_may_take_as_long_as_any_check() {
    let (told, timeouts) = channel();
    let timeout = Duration::from_secs(1);
    let oracle = Arc::clone(&checker(1, Limits::default(), |_| Outcome::Pass).oracle);
    let limits = Limits { timeout: Some(timeout), ..Limits::default() };
    let executor = Arc::new(Timeouts(Mutex::new(told)));
    let mut checker = Checker::new(oracle, executor, 2, limits).expect("threads can be had");
    checker.announce(|| Arc::new(|mut checker| course(&mut checker)));
    assert_eq!(timeouts.iter().take(3).collect::<Vec<_>>(), [timeout; 3]);
}
