//! Oracles in the process, for the tests of the search: a closure decides on the text.

use std::sync::Arc;
use std::time::Duration;

use super::checker::{Checker, Limits};
use crate::dd::outcome::Outcome;
use crate::event::{Event, Observer};
use crate::exec::job::{End, ExecError, Executor, Job, JobResult};
use crate::exec::process::Cancel;
use crate::oracle::{Oracle, Verdict};
use crate::program::Program;

/// "Runs" a check by asking a closure about the text; its answer is the exit code, or none if the check hangs.
struct Closure<F>(F);

impl<F: Fn(&str) -> Option<Outcome> + Send + Sync> Executor for Closure<F> {
    fn run(&self, job: &Job, _: Duration, _: &Cancel) -> Result<JobResult, ExecError> {
        let end = self.0(&job.files[0].1).map_or(End::TimedOut, |outcome| End::Exited(outcome as i32));
        Ok(JobResult { end, stdout: Vec::new(), stderr: Vec::new(), wall: Duration::ZERO })
    }
}

/// Reads the exit code back.
struct ExitCode {
    runs_candidates: bool,
}

impl Oracle for ExitCode {
    fn job(&self, program: &Program) -> Job {
        let files = vec![(program.name.clone(), Arc::clone(&program.text))];
        Job { files, argv: Vec::new(), env: Vec::new() }
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        if result.end == End::TimedOut {
            return Verdict::new(Outcome::Unresolved, HANGS);
        }
        let outcomes = [Outcome::Fail, Outcome::Pass, Outcome::Unresolved];
        let outcome = outcomes.into_iter().find(|outcome| result.end == End::Exited(*outcome as i32));
        Verdict::new(outcome.expect("the executor returns no other code"), "closure")
    }

    fn runs_candidates(&self) -> bool {
        self.runs_candidates
    }

    fn failure(&self) -> String {
        "a closure".to_owned()
    }

    fn command(&self, path: &std::path::Path) -> String {
        path.display().to_string()
    }
}

/// A checker that asks a closure, with so many workers.
pub(crate) fn checker(
    jobs: usize,
    limits: Limits,
    outcome: impl Fn(&str) -> Outcome + Send + Sync + 'static,
) -> Checker {
    let (oracle, executor) = (ExitCode { runs_candidates: false }, Closure(move |text: &str| Some(outcome(text))));
    Checker::new(Arc::new(oracle), Arc::new(executor), jobs, limits).expect("threads can be had")
}

/// The reason of a verdict on a check that hangs.
pub(crate) const HANGS: &str = "timed out";

/// A checker that asks a closure that runs the program, for which nothing is the answer where it hangs.
pub(crate) fn runner(outcome: impl Fn(&str) -> Option<Outcome> + Send + Sync + 'static) -> Checker {
    let (oracle, executor) = (ExitCode { runs_candidates: true }, Closure(outcome));
    Checker::new(Arc::new(oracle), Arc::new(executor), 2, Limits::default()).expect("threads can be had")
}

/// Keeps all events.
#[derive(Default)]
pub(crate) struct Events(pub(crate) Vec<Event>);

impl Observer for Events {
    fn event(&mut self, event: &Event) {
        self.0.push(event.clone());
    }
}
