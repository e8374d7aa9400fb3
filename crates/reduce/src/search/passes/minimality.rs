//! The proof of 1-minimality: every reduction of every enabled transform, one at a time, until none applies.

use super::runner::sweep;
use super::schedule::Pass;
use crate::check::limits::Stop;
use crate::event::Event;
use crate::search::engine::Search;

/// The name of the pass.
pub const NAME: &str = "proof";

/// Applies single reductions until no single one applies. Afterwards the best program is 1-minimal: no single enabled
/// reduction can be applied without losing the failure.
///
/// Endless loops in the place of panics come last.
pub(crate) fn prove(search: &mut Search<'_>, schedule: &[Pass]) -> Result<(), Stop> {
    search.observer.event(&Event::PassStarted { pass: NAME });
    search.course.proves = true;
    let later = schedule.to_vec();
    let again = move |search: &mut Search<'_>| {
        let Some(admissible) = search.course.admissible.with_loops() else { return Ok(()) };
        search.course.admissible = admissible;
        settle(search, &later, 0, 0)
    };
    search.in_sequence(|search| settle(search, schedule, 0, 0), again)?;
    search.end_pass(NAME)
}

/// Runs passes in a circle from that at `next`, until all in a row gained nothing; the last `quiet` ones gained nothing so far.
fn settle(search: &mut Search<'_>, schedule: &[Pass], mut next: usize, mut quiet: usize) -> Result<(), Stop> {
    while quiet < schedule.len() {
        search.set_continuation(|| {
            let schedule = schedule.to_vec();
            Box::new(move |search| settle(search, &schedule, next, quiet))
        });
        let transforms = search.transforms_of(&schedule[next]);
        let gained = sweep(search, &transforms, |_, reductions| reductions)?;
        quiet = if gained { 0 } else { quiet + 1 };
        next = (next + 1) % schedule.len();
    }
    Ok(())
}
