//! `mcve repair`: the largest version of a program that does not fail.

use super::pair::{NoPair, Proposers, pair};
use crate::event::{Observer, PairFound};
use crate::failure::problem::Problem;
use crate::session::Session;
use mcve_dd::general::Mode;

/// The program beside the largest version of it that passes (ddmax; Kirschner, Soremekun and Zeller, *Debugging Inputs*,
/// 2020). The largest is the one that the fewest tokens were taken from, or replaced in.
///
/// # Errors
/// When the program does not fail, or nothing of it passes, or a check cannot be run. An interrupt and a spent budget are
/// no errors once there is a version that passes.
pub fn repair(
    problem: &Problem,
    session: &Session,
    proposers: Proposers,
    observer: &mut dyn Observer,
) -> Result<PairFound, NoPair> {
    pair(problem, session, proposers, Mode::Maximise, observer)
}
