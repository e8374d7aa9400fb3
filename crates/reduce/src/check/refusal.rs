//! Why a program cannot be reduced.

use std::time::Duration;

use super::limits::Stop;
use crate::exec::job::JobResult;

/// Why a program cannot be reduced.
#[derive(Debug)]
pub enum Refusal {
    /// The failure shows in none of the runs: the reason of the oracle, and the result of the first run.
    NotFailing(String, Option<Box<JobResult>>),
    /// No run ended within this time.
    TimedOut(Duration),
    /// The failure shows in some of the runs only.
    Flaky {
        /// In how many.
        times: usize,
        /// Of how many.
        runs: usize,
        /// The reason of the oracle in the first of the others.
        reason: String,
    },
    /// The failure shows for a program that holds nothing: that program, and the result of its check.
    Trivial(&'static str, Box<JobResult>),
    /// The version that is said to be fixed does not pass, for this reason.
    FixedFails(String),
    /// There was no verdict.
    Stop(Stop),
}

impl From<Stop> for Refusal {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}
