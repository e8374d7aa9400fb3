//! Calling off checks whose result is no longer wanted, from any thread and at once.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

/// A handle that calls off the checks it was given to. Clones call off the same checks.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    cancelled: bool,
    /// The process groups that run now. A group is here only while its leader is not reaped, so its number cannot have
    /// been given to a stranger.
    groups: Vec<Pid>,
}

impl Cancel {
    /// Kills the checks that run under this handle; those that have not begun will not begin.
    pub fn cancel(&self) {
        let mut state = self.state();
        state.cancelled = true;
        for &group in &state.groups {
            kill(group);
        }
    }

    /// Whether [`cancel`](Self::cancel) was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.state().cancelled
    }

    /// Adds a group that has just been started, and kills it where the order to do so came before it did.
    pub(super) fn register(&self, group: Pid) {
        let mut state = self.state();
        state.groups.push(group);
        if state.cancelled {
            kill(group);
        }
    }

    /// Kills what is left of a group and forgets it; to be called before its leader is reaped.
    pub(super) fn kill_and_forget(&self, group: Pid) {
        let mut state = self.state();
        kill(group);
        state.groups.retain(|&other| other != group);
    }

    /// A thread that panics while it holds the lock leaves a state that is still right.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An error means that nobody of the group is left, which is what was wanted.
fn kill(group: Pid) {
    let _ = kill_process_group(group, Signal::KILL);
}
