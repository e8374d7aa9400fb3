//! The questions whose jobs were begun before the search asked them.

use std::time::Duration;

use crate::check::request::Key;
use crate::exec::job::Trust;
use mcve_dd::outcome::Outcome;

/// The questions that are likely to be asked next, in this order.
#[derive(Default)]
pub(in crate::check) struct ExpectedQuestions {
    pub(super) steps: Vec<Step>,
    /// Whether the real search follows the continuation that it announced last.
    pub(super) is_continued: bool,
    pub(super) continuations: u64,
    /// The number of the one that the replica runs.
    pub(super) followed: u64,
    /// How many predictions were wrong.
    pub(super) mispredictions: u64,
}

/// A question whose job was begun.
#[derive(Clone, Copy)]
pub(in crate::check) struct Step {
    pub(super) key: Key,
    pub(in crate::check) ticket: u64,
    /// How certain its result will be.
    pub(in crate::check) trust: Trust,
    /// How long it may take.
    pub(in crate::check) limit: Duration,
    /// The outcome that the replica assumes, as long as none is known.
    pub(super) assumed: Option<Outcome>,
    /// The outcome, if it is known before the real search knows it.
    pub(super) outcome: Option<Outcome>,
}

impl Step {
    /// Whether jobs were begun that are useless if the question has this answer.
    pub(super) fn is_mispredicted(&self, fails: bool) -> bool {
        self.outcome.or(self.assumed).is_some_and(|outcome| (outcome == Outcome::Fail) != fails)
    }
}
