//! The questions whose jobs were begun before anybody asked them.

use std::time::Duration;

use super::replica::Continuation;
use crate::check::request::Key;
use crate::dd::outcome::Outcome;
use crate::exec::job::Trust;

/// The questions that are likely to be asked next, in this order.
#[derive(Default)]
pub(in crate::check) struct Path {
    pub(super) steps: Vec<Step>,
    /// How the real search continues.
    pub(super) continuation: Option<Continuation>,
    /// How often it said so.
    pub(super) continuations: u64,
    /// Which of these the replica took up last.
    pub(super) followed: u64,
    /// How often a prediction was wrong.
    pub(super) mispredictions: u64,
}

/// A question whose job was begun.
pub(super) struct Step {
    pub(super) key: Key,
    /// Names the job.
    pub(super) ticket: u64,
    /// How certain its result will be.
    pub(super) trust: Trust,
    /// How long it may take.
    pub(super) limit: Duration,
    /// What the replica assumes, as long as nothing is known.
    pub(super) assumed: Option<Outcome>,
    /// What is known before the real search knows it.
    pub(super) outcome: Option<Outcome>,
}

impl Step {
    /// Whether something was begun that is of no use if the text of the question fails, or if it does not.
    pub(super) fn is_mispredicted(&self, fails: bool) -> bool {
        self.outcome.or(self.assumed).is_some_and(|outcome| (outcome == Outcome::Fail) != fails)
    }
}
