//! Whether an executor still takes its shortcut, and why not if it does not.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Says whether a quicker way of running jobs is taken. It is until somebody closes it, and never again after that.
#[derive(Debug, Default)]
pub struct Shortcut {
    closed: OnceLock<String>,
    taken: AtomicBool,
}

impl Shortcut {
    /// Whether it is taken.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.closed.get().is_none()
    }

    /// Whether it ever served a job: one that is there need not be of use to the jobs that are run.
    #[must_use]
    pub fn was_taken(&self) -> bool {
        self.taken.load(Ordering::Relaxed)
    }

    /// Says that it served a job.
    pub fn mark_served(&self) {
        self.taken.store(true, Ordering::Relaxed);
    }

    /// Has it not taken any more. The first reason is the one that is told.
    pub fn close(&self, why: impl Into<String>) {
        // Whoever comes later says the same in effect.
        let _ = self.closed.set(why.into());
    }

    /// Why it is not taken any more.
    #[must_use]
    pub fn closed(&self) -> Option<&str> {
        self.closed.get().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_open_until_it_is_closed_and_the_first_reason_stays() {
        let shortcut = Shortcut::default();
        assert_eq!((shortcut.is_open(), shortcut.closed(), shortcut.was_taken()), (true, None, false));
        shortcut.mark_served();
        shortcut.close("one");
        shortcut.close("two");
        assert_eq!((shortcut.is_open(), shortcut.closed(), shortcut.was_taken()), (false, Some("one"), true));
    }
}
