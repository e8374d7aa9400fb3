//! What is known of texts: shared by the search and by what runs ahead of it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::dd::outcome::Outcome;
use crate::exec::job::JobResult;
use crate::program::ContentHash;
use crate::state::record::Teller;

/// The answers to all questions that the search asked. Clones are the same.
#[derive(Clone, Default)]
pub(super) struct Answers(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    verdicts: HashMap<ContentHash, Outcome>,
    told: HashMap<(Teller, ContentHash), JobResult>,
    /// How long the slowest check took of those that fail.
    slowest: Duration,
    /// How long checks take of late.
    usual: Duration,
}

impl Answers {
    pub(super) fn verdict(&self, text: ContentHash) -> Option<Outcome> {
        self.known().verdicts.get(&text).copied()
    }

    pub(super) fn record_verdict(&self, text: ContentHash, outcome: Outcome, wall: Duration) {
        let mut known = self.known();
        known.verdicts.insert(text, outcome);
        if outcome == Outcome::Fail {
            known.slowest = known.slowest.max(wall);
        }
    }

    pub(super) fn has_taken(&self, wall: Duration) {
        let mut known = self.known();
        let usual = known.usual;
        // One that takes much longer is not what is usual.
        known.usual = if usual.is_zero() { wall } else { (usual * 7 + wall.min(usual * 2)) / 8 };
    }

    pub(super) fn slowest(&self) -> Duration {
        self.known().slowest
    }

    pub(super) fn usual(&self) -> Duration {
        self.known().usual
    }

    pub(super) fn forget_verdicts(&self) {
        self.known().verdicts.clear();
    }

    pub(super) fn told(&self, teller: Teller, text: ContentHash) -> Option<JobResult> {
        self.known().told.get(&(teller, text)).cloned()
    }

    pub(super) fn has_told(&self, teller: Teller, text: ContentHash, result: JobResult) {
        self.known().told.insert((teller, text), result);
    }

    /// What is inserted is inserted whole, so that a thread that panics leaves nothing wrong.
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_check_that_takes_long_is_not_what_is_usual_and_many_are() {
        let (answers, slow) = (Answers::default(), Duration::from_secs(10));
        let often = |wall, times: usize| std::iter::repeat_n(wall, times).for_each(|wall| answers.has_taken(wall));
        often(Duration::from_millis(40), 3);
        assert_eq!(answers.usual(), Duration::from_millis(40));
        often(slow, 1);
        assert_eq!(answers.usual(), Duration::from_millis(45));
        often(slow, 100);
        assert!(answers.usual() > slow / 2);
    }
}
