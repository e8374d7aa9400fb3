//! Whether an executor still uses its shortcut, and why not if it does not.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Records whether a quicker way of running jobs is in use. It is until it is closed, which is final.
#[derive(Debug, Default)]
pub struct Shortcut {
    closed: OnceLock<String>,
    taken: AtomicBool,
}

impl Shortcut {
    /// Whether it is in use.
    pub fn is_open(&self) -> bool {
        self.closed.get().is_none()
    }

    /// Whether it ever served a job: an open shortcut may be of no use to the jobs that are run.
    pub fn was_taken(&self) -> bool {
        self.taken.load(Ordering::Relaxed)
    }

    pub(crate) fn mark_served(&self) {
        self.taken.store(true, Ordering::Relaxed);
    }

    /// Stops the use of the shortcut. The first reason is the one that is reported.
    pub fn close(&self, why: impl Into<String>) {
        // A later reason means the same in effect.
        let _ = self.closed.set(why.into());
    }

    /// Why it is no longer in use.
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
