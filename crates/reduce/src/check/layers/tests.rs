//! Each layer alone, over layers that the test makes.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use super::*;
use crate::check::limits::{Limits, Stop};
use crate::check::request::{About, Key, Query, Ran, Reply, Request, Source as From};
use crate::check::testing::{Never, checker};
use crate::exec::job::{End, Job, JobResult, Trust};
use crate::oracle::Verdict;
use crate::program::{ContentHash, Program};

/// Answers by a closure, and keeps what it was asked.
#[derive(Clone)]
struct Below<F> {
    answer: F,
    asked: Rc<RefCell<Vec<(Key, Trust, Duration)>>>,
}

impl<F: Fn(&Request<'_>) -> Reply> Check for Below<F> {
    fn ask(&mut self, request: &Request<'_>) -> Result<Reply, Stop> {
        self.asked.borrow_mut().push((request.key, request.trust, request.limit));
        Ok((self.answer)(request))
    }
}

fn below<F: Fn(&Request<'_>) -> Reply>(answer: F) -> Below<F> {
    Below { answer, asked: Rc::default() }
}

fn result(wall: u64) -> JobResult {
    JobResult { stdout: b"out".to_vec(), wall: Duration::from_secs(wall), ..JobResult::ended(End::Exited(0)) }
}

/// What a run of so many seconds says.
fn reply(outcome: Outcome, trust: Trust, wall: u64) -> Reply {
    let result = result(wall);
    let (verdict, wall) = (Some(Verdict::new(outcome, "why")), result.wall);
    Reply { verdict, result: Some(Arc::new(result)), trust, wall, source: From::Run }
}

fn hash(text: &str) -> ContentHash {
    Program::new("a.rs", text).hash()
}

fn key(text: &str, about: About) -> Key {
    Key { text: hash(text), about }
}

fn no_job() -> Job {
    Job::default()
}

fn ask(layer: &mut dyn Check, key: Key, trust: Trust) -> Reply {
    let request = Request { trust, ..crate::check::checks::request(key, &no_job) };
    layer.ask(&request).expect("nothing stops it")
}

#[test]
fn a_limit_is_learned_from_failures_and_never_falls() {
    let walls = RefCell::new(vec![(Outcome::Fail, 1), (Outcome::Fail, 3), (Outcome::Pass, 60), (Outcome::Fail, 2)]);
    let below = below(move |_| {
        let (outcome, wall) = walls.borrow_mut().pop().expect("there are four questions");
        reply(outcome, Trust::Certain, wall)
    });
    let asked = Rc::clone(&below.asked);
    let (below, slowest) = (Box::new(below), Slowest::default());
    let mut limited = Limited { below, fixed: None, slowest, learns: |outcome| outcome == Outcome::Fail };
    let _ = ["a", "b", "c", "d"].map(|text| ask(&mut limited, key(text, About::Verdict), Trust::Certain));
    let limits: Vec<u64> = asked.borrow().iter().map(|(.., limit)| limit.as_secs()).collect();
    assert_eq!(limits, [3600, 20, 20, 30]);
}

#[test]
fn a_limit_of_the_user_is_the_limit() {
    let below = below(|_| reply(Outcome::Fail, Trust::Certain, 100));
    let asked = Rc::clone(&below.asked);
    let fixed = Some(Duration::from_secs(7));
    let mut limited = Limited { below: Box::new(below), fixed, slowest: Slowest::default(), learns: |_| true };
    let _ = ["a", "b"].map(|text| ask(&mut limited, key(text, About::Verdict), Trust::Certain));
    assert!(asked.borrow().iter().all(|(.., limit)| *limit == Duration::from_secs(7)));
}

#[test]
fn a_cache_asks_once_unless_the_answer_has_to_be_more_certain() {
    let below = below(|request| reply(Outcome::Fail, request.trust, 1));
    let asked = Rc::clone(&below.asked);
    let known = Answers::default();
    let mut cached = Cached { below: Box::new(below.clone()), known: known.clone(), is_view: false };
    let of = key("a", About::Verdict);
    let mut sources = |trust| ask(&mut cached, of, trust).source;
    assert_eq!([Trust::Likely, Trust::Likely].map(&mut sources), [From::Run, From::Cache]);
    assert_eq!([Trust::Certain, Trust::Likely, Trust::Certain].map(sources), [From::Run, From::Cache, From::Cache]);
    assert_eq!(asked.borrow().iter().map(|(_, trust, _)| *trust).collect::<Vec<_>>(), [Trust::Likely, Trust::Certain]);
    let mut view = Cached { below: Box::new(below), known: known.clone(), is_view: true };
    assert_eq!(ask(&mut view, of, Trust::Certain).source, From::Cache);
    assert_eq!(ask(&mut view, key("b", About::Verdict), Trust::Certain).source, From::Run);
    assert!(known.get(key("b", About::Verdict)).is_none(), "a view only reads");
}

#[test]
fn a_run_of_its_own_is_made_whatever_is_known_and_is_known_afterwards() {
    let below = below(|request| reply(Outcome::Fail, request.trust, 1));
    let mut cached = Cached { below: Box::new(below), known: Answers::default(), is_view: false };
    for run in 0..3 {
        assert_eq!(ask(&mut cached, key("a", About::Run(run)), Trust::Certain).source, From::Run);
    }
    assert_eq!(ask(&mut cached, key("a", About::Verdict), Trust::Certain).source, From::Cache);
    let output = ask(&mut cached, key("a", About::Output(Query::Check)), Trust::Certain);
    assert_eq!(
        (output.source, output.result.map(|result| result.stdout.clone())),
        (From::Cache, Some(b"out".to_vec()))
    );
}

#[test]
fn a_journal_answers_as_certainly_as_it_was_answered_and_a_view_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("a.journal");
    let question = crate::state::invocation::Invocation::new(&["mcve".into()], "/".into(), "/r.rs".into(), hash("a"));
    let of = key("a", About::Verdict);
    let below = below(|request| match request.trust {
        Trust::Likely => reply(Outcome::Fail, Trust::Likely, 1),
        Trust::Certain => reply(Outcome::Pass, Trust::Certain, 2),
    });
    let layer = |journal, clock| Journalled { below: Box::new(below.clone()), journal, clock };
    let clock = || Some(Clock::start(Limits::default()));
    let journal = Journal::begin(&path, question, &|_| false).expect("it can be made");
    let mut first = layer(journal, clock());
    let answers = [Trust::Likely, Trust::Certain].map(|trust| ask(&mut first, of, trust).outcome());
    ask(&mut first, key("b", About::Output(Query::Lints)), Trust::Likely);
    drop(first);
    let (journal, _) = Journal::resume(&path).expect("it is there");
    let lines = || std::fs::read_to_string(&path).expect("it is there").lines().count();
    let before = (lines(), below.asked.borrow().len());
    let mut second = layer(journal.clone(), clock());
    // Also where the more certain answer was another one, the course is the same again.
    assert_eq!([Trust::Likely, Trust::Certain].map(|trust| ask(&mut second, of, trust).outcome()), answers);
    assert!(ask(&mut second, key("b", About::Output(Query::Lints)), Trust::Likely).result.is_some());
    assert_eq!((lines(), below.asked.borrow().len()), before, "nothing is asked twice");
    ask(&mut layer(journal, None), key("c", About::Verdict), Trust::Likely);
    assert_eq!(lines(), before.0, "a view only reads");
    drop(second);
}

#[test]
fn time_in_which_the_journal_answers_is_given_back() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("a.journal");
    let question = crate::state::invocation::Invocation::new(&["mcve".into()], "/".into(), "/r.rs".into(), hash("a"));
    let below = below(|request| reply(Outcome::Fail, request.trust, 1));
    let journal = Journal::begin(&path, question, &|_| false).expect("it can be made");
    let limits = Limits { deadline: Some(Instant::now() + Duration::from_secs(3600)), ..Limits::default() };
    let of = key("a", About::Verdict);
    let mut layer = Journalled { below: Box::new(below.clone()), journal, clock: Some(Clock::start(limits)) };
    ask(&mut layer, of, Trust::Certain);
    drop(layer);
    let (journal, _) = Journal::resume(&path).expect("it is there");
    let soon = Limits { deadline: Some(Instant::now() + Duration::from_millis(20)), ..Limits::default() };
    let clock = Clock::start(soon);
    let mut layer = Journalled { below: Box::new(below), journal, clock: Some(clock.clone()) };
    ask(&mut layer, of, Trust::Certain);
    while clock.proceed().is_ok() {}
    clock.resume();
    assert!(clock.proceed().is_ok());
}

/// Runs jobs by a closure and keeps what was settled.
struct Runs {
    result: fn() -> JobResult,
    settled: Rc<RefCell<Vec<(Key, bool)>>>,
}

impl Run for Runs {
    fn run(&mut self, _: &Request<'_>) -> Result<Ran, Stop> {
        Ok(Ran { result: (self.result)(), trust: Trust::Likely })
    }

    fn settle(&mut self, key: Key, fails: bool) {
        self.settled.borrow_mut().push((key, fails));
    }
}

#[test]
fn an_oracle_judges_what_was_run_or_given() {
    let settled = Rc::default();
    let runs = Runs {
        result: || JobResult { end: End::Exited(Outcome::Fail as i32), ..result(1) },
        settled: Rc::clone(&settled),
    };
    let oracle = checker(1, Limits::default(), |_| Outcome::Fail).parts.oracle;
    let mut judged = JudgedBy { below: Box::new(runs), oracle, holds_passing: false, broken: 0 };
    let of = key("a", About::Verdict);
    let run = ask(&mut judged, of, Trust::Likely);
    assert_eq!((run.outcome(), run.trust), (Outcome::Fail, Trust::Likely));
    let given = JobResult { end: End::Exited(Outcome::Pass as i32), ..result(1) };
    let request = Request { given: Some(&given), ..crate::check::checks::request(of, &no_job) };
    let reply = judged.ask(&request).expect("nothing stops it");
    assert_eq!((reply.outcome(), reply.trust), (Outcome::Pass, Trust::Certain));
    assert!(ask(&mut judged, key("a", About::Output(Query::Lints)), Trust::Likely).verdict.is_none());
    let fails: Vec<bool> = settled.borrow().iter().map(|(_, fails)| *fails).collect();
    assert_eq!(fails, [true, false, false]);
}

#[test]
fn without_a_fork_server_each_answer_is_certain() {
    let modes = Modes::new(Arc::new(Never));
    assert_eq!(modes.least_trust(), Trust::Certain);
}
