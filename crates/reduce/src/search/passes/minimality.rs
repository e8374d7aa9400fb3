//! The proof of 1-minimality: every reduction of every enabled transform, one at a time, until none applies.

use std::sync::Arc;

use mcve_transforms::Reduction;

use super::runner::sweep;
use super::schedule::Pass;
use crate::check::limits::Stop;
use crate::event::Event;
use crate::search::engine::Search;
use crate::search::proof::Proof;

/// The name of the pass.
pub const NAME: &str = "proof";

/// Applies single reductions until none applies: the best program is then 1-minimal.
///
/// Endless loops in the place of panics come last.
pub(crate) fn prove(search: &mut Search<'_>, schedule: Arc<[Pass]>) {
    search.observer.event(&Event::PassStarted { pass: NAME, doing: "proving that nothing more can go" });
    search.checks.begin_pass(NAME);
    search.course.proves = true;
    search.then(|search| search.end_pass(NAME));
    let again = Arc::clone(&schedule);
    search.then(move |search| {
        if let Some(admissible) = search.course.admissible.with_loops() {
            search.course.admissible = admissible;
            settle(search, Arc::clone(&again), 0, 0);
        }
        Ok(())
    });
    settle(search, schedule, 0, 0);
}

/// Runs passes in a circle from that at `next`, until all in a row gained nothing; the last `quiet` ones gained nothing so far.
fn settle(search: &mut Search<'_>, schedule: Arc<[Pass]>, next: usize, quiet: usize) {
    if quiet == schedule.len() {
        return;
    }
    search.then(move |search| {
        let transforms = search.transforms_of(&schedule[next]);
        begin_pass(search, &schedule, next, quiet)?;
        let all = |search: &mut Search<'_>, reductions: Vec<Reduction>| {
            search.proof.expect(reductions.len());
            reductions
        };
        let gained = sweep(search, &transforms, all)?;
        settle(search, Arc::clone(&schedule), (next + 1) % schedule.len(), if gained { 0 } else { quiet + 1 });
        Ok(())
    });
}

/// Counts what the pass at `next` will try, and the first in a row also what all others will. A replica tells nobody.
fn begin_pass(search: &mut Search<'_>, schedule: &[Pass], next: usize, quiet: usize) -> Result<(), Stop> {
    if search.checks.is_replica() {
        return Ok(());
    }
    if quiet == 0 {
        search.proof = Proof::default();
        for pass in schedule {
            let transforms = search.transforms_of(pass);
            search.proof.left += search.count(&transforms)?;
        }
    }
    let transforms = search.transforms_of(&schedule[next]);
    let counted = search.count(&transforms)?;
    search.proof.begin_pass(counted);
    search.proof.report(search.observer);
    Ok(())
}
