//! `mcve isolate`: the cause of a failure, as the difference of two versions of a program.

use super::pair::{NoPair, Proposers, pair};
use crate::event::{Observer, PairFound};
use crate::failure::problem::Problem;
use crate::session::Session;
use mcve_dd::general::Mode;

/// Two versions of the program, one that fails and one that passes, that differ as little as possible: both move until they
/// meet (dd; Zeller, *Isolating Cause-Effect Chains from Computer Programs*, 2002).
///
/// # Errors
/// When the program does not fail, or nothing of it passes, or a check cannot be run. An interrupt and a spent budget are
/// no errors once there is a version that passes.
pub fn isolate(
    problem: &Problem,
    session: &Session,
    proposers: Proposers,
    observer: &mut dyn Observer,
) -> Result<PairFound, NoPair> {
    pair(problem, session, proposers, Mode::Isolate, observer)
}
