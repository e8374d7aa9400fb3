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

/// "Runs" a check by asking a closure about the text; its answer is the exit code.
struct Closure<F>(F);

impl<F: Fn(&str) -> Outcome + Send + Sync> Executor for Closure<F> {
    fn run(&self, job: &Job, _: Duration, _: &Cancel) -> Result<JobResult, ExecError> {
        let end = End::Exited(self.0(&job.files[0].1) as i32);
        Ok(JobResult { end, stdout: Vec::new(), stderr: Vec::new(), wall: Duration::ZERO })
    }
}

/// Reads the exit code back.
struct ExitCode;

impl Oracle for ExitCode {
    fn job(&self, program: &Program) -> Job {
        let files = vec![(program.name.clone(), Arc::clone(&program.text))];
        Job { files, argv: Vec::new(), env: Vec::new() }
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        let outcomes = [Outcome::Fail, Outcome::Pass, Outcome::Unresolved];
        let outcome = outcomes.into_iter().find(|outcome| result.end == End::Exited(*outcome as i32));
        Verdict { outcome: outcome.expect("the executor returns no other code"), reason: "closure".to_owned() }
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
    Checker::new(Arc::new(ExitCode), Arc::new(Closure(outcome)), jobs, limits).expect("threads can be had")
}

/// Keeps all events.
#[derive(Default)]
pub(crate) struct Events(pub(crate) Vec<Event>);

impl Observer for Events {
    fn event(&mut self, event: &Event) {
        self.0.push(event.clone());
    }
}
