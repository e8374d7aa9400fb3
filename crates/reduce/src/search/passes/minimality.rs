//! The proof of 1-minimality: every reduction of every enabled transform, one at a time, until none applies.

use std::sync::Arc;

use mcve_transforms::Reduction;

use super::runner::sweep;
use super::schedule::Pass;
use crate::check::limits::Stop;
use crate::event::{Event, Observer};
use crate::search::engine::Search;

/// The name of the pass.
pub const NAME: &str = "proof";

/// What it does, in words.
const DOING: &str = "proving that nothing more can go";

/// How many reductions the proof has tried of those that it tries if it gains nothing.
#[derive(Debug, Default)]
pub(crate) struct Proof {
    /// Those of the passes that came to their end.
    passed: usize,
    /// Those of the pass under way.
    own: usize,
    /// How many of these were tried.
    tried: usize,
    /// Those of the passes to come.
    left: usize,
}

impl Proof {
    /// Begins a pass, which was counted with those to come as one of `counted` reductions.
    fn begin_pass(&mut self, counted: usize) {
        (self.passed, self.own, self.tried) = (self.passed + self.own, counted, 0);
        self.left -= counted.min(self.left);
    }

    /// The pass has `own` reductions: fewer after a gain, more where a compiler gives hints.
    fn enumerated(&mut self, own: usize) {
        (self.own, self.tried) = (own, 0);
    }

    /// Counts one that was tried.
    pub(crate) fn tried(&mut self) {
        self.tried += 1;
    }

    /// Tells how far it is.
    pub(crate) fn tell(&self, observer: &mut dyn Observer) {
        let (done, all) = (self.passed + self.tried, self.passed + self.own + self.left);
        observer.event(&Event::Proving { done: done.min(all), all });
    }
}

/// Applies single reductions until no single one applies. Afterwards the best program is 1-minimal: no single enabled
/// reduction can be applied without losing the failure.
///
/// Endless loops in the place of panics come last.
pub(crate) fn prove(search: &mut Search<'_>, schedule: Arc<[Pass]>) {
    search.observer.event(&Event::PassStarted { pass: NAME, doing: DOING });
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
            search.proof.enumerated(reductions.len());
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
    search.proof.tell(search.observer);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_of_passes_that_gain_nothing_add_up() {
        struct Told(Vec<(usize, usize)>);
        impl Observer for Told {
            fn event(&mut self, event: &Event) {
                if let Event::Proving { done, all } = event {
                    self.0.push((*done, *all));
                }
            }
        }
        // Counted are 3 and 2 reductions; the second pass has one more by a hint.
        let (mut proof, mut told) = (Proof { left: 5, ..Proof::default() }, Told(Vec::new()));
        for (counted, own) in [(3, 3), (2, 3)] {
            proof.begin_pass(counted);
            proof.enumerated(own);
            proof.tell(&mut told);
            (0..own).for_each(|_| proof.tried());
            proof.tell(&mut told);
        }
        assert_eq!(told.0, [(0, 5), (3, 5), (3, 6), (6, 6)]);
    }
}
