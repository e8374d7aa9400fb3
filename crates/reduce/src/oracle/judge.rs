//! The interestingness test, and what a kind of failure may offer besides.

use std::path::Path;
use std::sync::Arc;

use mcve_transforms::Seen;

use super::compiler_job::CompilerJob;
use super::output::diagnostics::Stderr;
use super::run::RunOracle;
use super::rustc::Rustc;
use super::ui_test::Form;
use crate::exec::job::{Job, JobResult};
use crate::oracle::signature::failure::Failure;
use crate::oracle::signature::fingerprint::{FailureId, OtherFailure};
use crate::program::Program;
use mcve_dd::outcome::Outcome;

/// The interestingness test: from a program to a job, and from the job's result to a verdict. What else a kind of failure may
/// offer has a default: the answer of [`Oracle::base`], or nothing.
///
/// An oracle only computes and never starts a process, so every kind runs on every executor.
pub trait Oracle: Send + Sync {
    /// The job that checks `program`.
    fn job(&self, program: &Program) -> Job;

    /// Judges the result of a job. Never called for a job that was cancelled.
    fn verdict(&self, result: &JobResult) -> Verdict;

    /// The failure that candidates must show.
    fn failure(&self) -> FailureId;

    /// The shell command that checks `program` by hand. `path` is its file, or the folder of its files.
    fn command(&self, program: &Program, path: &Path) -> String;

    /// The oracle whose answers those of this one are by default, if it is made of another one.
    fn base(&self) -> Option<&Arc<dyn Oracle>> {
        None
    }

    /// Facts about the kind.
    fn properties(&self) -> Properties {
        Properties::default()
    }

    /// A job of the compiler that decides nothing; none if the compiler is unknown or the job is of no use here.
    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        self.base()?.compiler_job(which, program)
    }

    /// Jobs that show the errors which the crash hides. The first that does not crash counts.
    fn hidden(&self, program: &Program) -> Vec<Job> {
        self.base().map_or_else(Vec::new, |base| base.hidden(program))
    }

    /// The failure of a run, if it is one.
    fn as_run(&self) -> Option<&RunOracle> {
        self.base()?.as_run()
    }

    /// How rustc is run and what it shows, as a test of rustc's suite; none if no compiler judges or there are no such tests.
    fn as_ui_test(&self) -> Option<(&Rustc, Form)> {
        self.base()?.as_ui_test()
    }

    /// A copy without conditions that runs rustc in another way; none if a compiler does not judge.
    fn with_rustc(&self, rustc: Rustc) -> Option<Arc<dyn Oracle>> {
        self.base()?.with_rustc(rustc)
    }

    /// How what the program prints in `result` differs between two configurations, as `diff` shows it. None if there is one.
    fn difference(&self, result: &JobResult) -> Option<String> {
        self.base()?.difference(result)
    }

    /// The message of the failure as the program of `result` wrote it, in one line, or what it used, such as the time of a run:
    /// mcve says it before it begins. None if neither is known.
    fn message(&self, result: &JobResult) -> Option<String> {
        self.base()?.message(result)
    }

    /// A crash in `result` that is not the failure to keep. By default, a crash of the compiler in a step.
    fn other_failure(&self, result: &JobResult) -> Option<OtherFailure> {
        match self.base() {
            Some(base) => base.other_failure(result),
            None => result.failed_step.and_then(|_| OtherFailure::of_compiler(&Failure::recognise(result)?)),
        }
    }

    /// All failures of the unreduced program, a line each, if known.
    fn failures(&self) -> Vec<String> {
        self.base().map_or_else(Vec::new, |base| base.failures())
    }

    /// The conditions on a candidate that fails. Each is judged by a job of its own.
    fn conditions(&self) -> &[Arc<dyn Condition>] {
        &[]
    }
}

/// The decision of an oracle about a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the failure is there.
    pub outcome: Outcome,
    /// Why, in a few words: `the same failure`, `new error E0412`, `timed out`.
    pub reason: String,
}

/// The words for a suggestion that does no harm, with which a program counts as one that passes.
pub(crate) const WORKS: &str = "its suggestion works";

impl Verdict {
    /// Whether the program passes: the failure is gone, or the suggestion that was wrong works.
    pub(crate) fn is_passing(&self) -> bool {
        self.outcome == Outcome::Pass || self.reason == WORKS
    }

    pub(crate) fn new(outcome: Outcome, reason: impl Into<String>) -> Self {
        Self { outcome, reason: reason.into() }
    }

    pub(crate) fn fail(reason: impl Into<String>) -> Self {
        Self::new(Outcome::Fail, reason)
    }

    pub(crate) fn pass(reason: impl Into<String>) -> Self {
        Self::new(Outcome::Pass, reason)
    }

    pub(crate) fn unresolved(reason: impl Into<String>) -> Self {
        Self::new(Outcome::Unresolved, reason)
    }

    /// That of a program that has to compile and does not, with the first error.
    pub(crate) fn not_compiled(result: &JobResult) -> Self {
        let error = Stderr::read(&result.stderr).errors().next().map(|error| format!("new {}", error.headline()));
        Self::unresolved(error.unwrap_or_else(|| "it does not compile".to_owned()))
    }
}

/// Facts about a kind of failure that do not depend on the candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Properties {
    /// Whether a check may run the candidate, which then may hang or write files.
    pub runs_candidates: bool,
    /// Whether the failure is in computed values, which must not be replaced by observed or invented ones.
    pub holds_values: bool,
    /// Whether what decides in a run has to stay: its branches and conditions.
    pub holds_decisions: bool,
    /// Whether it is the program that fails, when it is run.
    pub is_of_run: bool,
    /// Whether the failure is how much time or memory is used.
    pub is_of_usage: bool,
    /// Whether the compiler crashes, and not the program.
    pub is_crash: bool,
    /// Whether the failure is one error or warning that a person asks about. Who answers reads the program.
    pub is_question: bool,
    /// Whether a program that passes is valid: it compiles. Of one that is run that says nothing: it may compute less.
    pub passes_if_valid: bool,
    /// Whether it is asked that the program passes: how it does is known.
    pub is_passing: bool,
}

impl Default for Properties {
    /// Those of a kind about which nothing is known: it may run candidates.
    fn default() -> Self {
        Self {
            runs_candidates: true,
            holds_values: false,
            holds_decisions: false,
            is_of_run: false,
            is_of_usage: false,
            is_crash: false,
            is_question: false,
            passes_if_valid: false,
            is_passing: false,
        }
    }
}

impl Properties {
    /// Whether a run may fail that is like one that did not: it runs the candidate, and does not measure it.
    pub(crate) fn may_vary(self) -> bool {
        self.runs_candidates && !self.is_of_usage
    }
}

/// A condition on candidates that fail, which is judged by a job of its own.
pub trait Condition: Send + Sync {
    /// The job that judges `program`, where `first` is the result of the check of the failure.
    ///
    /// # Errors
    /// The reason why the condition does not hold, without any job.
    fn job(&self, program: &Program, first: &JobResult) -> Result<Job, String>;

    /// Why the condition does not hold by the result of the job, after `first`; none if it holds.
    fn broken(&self, result: &JobResult, first: &JobResult) -> Option<String>;

    /// What it adds to the facts about the failure.
    fn properties(&self) -> Properties {
        Properties::default()
    }

    /// `program` changed, if it is the changed program that must not fail.
    fn changed(&self, _program: &Program) -> Option<Program> {
        None
    }

    /// The condition for other data, or for data that were `seen` to run. None if it does not depend on the data.
    fn of_data(&self, _seen: Option<&Seen>) -> Option<Arc<dyn Condition>> {
        None
    }

    /// The words for it in those of the failure. By default none.
    fn words(&self) -> String {
        String::new()
    }

    /// The shell command that shows what the check of the failure, whose result is `first`, leads to. By default none.
    fn command_after(&self, _program: &Program, _path: &Path, _first: &JobResult) -> String {
        String::new()
    }

    /// The shell command that shows it. By default none, as the command of the failure is enough.
    fn command(&self, _program: &Program, _path: &Path) -> String {
        String::new()
    }
}
