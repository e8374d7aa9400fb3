//! A condition on candidates besides their failure.

use std::path::Path;
use std::sync::Arc;

use super::judge::{Oracle, Properties};
use crate::exec::job::{End, Job, JobResult};
use crate::program::Program;
use mcve_dd::outcome::Outcome;

/// A condition on candidates that fail, which is judged by a job of its own.
pub trait Condition: Send + Sync {
    /// The job that judges `program`, where `first` is the result of the check of the failure.
    ///
    /// # Errors
    /// The reason why the condition does not hold, without any job.
    fn job(&self, program: &Program, first: &JobResult) -> Result<Job, String>;

    /// Why the condition does not hold by the result of the job; none if it holds.
    fn broken(&self, result: &JobResult) -> Option<String>;

    /// What it adds to the facts about the failure.
    fn properties(&self) -> Properties;

    /// `program` changed, if it is the changed program that must not fail.
    fn changed(&self, program: &Program) -> Option<Program> {
        let _ = program;
        None
    }

    /// The words for it in those of the failure. By default none.
    fn words(&self) -> String {
        String::new()
    }

    /// The shell command that shows it. By default none, as the command of the failure is enough.
    fn command(&self, program: &Program, path: &Path) -> String {
        let _ = (program, path);
        String::new()
    }
}

/// The condition that the program has another failure as well, or has it not.
#[derive(Clone)]
pub(crate) struct ByOracle {
    /// Judges the condition: `Fail` means that it holds.
    pub oracle: Arc<dyn Oracle>,
    /// Whether the condition must not hold, although its job ended by itself.
    pub is_negated: bool,
}

impl Condition for ByOracle {
    fn job(&self, program: &Program, first: &JobResult) -> Result<Job, String> {
        self.oracle.advice().job_after(program, first).unwrap_or_else(|| Ok(self.oracle.job(program)))
    }

    fn broken(&self, result: &JobResult) -> Option<String> {
        let verdict = self.oracle.verdict(result);
        let has_ended = !matches!(result.end, End::TimedOut | End::Cancelled);
        match (verdict.outcome, self.is_negated) {
            (Outcome::Fail, false) => None,
            (_, false) => Some(verdict.reason),
            (Outcome::Fail, true) => Some(self.oracle.failure().words),
            (_, true) => (!has_ended).then_some(verdict.reason),
        }
    }

    fn properties(&self) -> Properties {
        self.oracle.advice().properties()
    }

    fn words(&self) -> String {
        format!("{}{}", if self.is_negated { "not: " } else { "" }, self.oracle.failure().words)
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        self.oracle.command(program, path)
    }
}
