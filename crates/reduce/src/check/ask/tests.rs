//! Each layer, with an executor that the test makes.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::*;
use crate::check::layers::Layers;
use crate::check::limits::Limits;
use crate::check::pool::Pool;
use crate::check::speculation::likely::Course;
use crate::check::speculation::replica::Replica;
use crate::check::testing::checker;
use crate::exec::cancel::Cancel;
use crate::exec::job::{End, ExecError, Executor, Job, JobResult};
use crate::exec::shortcut::Shortcut;
use crate::state::invocation::Invocation;
use crate::state::journal::Journal;

/// How long each run may take, and how certain its answer is.
type Runs = Vec<(Duration, Trust)>;

/// Runs jobs that take so many seconds and end so, the last again and again.
#[derive(Default)]
struct Walls {
    /// Of fresh processes.
    fresh: Mutex<VecDeque<(Outcome, u64)>>,
    /// By the shortcut.
    quick: Option<Outcome>,
    shortcut: Shortcut,
    runs: Mutex<Runs>,
}

impl Walls {
    fn of(fresh: &[(Outcome, u64)], quick: Option<Outcome>) -> Arc<Self> {
        Arc::new(Self { fresh: Mutex::new(fresh.iter().copied().collect()), quick, ..Self::default() })
    }

    fn end(&self, limit: Duration, trust: Trust, outcome: Outcome, wall: u64) -> JobResult {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner).push((limit, trust));
        let (stdout, wall) = (b"out".to_vec(), Duration::from_secs(wall));
        JobResult { stdout, wall, ..JobResult::ended(End::Exited(outcome as i32)) }
    }

    fn runs(&self) -> Runs {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Executor for Walls {
    fn run(&self, _: &Job, limit: Duration, _: &Cancel) -> Result<JobResult, ExecError> {
        let mut fresh = self.fresh.lock().unwrap_or_else(PoisonError::into_inner);
        let (outcome, wall) =
            if fresh.len() > 1 { fresh.pop_front() } else { fresh.front().copied() }.expect("one stays");
        Ok(self.end(limit, Trust::Certain, outcome, wall))
    }

    fn run_quickly(&self, _: &Job, limit: Duration, _: &Cancel) -> Result<JobResult, ExecError> {
        Ok(self.end(limit, Trust::Likely, self.quick.expect("there is a shortcut"), 0))
    }

    fn shortcut(&self) -> Option<&Shortcut> {
        self.quick.is_some().then_some(&self.shortcut)
    }
}

fn program(text: &str) -> Program {
    Program::new("a.rs", text)
}

fn key(text: &str, about: About) -> Key {
    Key { about, ..Key::verdict(&program(text)) }
}

/// Checks by this executor, with one worker.
fn checks(executor: &Arc<Walls>, limits: Limits) -> Checks {
    let oracle = checker(1, Limits::default(), |_| Outcome::Pass).parts.oracle.clone();
    Checks::new(oracle, Arc::clone(executor) as Arc<dyn Executor>, 1, limits).expect("threads can be had")
}

fn ask(checks: &mut Checks, key: Key, trust: Trust) -> Reply {
    let (oracle, program) = (Arc::clone(checks.oracle()), program(""));
    checks.ask(&Request { trust, ..Request::certain(key, &|| oracle.job(&program)) }).expect("nothing stops it")
}

/// The limits of the runs of these texts, in seconds.
fn limits(checks: &mut Checks, executor: &Walls, texts: &[&str]) -> Vec<u64> {
    texts.iter().for_each(|text| _ = ask(checks, key(text, About::Verdict), Trust::Certain));
    executor.runs().iter().map(|(limit, _)| limit.as_secs()).collect()
}

#[test]
fn a_limit_is_learned_from_failures_and_never_falls() {
    let walls = [(Outcome::Fail, 2), (Outcome::Pass, 60), (Outcome::Fail, 3), (Outcome::Fail, 1)];
    let executor = Walls::of(&walls, None);
    let mut checks = checks(&executor, Limits::default());
    assert_eq!(limits(&mut checks, &executor, &["a", "b", "c", "d"]), [3600, 20, 20, 30]);
}

#[test]
fn a_limit_is_that_of_the_user_or_an_hour_where_none_is_learned() {
    let executor = Walls::of(&[(Outcome::Fail, 100)], None);
    let own = Limits { timeout: Some(Duration::from_secs(7)), ..Limits::default() };
    assert_eq!(limits(&mut checks(&executor, own), &executor, &["a", "b"]), [7, 7]);
    let executor = Walls::of(&[(Outcome::Fail, 1)], None);
    let mut checks = checks(&executor, Limits::default()).with_layers(Layers { limits: false, ..Layers::default() });
    assert_eq!(limits(&mut checks, &executor, &["a", "b"]), [3600, 3600]);
}

#[test]
fn a_cache_asks_once_unless_the_answer_has_to_be_more_certain() {
    let executor = Walls::of(&[(Outcome::Fail, 0)], Some(Outcome::Fail));
    let mut checks = checks(&executor, Limits::default());
    let of = key("a", About::Verdict);
    let mut sources = |trust| ask(&mut checks, of, trust).source;
    assert_eq!([Trust::Likely, Trust::Likely].map(&mut sources), [Source::Run, Source::Cache]);
    let certain = [Trust::Certain, Trust::Likely, Trust::Certain].map(sources);
    assert_eq!(certain, [Source::Run, Source::Cache, Source::Cache]);
    assert_eq!(executor.runs().iter().map(|(_, trust)| *trust).collect::<Vec<_>>(), [Trust::Likely, Trust::Certain]);
}

/// The checks of a replica of a search that `checks` are for, and the threads that run its jobs.
fn replica(checks: &Checks, executor: &Arc<Walls>) -> (Checks, Pool) {
    let pool = Pool::new(1, &(Arc::clone(executor) as Arc<dyn Executor>)).expect("threads can be had");
    pool.board.announce(|| ());
    let (replica, ()) = Replica::next(&pool.board, &mut (0, 0), || Some(())).expect("it was announced");
    (Checks::of_replica(checks.parts.clone(), replica, Course::default()), pool)
}

#[test]
fn a_replica_only_reads_what_the_search_knows() {
    let executor = Walls::of(&[(Outcome::Fail, 0)], None);
    let mut checks = checks(&executor, Limits::default());
    ask(&mut checks, key("a", About::Verdict), Trust::Certain);
    let (mut replica, _pool) = replica(&checks, &executor);
    assert_eq!(ask(&mut replica, key("a", About::Verdict), Trust::Certain).source, Source::Cache);
    assert_eq!(ask(&mut replica, key("b", About::Verdict), Trust::Certain).source, Source::Prediction);
    assert!(checks.parts.known.get(key("b", About::Verdict)).is_none());
}

#[test]
fn a_run_of_its_own_is_made_whatever_is_known_and_is_known_afterwards() {
    let executor = Walls::of(&[(Outcome::Fail, 0)], None);
    let mut checks = checks(&executor, Limits::default());
    for run in 0..3 {
        assert_eq!(ask(&mut checks, key("a", About::Run(run)), Trust::Certain).source, Source::Run);
    }
    assert_eq!(ask(&mut checks, key("a", About::Verdict), Trust::Certain).source, Source::Cache);
    let output = ask(&mut checks, key("a", About::Output(Query::Check)), Trust::Certain);
    let stdout = output.result.map(|result| result.stdout.clone());
    assert_eq!((output.source, stdout), (Source::Cache, Some(b"out".to_vec())));
}

/// A path for a journal, with the folder that it is in.
fn place() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("a.journal");
    (folder, path)
}

fn begun(path: &std::path::Path) -> Journal {
    let question = Invocation::new(&["mcve".into()], "/".into(), "/r.rs".into(), program("a").hash());
    Journal::begin(path, question, &|_| false).expect("it can be made")
}

#[test]
fn a_journal_answers_as_certainly_as_it_was_answered_and_a_replica_writes_nothing() {
    let ((_folder, path), of) = (place(), key("a", About::Verdict));
    let executor = Walls::of(&[(Outcome::Pass, 2)], Some(Outcome::Fail));
    let with = |journal| checks(&executor, Limits::default()).with_journal(journal);
    let mut first = with(begun(&path));
    let answers = [Trust::Likely, Trust::Certain].map(|trust| ask(&mut first, of, trust).outcome());
    assert_eq!(answers, [Outcome::Fail, Outcome::Pass]);
    ask(&mut first, key("b", About::Output(Query::Lints)), Trust::Likely);
    drop(first);
    let (journal, _) = Journal::resume(&path).expect("it is there");
    let lines = || std::fs::read_to_string(&path).expect("it is there").lines().count();
    let before = (lines(), executor.runs().len());
    let mut second = with(journal);
    // Also where the more certain answer was another one, the course is the same again.
    assert_eq!([Trust::Likely, Trust::Certain].map(|trust| ask(&mut second, of, trust).outcome()), answers);
    assert!(ask(&mut second, key("b", About::Output(Query::Lints)), Trust::Likely).result.is_some());
    assert_eq!((lines(), executor.runs().len()), before, "nothing is asked twice");
    let (mut replica, _pool) = replica(&second, &executor);
    ask(&mut replica, key("c", About::Verdict), Trust::Likely);
    assert_eq!(lines(), before.0, "a replica only reads");
}

#[test]
fn time_in_which_the_journal_answers_is_given_back() {
    let ((_folder, path), of) = (place(), key("a", About::Verdict));
    let executor = Walls::of(&[(Outcome::Fail, 1)], None);
    let until = |time| Limits { deadline: Some(Instant::now() + time), ..Limits::default() };
    let hour = until(Duration::from_secs(3600));
    ask(&mut checks(&executor, hour).with_journal(begun(&path)), of, Trust::Certain);
    let (journal, _) = Journal::resume(&path).expect("it is there");
    let mut checks = checks(&executor, until(Duration::from_millis(20))).with_journal(journal);
    ask(&mut checks, of, Trust::Certain);
    while checks.proceed().is_ok() {}
    checks.clock.resume();
    assert!(checks.proceed().is_ok());
}

#[test]
fn an_oracle_judges_what_was_run_or_given() {
    let executor = Walls::of(&[(Outcome::Pass, 0)], Some(Outcome::Fail));
    let mut checks = checks(&executor, Limits::default());
    let run = ask(&mut checks, key("a", About::Verdict), Trust::Likely);
    assert_eq!((run.outcome(), run.trust), (Outcome::Fail, Trust::Likely));
    let given = JobResult::ended(End::Exited(Outcome::Pass as i32));
    let request = Request { given: Some(&given), ..Request::certain(key("b", About::Verdict), &|| unreachable!()) };
    let reply = checks.ask(&request).expect("nothing stops it");
    assert_eq!((reply.outcome(), reply.trust), (Outcome::Pass, Trust::Certain));
    assert!(ask(&mut checks, key("a", About::Output(Query::Lints)), Trust::Likely).verdict.is_none());
    assert_eq!(executor.runs().len(), 2);
}

#[test]
fn without_a_fork_server_each_answer_is_certain() {
    let without = Walls::of(&[(Outcome::Pass, 0)], None);
    assert_eq!(checks(&without, Limits::default()).least_trust(), Trust::Certain);
    let with = Walls::of(&[(Outcome::Pass, 0)], Some(Outcome::Pass));
    let checks = checks(&with, Limits::default());
    assert_eq!(checks.least_trust(), Trust::Likely);
    let checks = checks.with_layers(Layers { fork_server: false, ..Layers::default() });
    assert_eq!(checks.least_trust(), Trust::Certain);
}
