//! The proof of 1-minimality: every reduction of every enabled transform, one at a time, until none applies.

use super::checker::Stop;
use super::engine::Search;
use super::schedule::Pass;
use crate::dd::keep_list::KeepList;
use crate::dd::tester::Tester;
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
        quiet = if singles(search, pass)? { 0 } else { quiet + 1 };
    }
    Ok(())
}

/// Applies single reductions of one pass, in source order; whether any applied.
fn singles(search: &mut Search<'_>, pass: &Pass) -> Result<bool, Stop> {
    let transforms = pass.transforms();
    let (mut from, mut gained) = (0, false);
    loop {
        let mut reductions = search.reductions(&transforms);
        reductions.retain(|reduction| reduction.site.start >= from);
        let full = KeepList::full(reductions.len());
        let mut singles = (0..reductions.len()).map(|index| full.without(index..index + 1));
        let Some(index) = search.trial(&reductions).first(&mut singles)? else { return Ok(gained) };
        // What stands before the site is as it was, and was just tried.
        from = reductions[index].site.start;
        gained = true;
    }
}
