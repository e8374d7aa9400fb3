//! The decision of an oracle about a candidate.

use super::output::diagnostics::Stderr;
use crate::exec::job::JobResult;
use mcve_dd::outcome::Outcome;

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
    /// Whether the program passes: the failure is gone, or it is no failure any more.
    pub(crate) fn is_passing(&self) -> bool {
        self.outcome == Outcome::Pass || self.reason == WORKS
    }

    pub(crate) fn new(outcome: Outcome, reason: impl Into<String>) -> Self {
        Self { outcome, reason: reason.into() }
    }

    /// That of a program that has to compile and does not, with the first error.
    pub(crate) fn not_compiled(result: &JobResult) -> Self {
        let error = Stderr::read(&result.stderr).first_error().map(|error| format!("new {}", error.headline()));
        Self::new(Outcome::Unresolved, error.unwrap_or_else(|| "it does not compile".to_owned()))
    }
}
