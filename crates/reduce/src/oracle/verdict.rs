//! The decision of an oracle about a candidate.

use mcve_dd::outcome::Outcome;

/// The decision of an oracle about a candidate.
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
