//! The proof of 1-minimality: every reduction of every enabled transform, one at a time, until none applies.

use super::checker::Stop;
use super::engine::Search;
use super::passes::sweep;
use super::schedule::Pass;
use crate::event::Event;

/// The name under which the proof is told of.
pub const NAME: &str = "proof";

/// Applies single reductions until no single one applies. Afterwards the best program is 1-minimal: no single enabled
/// reduction can be applied without losing the failure.
///
/// Endless loops in the place of panics come last.
///
/// # Errors
/// When the search is to stop.
pub fn prove(search: &mut Search<'_>, schedule: &[Pass]) -> Result<(), Stop> {
    search.observer.event(&Event::PassStarted { pass: NAME });
    settle(search, schedule)?;
    if search.stop_putting_off() {
        settle(search, schedule)?;
    }
    search.confirm()?;
    let (measure, lines, checks) = (search.measure(), search.lines(), search.checker.checks);
    search.observer.event(&Event::PassEnded { pass: NAME, measure, lines, checks });
    Ok(())
}

/// Goes on behind the place of a gain, and ends once all passes in a row gained nothing.
fn settle(search: &mut Search<'_>, schedule: &[Pass]) -> Result<(), Stop> {
    let mut quiet = 0;
    for pass in schedule.iter().cycle() {
        if quiet == schedule.len() {
            break;
        }
        let gained = sweep(search, &pass.transforms(), |_, reductions| reductions)?;
        quiet = if gained { 0 } else { quiet + 1 };
    }
    Ok(())
}
