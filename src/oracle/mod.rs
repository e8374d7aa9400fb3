//! Oracles: is the failure still there? A kind of oracle a file, each two functions: program to job, result to verdict.

pub mod accepted;
pub mod cargo_test;
pub mod command;
pub mod compare;
pub mod conditional;
pub mod crash;
pub mod diagnostic;
pub mod diagnostics;
pub mod entry;
pub mod failure;
pub mod fingerprint;
pub mod formatter;
pub mod hang;
pub mod headers;
pub mod hints;
pub mod identity;
pub mod layout;
mod llvm;
mod normalise;
pub mod obstacles;
mod panics;
pub mod places;
pub mod prints;
pub mod reason;
mod recognise;
pub mod run;
pub mod run_failure;
pub mod runs;
pub mod rustc;
mod rustc_args;
pub mod script;
pub(crate) mod shell;
pub mod strictness;
pub mod suggestion;
pub mod ui_test;
pub mod usage;
pub mod valid;
pub mod wanted;

use std::sync::Arc;

use conditional::Condition;
use failure::Failure;
use fingerprint::{Fingerprint, OtherFailure};
use rustc::Rustc;
use ui_test::Form;

use crate::dd::outcome::Outcome;
use crate::exec::job::{Job, JobResult};
use crate::program::Program;

/// What an oracle says of a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the failure is there.
    pub outcome: Outcome,
    /// Why, in a few words: `the same failure`, `new error E0412`, `timed out`.
    pub reason: String,
}

impl Verdict {
    pub(crate) fn new(outcome: Outcome, reason: impl Into<String>) -> Self {
        Self { outcome, reason: reason.into() }
    }
}

/// The interestingness test: from a program to what is run, and from what came of it to a verdict.
///
/// Neither function does anything but compute, so every kind of oracle runs on every executor.
pub trait Oracle: Send + Sync {
    /// What is to be run to check `program`.
    fn job(&self, program: &Program) -> Job;

    /// The same for a condition, where `first` came of the check of the failure.
    ///
    /// # Errors
    /// When the condition does not hold by that alone: why.
    fn job_after(&self, program: &Program, first: &JobResult) -> Result<Job, String> {
        let _ = first;
        Ok(self.job(program))
    }

    /// What came of it means. Never asked for a job that was cancelled.
    fn verdict(&self, result: &JobResult) -> Verdict;

    /// What else has to hold, judged one after the other by a job of its own, where `verdict` says that the candidate fails.
    fn conditions(&self) -> &[Condition] {
        &[]
    }

    /// Whether a check may run the candidate, so that one that does not end makes the check hang. Where it is not known, it
    /// may.
    fn runs_candidates(&self) -> bool {
        true
    }

    /// What is to be run so that a compiler says what it calls unused in `program`, as [`hints::read`] understands; none if no
    /// compiler is known.
    fn hints(&self, program: &Program) -> Option<Job> {
        let _ = program;
        None
    }

    /// What is to be run so that a compiler says which errors `program` has, and generates no code; none where a program with
    /// errors may fail as well as one without.
    fn errors(&self, program: &Program) -> Option<Job> {
        let _ = program;
        None
    }

    /// What is to be run so that a formatter prints `program` in another layout; none if none is known.
    fn layout(&self, program: &Program) -> Option<Job> {
        let _ = program;
        None
    }

    /// What is to be run so that a compiler says what it says of `program`, where the job of a check keeps that to itself;
    /// none if no compiler is known.
    fn compiled(&self, program: &Program) -> Option<Job> {
        let _ = program;
        None
    }

    /// What is to be run so that `program` runs once for each of these values of a variable, all of its tests where `whole`; what
    /// comes of it is for [`runs::read`]. None where a check runs no program.
    fn runs_by(&self, program: &Program, variable: &str, values: &[String], whole: bool) -> Option<Job> {
        let _ = (program, variable, values, whole);
        None
    }

    /// Whether the values that the program computes are what fails, so that none may take their place that a run showed or that
    /// nobody computes.
    fn holds_values(&self) -> bool {
        false
    }

    /// Whether `program` has what fails, without which it says nothing that it does not fail.
    fn may_pass(&self, program: &Program) -> bool {
        let _ = program;
        true
    }

    /// Whether the failure is a crash, of the compiler and not of the program.
    fn is_crash(&self) -> bool {
        false
    }

    /// Whether the failure is one error or warning, which a person asks about: who answers reads the program.
    fn is_question(&self) -> bool {
        false
    }

    /// What is to be run so that a compiler says which errors of `program` the crash hides: the first of these that does not crash
    /// says it.
    fn hidden(&self, program: &Program) -> Vec<Job> {
        let _ = program;
        Vec::new()
    }

    /// How rustc is run, and what a test of rustc's suite is to show that is made of a program; none where a compiler does not
    /// judge, or the suite has no such tests.
    fn as_ui_test(&self) -> Option<(&Rustc, Form)> {
        None
    }

    /// The same oracle by another way of running rustc; none where a compiler does not judge.
    fn with_rustc(&self, rustc: Rustc) -> Option<Arc<dyn Oracle>> {
        let _ = rustc;
        None
    }

    /// The same oracle with a longer time limit: a program that passes may run longer than one that fails. None where no program runs.
    fn with_time_to_pass(&self) -> Option<Arc<dyn Oracle>> {
        None
    }

    /// The failure that candidates are held to, in words.
    fn failure(&self) -> String;

    /// The same in a form that two runs can compare; none where the oracle does not know what fails.
    fn fingerprint(&self) -> Option<Fingerprint> {
        None
    }

    /// A crash of the compiler or of the program that is not the failure to keep, if `result` shows one. By default, a crash of the
    /// compiler in a step.
    fn other_failure(&self, result: &JobResult) -> Option<OtherFailure> {
        result.failed_step.and_then(|_| OtherFailure::of_compiler(&Failure::recognise(result)?))
    }

    /// All that the unreduced program shows, a line each, where that is known.
    fn failures(&self) -> Vec<String> {
        Vec::new()
    }

    /// The command that checks `program` by hand, which is at `path`, ready for a shell: a file, or the folder of its files.
    fn command(&self, program: &Program, path: &std::path::Path) -> String;
}
