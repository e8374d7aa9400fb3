//! The condition on candidates that they have another failure besides, or have it not.

use std::path::Path;
use std::sync::Arc;

use super::judge::{Condition, Oracle, Properties};
use super::kinds::diagnostic::DiagnosticOracle;
use crate::exec::job::{End, Job, JobResult};
use crate::program::Program;
use mcve_dd::outcome::Outcome;

/// The condition that the program has another failure as well, or has it not.
#[derive(Clone)]
pub(crate) struct ByOracle {
    /// Judges the condition: `Fail` means that it holds.
    pub oracle: Arc<dyn Oracle>,
    /// Whether the condition must not hold, although its job ended by itself.
    pub is_negated: bool,
    /// The diagnostic that must not be reported in this job where the failure has it.
    pub absent: Option<DiagnosticOracle>,
}

impl Condition for ByOracle {
    fn job(&self, program: &Program, _: &JobResult) -> Result<Job, String> {
        Ok(self.oracle.job(program))
    }

    fn broken(&self, result: &JobResult, first: &JobResult) -> Option<String> {
        let verdict = self.oracle.verdict(result);
        let has_ended = !matches!(result.end, End::TimedOut | End::Cancelled);
        match (verdict.outcome, self.is_negated) {
            (Outcome::Fail, false) => self.absent.as_ref()?.repeated(result, first),
            (_, false) => Some(verdict.reason),
            (Outcome::Fail, true) => Some(self.oracle.failure().words),
            (_, true) => (!has_ended).then_some(verdict.reason),
        }
    }

    fn properties(&self) -> Properties {
        self.oracle.properties()
    }

    fn words(&self) -> String {
        let without = if self.absent.is_some() { " without it" } else { "" };
        format!("{}{}{without}", if self.is_negated { "not: " } else { "" }, self.oracle.failure().words)
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        self.oracle.command(program, path)
    }
}
