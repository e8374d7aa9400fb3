//! Whether an executor still takes its shortcut, and why not if it does not.

use std::sync::OnceLock;

/// Says whether a quicker way of running jobs is taken. It is until somebody closes it, and never again after that.
#[derive(Debug, Default)]
pub struct Shortcut {
    closed: OnceLock<String>,
}

impl Shortcut {
    /// Whether it is taken.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.closed.get().is_none()
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
        assert_eq!((shortcut.is_open(), shortcut.closed()), (true, None));
        shortcut.close("one");
        shortcut.close("two");
        assert_eq!((shortcut.is_open(), shortcut.closed()), (false, Some("one")));
    }
}
