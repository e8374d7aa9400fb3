//! The oracle of a failure of rustc: a crash, or a set of errors.

use std::path::Path;
use std::sync::Arc;

use super::valid::{IsValid, WayAround};
use crate::exec::job::{End, Job, JobResult};
use crate::oracle::output::diagnostics::{Diagnostic, Stderr};
use crate::oracle::rustc::Rustc;
use crate::oracle::signature::failure::Failure;
use crate::oracle::signature::fingerprint::{Fingerprint, OtherFailure};
use crate::oracle::signature::identity::name;
use crate::oracle::signature::strictness::Strictness;
use crate::oracle::ui_test::Form;
use crate::oracle::{CompilerJob, FailureId, Oracle, Properties, Verdict};
use crate::program::Program;

/// Is the failure of a lone file still there?
#[derive(Clone, Debug)]
pub struct RustcOracle {
    /// How rustc is run.
    pub rustc: Rustc,
    /// The failure that candidates must show.
    pub failure: Failure,
    /// All failures of the unreduced program, a line each.
    pub shown: Vec<String>,
    /// Whether a candidate may have errors that the unreduced program lacks.
    pub allow_errors: bool,
    /// How much of the failure a candidate must show.
    pub strictness: Strictness,
    /// Whether the compiler runs procedural macros of the program.
    pub has_proc_macros: bool,
    /// Whether the unreduced program fails in a crate that the last one needs. If not, no candidate may.
    pub is_in_other_crate: bool,
    /// Configurations that may show the errors which the crash hides. None of them accepts the unreduced program.
    pub(crate) ways_around: Vec<WayAround>,
}

impl RustcOracle {
    /// The oracle of `failure`, all of which must be shown, among those that `rustc` shows of the unreduced program.
    pub(crate) fn new(rustc: Rustc, failure: Failure, shown: Vec<String>) -> Self {
        let (allow_errors, has_proc_macros, is_in_other_crate, strictness, ways_around) = Default::default();
        Self { rustc, failure, shown, allow_errors, strictness, has_proc_macros, is_in_other_crate, ways_around }
    }
}

impl Oracle for RustcOracle {
    fn job(&self, program: &Program) -> Job {
        self.rustc.job(program)
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        match result.end {
            End::TimedOut | End::Cancelled => return Verdict::unresolved(result.end.to_string()),
            End::Exited(0) => return Verdict::pass(self.rustc.accepts()),
            End::Exited(_) | End::Signalled(_) => {}
        }
        if result.failed_step.is_some() && !self.is_in_other_crate {
            return Verdict::unresolved("another crate fails");
        }
        let failures = Failure::all(result);
        let Some(first) = failures.first() else {
            return Verdict::unresolved(format!("an unknown failure: {}", result.end));
        };
        let new_error = self.failure.new_error(first).filter(|_| !self.allow_errors);
        if let Some(error) = new_error {
            let said = Stderr::read(&result.stderr).diagnostics;
            let said = said.iter().find(|said| name(said) == error).map(Diagnostic::headline);
            let said = said.unwrap_or_else(|| format!("error {error}"));
            return Verdict::unresolved(format!("new {said}"));
        }
        if self.failure.is_shown_by(&failures, self.strictness) {
            return Verdict::fail("the same failure");
        }
        Verdict::unresolved(format!("another failure: {first}"))
    }

    fn failure(&self) -> FailureId {
        FailureId { words: self.failure.to_string(), fingerprint: Some(Fingerprint::from(&self.failure).to_string()) }
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        self.rustc.command(program, path)
    }

    fn properties(&self) -> Properties {
        let (runs_candidates, is_crash) = (self.has_proc_macros, !self.failure.is_in_program());
        Properties { runs_candidates, is_crash, passes_if_valid: true, ..Properties::default() }
    }

    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        matches!(which, CompilerJob::Hints | CompilerJob::Layout).then(|| which.by(&self.rustc, program))
    }

    fn hidden(&self, program: &Program) -> Vec<Job> {
        let ways = self.ways_around.iter().cloned();
        ways.map(|way| IsValid { rustc: self.rustc.clone(), way }.job_of(program)).collect()
    }

    fn as_ui_test(&self) -> Option<(&Rustc, Form)> {
        Some((&self.rustc, if self.failure.is_in_program() { Form::Diagnostics } else { Form::Crash }))
    }

    fn with_rustc(&self, rustc: Rustc) -> Option<Arc<dyn Oracle>> {
        Some(Arc::new(Self { rustc, ..self.clone() }))
    }

    fn other_failure(&self, result: &JobResult) -> Option<OtherFailure> {
        let first = Failure::recognise(result)?;
        let is_held = self.strictness.is_same(&self.failure, &first);
        OtherFailure::of_compiler(&first).filter(|_| !is_held)
    }

    fn failures(&self) -> Vec<String> {
        self.shown.clone()
    }
}

#[cfg(test)]
mod tests;
