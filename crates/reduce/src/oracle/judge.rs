//! The interestingness test, and what a kind of failure may offer besides.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use mcve_transforms::{Completed, Ended};

use super::compiler_job::CompilerJob;
use super::rustc::Rustc;
use super::ui_test::Form;
use super::verdict::Verdict;
use crate::exec::job::{Job, JobResult};
use crate::oracle::signature::failure::Failure;
use crate::oracle::signature::fingerprint::{FailureId, OtherFailure};
use crate::program::{Change, Program};

/// The interestingness test: from a program to a job, and from the job's result to a verdict.
///
/// An oracle only computes and never starts a process, so every kind runs on every executor.
pub trait Oracle: Advice + Send + Sync {
    /// The job that checks `program`.
    fn job(&self, program: &Program) -> Job;

    /// Judges the result of a job. Never called for a job that was cancelled.
    fn verdict(&self, result: &JobResult) -> Verdict;

    /// The failure that candidates must show.
    fn failure(&self) -> FailureId;

    /// The shell command that checks `program` by hand. `path` is its file, or the folder of its files.
    fn command(&self, program: &Program, path: &Path) -> String;
}

/// Facts about a kind of failure that do not depend on the candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Properties {
    /// Whether a check may run the candidate, which then may hang or write files.
    pub runs_candidates: bool,
    /// Whether the failure is in the values that the program computes. Such values must not be replaced by observed or
    /// invented ones.
    pub holds_values: bool,
    /// Whether it is the program that fails, when it is run.
    pub is_of_run: bool,
    /// Whether the failure is how much time or memory is used.
    pub is_of_usage: bool,
    /// Whether the compiler crashes, and not the program.
    pub is_crash: bool,
    /// Whether the failure is one error or warning that a person asks about. Who answers reads the program.
    pub is_question: bool,
    /// Whether a program that passes is valid: it compiles, and if it is run, it ends normally.
    pub passes_if_valid: bool,
}

impl Default for Properties {
    /// Those of a kind about which nothing is known: it may run candidates.
    fn default() -> Self {
        Self {
            runs_candidates: true,
            holds_values: false,
            is_of_run: false,
            is_of_usage: false,
            is_crash: false,
            is_question: false,
            passes_if_valid: false,
        }
    }
}

/// Advice that a kind of failure may offer besides its verdict. Each method has a default for kinds without it.
pub trait Advice {
    /// Facts about the kind.
    fn properties(&self) -> Properties {
        Properties::default()
    }

    /// A job of the compiler that decides nothing; none if the compiler is unknown or the job is of no use here.
    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        let _ = (which, program);
        None
    }

    /// Jobs that show the errors which the crash hides. The first that does not crash counts.
    fn hidden(&self, program: &Program) -> Vec<Job> {
        let _ = program;
        Vec::new()
    }

    /// The job that runs `program` once for each of these values of a variable, or all of its tests if `whole`.
    /// [`runs::read`](crate::oracle::output::runs::read) reads its result. None if a check runs no program.
    fn runs_by(&self, program: &Program, variable: &str, values: &[String], whole: bool) -> Option<Job> {
        let _ = (program, variable, values, whole);
        None
    }

    /// The functions of `program` that return the same for all arguments although the failure needs what they compute: their
    /// bytes. By default none.
    fn made_constant(&self, program: &Program) -> Vec<Range<usize>> {
        let _ = program;
        Vec::new()
    }

    /// The name of the test that fails, without its modules; none if no test does.
    fn test(&self) -> Option<&str> {
        None
    }

    /// Whether `program` still has the code that fails. If not, a run without the failure proves nothing.
    fn may_pass(&self, program: &Program) -> bool {
        let _ = program;
        true
    }

    /// How rustc is run and what the program shows, as a test of rustc's suite; none if a compiler does not judge or the suite
    /// has no such tests.
    fn as_ui_test(&self) -> Option<(&Rustc, Form)> {
        None
    }

    /// A copy that runs rustc in another way; none if a compiler does not judge.
    fn with_rustc(&self, rustc: Rustc) -> Option<Arc<dyn Oracle>> {
        let _ = rustc;
        None
    }

    /// A copy with a longer time limit, as a program that passes may run longer than one that fails. None if no program runs.
    fn with_time_to_pass(&self) -> Option<Arc<dyn Oracle>> {
        None
    }

    /// A copy that holds candidates to the expression of `program`, which is traced, that fails in `result`. None if no place
    /// of the program fails.
    fn at_place(&self, program: &Program, result: &JobResult) -> Option<Arc<dyn Oracle>> {
        let _ = (program, result);
        None
    }

    /// The condition that the program passes with a change of the unreduced program, for which that takes as long as in
    /// `passing`. None if no program runs.
    fn passes_with(&self, change: Change, passing: &JobResult) -> Option<Arc<dyn Condition>> {
        let _ = (change, passing);
        None
    }

    /// The condition that the run ends by these statements of `program`, which is not reduced. None if no program runs, or no
    /// statement ends it.
    fn ends_at(&self, program: &Program, ended: Ended) -> Option<Arc<dyn Condition>> {
        let _ = (program, ended);
        None
    }

    /// The condition that the program completes such a part around its failure before it fails. None if no program runs.
    fn completes_before(&self, part: Completed) -> Option<Arc<dyn Condition>> {
        let _ = part;
        None
    }

    /// How what the program prints in `result` differs between two configurations, as `diff` shows it. None if there is one.
    fn difference(&self, result: &JobResult) -> Option<String> {
        let _ = result;
        None
    }

    /// The message of the failure as the program of `result` wrote it, in one line, or what it used. None if neither is known.
    fn message(&self, result: &JobResult) -> Option<String> {
        let _ = result;
        None
    }

    /// A crash in `result` that is not the failure to keep. By default, a crash of the compiler in a step.
    fn other_failure(&self, result: &JobResult) -> Option<OtherFailure> {
        result.failed_step.and_then(|_| OtherFailure::of_compiler(&Failure::recognise(result)?))
    }

    /// All failures of the unreduced program, a line each, if known.
    fn failures(&self) -> Vec<String> {
        Vec::new()
    }

    /// The conditions on a candidate that fails. Each is judged by a job of its own.
    fn conditions(&self) -> &[Arc<dyn Condition>] {
        &[]
    }

    /// As a condition, the shell command that depends on `first`, as [`job_after`](Self::job_after) does. By default none.
    fn command_after(&self, program: &Program, path: &Path, first: &JobResult) -> String {
        let _ = (program, path, first);
        String::new()
    }

    /// As a condition, the job that depends on `first`, the result of the check of the failure. None if [`Oracle::job`] does.
    /// An error says why the condition does not hold without any job.
    fn job_after(&self, program: &Program, first: &JobResult) -> Option<Result<Job, String>> {
        let _ = (program, first);
        None
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

    /// The shell command that shows what the check of the failure, whose result is `first`, leads to. By default none.
    fn command_after(&self, program: &Program, path: &Path, first: &JobResult) -> String {
        let _ = (program, path, first);
        String::new()
    }

    /// The shell command that shows it. By default none, as the command of the failure is enough.
    fn command(&self, program: &Program, path: &Path) -> String {
        let _ = (program, path);
        String::new()
    }
}
