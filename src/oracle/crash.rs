//! The oracle of a failure of rustc: a crash, or a set of errors.

use std::path::Path;
use std::sync::Arc;

use super::failure::Failure;
use super::fingerprint::{Fingerprint, OtherFailure};
use super::rustc::Rustc;
use super::strictness::Strictness;
use super::ui_test::Form;
use super::valid::{ValidOracle, WayAround};
use super::{Oracle, Verdict, hints, layout};
use crate::dd::outcome::Outcome;
use crate::exec::job::{End, Job, JobResult};
use crate::program::Program;

/// Is the failure of a lone file still there?
#[derive(Clone, Debug)]
pub struct RustcOracle {
    /// How rustc is run.
    pub rustc: Rustc,
    /// The failure that candidates are held to.
    pub failure: Failure,
    /// All that the unreduced program shows, a line each.
    pub shown: Vec<String>,
    /// Whether a candidate may have errors that the unreduced program did not have.
    pub allow_errors: bool,
    /// How much of the failure a candidate has to show.
    pub strictness: Strictness,
    /// Whether the compiler runs procedural macros of the program.
    pub has_proc_macros: bool,
    /// Whether the unreduced program shows it in a crate that the last one needs. Where it does not, no candidate does.
    pub is_in_other_crate: bool,
    /// The ways of compiling that may show what the crash hides, none of which accepts the unreduced program.
    pub ways_around: Vec<WayAround>,
}

impl Oracle for RustcOracle {
    fn job(&self, program: &Program) -> Job {
        self.rustc.job(program)
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        match result.end {
            End::TimedOut | End::Cancelled => return Verdict::new(Outcome::Unresolved, result.end.to_string()),
            End::Exited(0) => return Verdict::new(Outcome::Pass, "it compiles"),
            End::Exited(_) | End::Signalled(_) => {}
        }
        if result.failed_step.is_some() && !self.is_in_other_crate {
            return Verdict::new(Outcome::Unresolved, "another crate fails");
        }
        let failures = Failure::all(result);
        let Some(first) = failures.first() else {
            return Verdict::new(Outcome::Unresolved, format!("an unknown failure: {}", result.end));
        };
        let new_error = self.failure.new_error(first).filter(|_| !self.allow_errors);
        if let Some(error) = new_error {
            return Verdict::new(Outcome::Unresolved, format!("new error {error}"));
        }
        if self.failure.is_shown_by(&failures, self.strictness) {
            return Verdict::new(Outcome::Fail, "the same failure");
        }
        Verdict::new(Outcome::Unresolved, format!("another failure: {first}"))
    }

    fn runs_candidates(&self) -> bool {
        self.has_proc_macros
    }

    fn hints(&self, program: &Program) -> Option<Job> {
        Some(hints::job(&self.rustc, program))
    }

    fn layout(&self, program: &Program) -> Option<Job> {
        Some(layout::job(&self.rustc, program))
    }

    fn is_crash(&self) -> bool {
        !self.failure.is_in_program()
    }

    fn hidden(&self, program: &Program) -> Vec<Job> {
        let ways = self.ways_around.iter().cloned();
        ways.map(|way| ValidOracle { rustc: self.rustc.clone(), way }.job(program)).collect()
    }

    fn as_ui_test(&self) -> Option<(&Rustc, Form)> {
        Some((&self.rustc, if self.is_crash() { Form::Crash } else { Form::Diagnostics }))
    }

    fn with_rustc(&self, rustc: Rustc) -> Option<Arc<dyn Oracle>> {
        Some(Arc::new(Self { rustc, ..self.clone() }))
    }

    fn failure(&self) -> String {
        self.failure.to_string()
    }

    fn fingerprint(&self) -> Option<Fingerprint> {
        Some((&self.failure).into())
    }

    fn other_failure(&self, result: &JobResult) -> Option<OtherFailure> {
        let first = Failure::recognise(result)?;
        let is_held = self.strictness.is_same(&self.failure, &first);
        OtherFailure::of_compiler(&first).filter(|_| !is_held)
    }

    fn failures(&self) -> Vec<String> {
        self.shown.clone()
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        self.rustc.command(program, path)
    }
}

#[cfg(test)]
mod tests;
