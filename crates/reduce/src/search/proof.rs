//! How far the proof is.

use crate::event::{Event, Observer};

/// How many reductions the proof has tried of those that it tries if it gains nothing.
#[derive(Debug, Default)]
pub(super) struct Proof {
    /// Those of the passes that came to their end.
    passed: usize,
    /// Those of the pass under way.
    own: usize,
    /// How many of these were tried.
    tried: usize,
    /// Those of the passes to come.
    pub(super) left: usize,
}

impl Proof {
    /// Begins a pass, which was counted with those to come as one of `counted` reductions.
    pub(super) fn begin_pass(&mut self, counted: usize) {
        (self.passed, self.own, self.tried) = (self.passed + self.own, counted, 0);
        self.left -= counted.min(self.left);
    }

    /// The pass has `own` reductions: fewer after a gain, more where a compiler gives hints.
    pub(super) fn expect(&mut self, own: usize) {
        (self.own, self.tried) = (own, 0);
    }

    /// Counts one that was tried.
    pub(super) fn count(&mut self) {
        self.tried += 1;
    }

    /// Reports how far it is.
    pub(super) fn report(&self, observer: &mut dyn Observer) {
        let (done, all) = (self.passed + self.tried, self.passed + self.own + self.left);
        observer.event(&Event::Proving { done: done.min(all), all });
    }
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
            proof.expect(own);
            proof.report(&mut told);
            (0..own).for_each(|_| proof.count());
            proof.report(&mut told);
        }
        assert_eq!(told.0, [(0, 5), (3, 5), (3, 6), (6, 6)]);
    }
}
