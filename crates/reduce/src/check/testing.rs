//! Oracles in the process, for the tests of the search: a closure decides on the text.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::check::checks::{Candidate, Checks};
use crate::check::limits::{Limits, Stop};
use crate::event::{Event, Observer};
use crate::exec::job::{End, ExecError, Executor, Job, JobResult, Word};
use crate::exec::process::Cancel;
use crate::exec::shortcut::Shortcut;
use crate::oracle::{CompilerJob, FailureId, Oracle, Properties, Verdict};
use crate::program::Program;
use mcve_dd::outcome::Outcome;

impl Checks {
    /// The first of `candidates` that fails, and its position. `None` among them is skipped.
    pub(crate) fn first<T>(
        &mut self,
        candidates: &mut dyn Iterator<Item = Option<Candidate<T>>>,
        observer: &mut dyn Observer,
    ) -> Result<Option<(usize, Candidate<T>)>, Stop> {
        for position in 0.. {
            self.proceed()?;
            let Some(candidate) = candidates.next() else { break };
            let Some(candidate) = candidate else { continue };
            if self.outcome(&candidate.0, observer)? == Outcome::Fail {
                return Ok(Some((position, candidate)));
            }
        }
        Ok(None)
    }
}

/// "Runs" a check by asking a closure about the text; its answer is the exit code, or none if the check hangs.
struct Closure<F> {
    outcome: F,
    /// The compiler output for a text when hints are requested.
    advice: fn(&str) -> String,
}

impl<F: Fn(&str) -> Option<Outcome> + Send + Sync> Executor for Closure<F> {
    fn run(&self, job: &Job, _: Duration, _: &Cancel) -> Result<JobResult, ExecError> {
        let text = std::str::from_utf8(&job.files[0].1.bytes).expect("programs are text");
        if !job.argv.is_empty() {
            let (end, stderr) = (End::Exited(0), (self.advice)(text).into());
            return Ok(JobResult { stderr, ..JobResult::ended(end) });
        }
        let end = (self.outcome)(text).map_or(End::TimedOut, |outcome| End::Exited(outcome as i32));
        Ok(JobResult::ended(end))
    }
}

/// "Runs" checks by another closure where it takes its shortcut.
struct Hasty<F, G> {
    plain: Closure<F>,
    quick: Closure<G>,
    shortcut: Shortcut,
}

impl<F, G> Executor for Hasty<F, G>
where
    F: Fn(&str) -> Option<Outcome> + Send + Sync,
    G: Fn(&str) -> Option<Outcome> + Send + Sync,
{
    fn run(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, ExecError> {
        self.plain.run(job, timeout, cancel)
    }

    fn run_quickly(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, ExecError> {
        let runs = if self.shortcut.is_open() { &self.quick as &dyn Executor } else { &self.plain };
        self.shortcut.mark_served();
        runs.run(job, timeout, cancel)
    }

    fn shortcut(&self) -> Option<&Shortcut> {
        Some(&self.shortcut)
    }
}

/// Checks that ask `quick` as long as the shortcut is open, and `plain` for what is to be certain.
pub(crate) fn shortcut(
    jobs: usize,
    plain: impl Fn(&str) -> Outcome + Send + Sync + 'static,
    quick: impl Fn(&str) -> Outcome + Send + Sync + 'static,
) -> Checks {
    limited_shortcut(jobs, Limits::default(), plain, quick)
}

pub(crate) fn limited_shortcut(
    jobs: usize,
    limits: Limits,
    plain: impl Fn(&str) -> Outcome + Send + Sync + 'static,
    quick: impl Fn(&str) -> Outcome + Send + Sync + 'static,
) -> Checks {
    let plain = Closure { outcome: move |text: &str| Some(plain(text)), advice: |_| String::new() };
    let quick = Closure { outcome: move |text: &str| Some(quick(text)), advice: |_| String::new() };
    let executor = Hasty { plain, quick, shortcut: Shortcut::default() };
    Checks::new(Arc::new(ExitCode::default()), Arc::new(executor), jobs, limits).expect("threads can be had")
}

/// Reads the exit code back.
#[derive(Default)]
struct ExitCode {
    runs_candidates: bool,
}

impl Oracle for ExitCode {
    fn job(&self, program: &Program) -> Job {
        let files = vec![(program.name.clone(), Arc::clone(&program.text).into())];
        Job { files, ..Job::default() }
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        if result.end == End::TimedOut {
            return Verdict::unresolved(HANGS);
        }
        let outcomes = [Outcome::Fail, Outcome::Pass, Outcome::Unresolved];
        let outcome = outcomes.into_iter().find(|outcome| result.end == End::Exited(*outcome as i32));
        Verdict::new(outcome.expect("the executor returns no other code"), "closure")
    }

    fn failure(&self) -> FailureId {
        "a closure".to_owned().into()
    }

    fn command(&self, _: &Program, path: &std::path::Path) -> String {
        path.display().to_string()
    }

    fn properties(&self) -> Properties {
        Properties { runs_candidates: self.runs_candidates, ..Properties::default() }
    }

    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        let hints = || Job { argv: vec![Word::Text("hints".into())], ..self.job(program) };
        (which == CompilerJob::Hints).then(hints)
    }
}

/// Checks that asks a closure, with so many workers.
pub(crate) fn checker(
    jobs: usize,
    limits: Limits,
    outcome: impl Fn(&str) -> Outcome + Send + Sync + 'static,
) -> Checks {
    advised(jobs, limits, outcome, |_| String::new())
}

/// As [`checker`], with a compiler that says something when it is asked for hints.
pub(crate) fn advised(
    jobs: usize,
    limits: Limits,
    outcome: impl Fn(&str) -> Outcome + Send + Sync + 'static,
    advice: fn(&str) -> String,
) -> Checks {
    let executor = Closure { outcome: move |text: &str| Some(outcome(text)), advice };
    Checks::new(Arc::new(ExitCode::default()), Arc::new(executor), jobs, limits).expect("threads can be had")
}

/// The reason of a verdict on a check that hangs.
pub(crate) const HANGS: &str = "timed out";

/// Checks that asks a closure that runs the program, for which nothing is the answer where it hangs.
pub(crate) fn runner(outcome: impl Fn(&str) -> Option<Outcome> + Send + Sync + 'static) -> Checks {
    let executor = Closure { outcome, advice: |_| String::new() };
    Checks::new(Arc::new(ExitCode { runs_candidates: true }), Arc::new(executor), 2, Limits::default())
        .expect("threads can be had")
}

#[derive(Default)]
pub(crate) struct Events(pub(crate) Vec<Event>);

impl Observer for Events {
    fn event(&mut self, event: &Event) {
        self.0.push(event.clone());
    }
}

pub(crate) struct Never;

impl Executor for Never {
    fn run(&self, _: &Job, _: Duration, _: &Cancel) -> Result<JobResult, ExecError> {
        unreachable!("it is not asked")
    }
}

/// The texts that are checked, each with where its outcome goes.
pub(crate) type Asked = Receiver<(String, Sender<Outcome>)>;

/// A check that says what text it is about and waits for its outcome.
pub(crate) fn asking() -> (impl Fn(&str) -> Outcome + Send + Sync + 'static, Asked) {
    let (asked, questions) = channel();
    let asked = Mutex::new(asked);
    let outcome = move |text: &str| {
        let (answer, answered) = channel();
        let asked = asked.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // Where nobody asks any more, nobody listens.
        let _ = asked.send((text.to_owned(), answer));
        answered.recv().unwrap_or(Outcome::Unresolved)
    };
    (outcome, questions)
}
