//! Does the unreduced program fail, and always in the same way?

use crate::dd::outcome::Outcome;
use crate::event::Observer;
use crate::program::Program;

use super::checker::{Checker, Stop};

/// How often the unreduced program is run.
pub const RUNS: usize = 3;

/// Why a program cannot be reduced.
#[derive(Debug)]
pub enum Refusal {
    /// The failure is not there, in any of the runs: why, as the oracle said.
    NotFailing(String),
    /// The failure is there in so many of [`RUNS`] runs only: why not in the others, as the oracle said.
    Flaky(usize, String),
    /// No verdict could be had.
    Stop(Stop),
}

/// Runs the unreduced program [`RUNS`] times, less those that the caller has made; each must fail.
///
/// # Errors
/// When it does not fail, or not always.
pub fn baseline(checker: &mut Checker, program: &Program, observer: &mut dyn Observer) -> Result<(), Refusal> {
    let mut failed = 0;
    let mut reason = None;
    for verdict in checker.check(program, RUNS, observer).map_err(Refusal::Stop)? {
        match verdict.outcome {
            Outcome::Fail => failed += 1,
            Outcome::Pass | Outcome::Unresolved => reason = Some(verdict.reason),
        }
    }
    match reason {
        None => checker.try_shortcut(program, observer).map_err(Refusal::Stop),
        Some(reason) if failed == 0 => Err(Refusal::NotFailing(reason)),
        Some(reason) => Err(Refusal::Flaky(failed, reason)),
    }
}
