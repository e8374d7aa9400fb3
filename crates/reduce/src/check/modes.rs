//! How a job is run: by the fork server, or as a fresh process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::exec::job::{Executor, Job, Trust};
use crate::exec::shortcut::Shortcut;
use crate::locked::lock;

/// Checks that take longer than this are fresh processes: a fork would save the smallest part of them.
pub(super) const SLOW: Duration = Duration::from_millis(200);

/// Decides how jobs are run. Clones decide alike.
#[derive(Clone)]
pub(super) struct Modes {
    pub(super) executor: Arc<dyn Executor>,
    /// How long checks take of late.
    usual: Arc<Mutex<Duration>>,
    /// Whether the shortcut is not used yet, as checks take long.
    is_put_off: Arc<AtomicBool>,
}

impl Modes {
    pub(super) fn new(executor: Arc<dyn Executor>) -> Self {
        Self { executor, usual: Arc::default(), is_put_off: Arc::default() }
    }

    /// How certain an answer has to be that the search goes on by.
    pub(super) fn least_trust(&self) -> Trust {
        let is_used = self.executor.shortcut().is_some_and(Shortcut::is_open) && !self.is_put_off();
        if is_used { Trust::Likely } else { Trust::Certain }
    }

    /// Whether the shortcut is of use for a job: a fork saves a good part of a quick check, or the job takes less time there.
    pub(super) fn is_worth(&self, job: &Job) -> bool {
        job.likely.is_some() || self.executor.slots_elsewhere() > 0 || *lock(&self.usual) < SLOW
    }

    pub(super) fn is_put_off(&self) -> bool {
        self.is_put_off.load(Ordering::Relaxed)
    }

    /// Puts off the use of the shortcut.
    pub(super) fn put_off(&self) {
        self.is_put_off.store(true, Ordering::Relaxed);
    }

    /// Uses the shortcut from now on, as a check takes this long.
    pub(super) fn begin(&self, wall: Duration) {
        *lock(&self.usual) = wall;
        self.is_put_off.store(false, Ordering::Relaxed);
    }

    pub(super) fn learn(&self, wall: Duration) {
        let mut usual = lock(&self.usual);
        // One that takes much longer is not what is usual.
        *usual = if usual.is_zero() { wall } else { (*usual * 7 + wall.min(*usual * 2)) / 8 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::Never;

    #[test]
    fn one_check_that_takes_long_is_not_what_is_usual_and_many_are() {
        let (modes, slow) = (Modes::new(Arc::new(Never)), Duration::from_secs(10));
        let often = |wall, times: usize| std::iter::repeat_n(wall, times).for_each(|wall| modes.learn(wall));
        let usual = || *lock(&modes.usual);
        often(Duration::from_millis(40), 3);
        assert_eq!(usual(), Duration::from_millis(40));
        often(slow, 1);
        assert_eq!(usual(), Duration::from_millis(45));
        often(slow, 100);
        assert!(usual() > slow / 2);
    }
}
