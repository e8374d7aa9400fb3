//! Calling off checks whose result is no longer wanted, from any thread and at once.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mcve_launch::Stop;
use rustix::process::{Pid, Signal, kill_process_group};

/// What ends a check at once.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// It was launched.
    Launched(Stop),
    /// It is a process group that somebody else reaps.
    Group(Pid),
}

impl End {
    fn end(&self) {
        match self {
            Self::Launched(stop) => stop.stop(),
            // An error means that nobody of the group is left.
            Self::Group(group) => _ = kill_process_group(*group, Signal::KILL),
        }
    }
}

/// A handle that calls off the checks it was given to. Clones call off the same checks.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    cancelled: bool,
    /// The next number of a check.
    next: u64,
    /// The checks that run now, by their numbers. A group is here only while its leader is not reaped, so its number cannot have
    /// been given to a stranger.
    running: Vec<(u64, End)>,
}

impl Cancel {
    /// Kills the checks that run under this handle; those that have not begun will not begin.
    pub fn cancel(&self) {
        let mut state = self.state();
        state.cancelled = true;
        state.running.iter().for_each(|(_, end)| end.end());
    }

    /// Whether [`cancel`](Self::cancel) was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.state().cancelled
    }

    /// Adds a check that has just been started, and ends it where the order to do so came before it did. The number is for
    /// [`end_and_forget`](Self::end_and_forget).
    pub(super) fn register(&self, end: End) -> u64 {
        let mut state = self.state();
        if state.cancelled {
            end.end();
        }
        let number = state.next;
        state.next += 1;
        state.running.push((number, end));
        number
    }

    /// Ends what is left of a check and forgets it; to be called before its leader is reaped.
    pub(super) fn end_and_forget(&self, number: u64) {
        let mut state = self.state();
        state.running.retain(|(other, end)| {
            if *other == number {
                end.end();
            }
            *other != number
        });
    }

    /// A thread that panics while it holds the lock leaves a state that is still right.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
