//! Cancels checks whose result is no longer wanted, from any thread and at once.

#[cfg(target_os = "linux")]
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

#[cfg(target_os = "linux")]
use rustix::{
    io::Errno,
    process::{Pid, Signal, kill_process_group, pidfd_send_signal},
};

use crate::locked::lock;

/// Ends a check at once.
pub(super) type End = Box<dyn Fn() + Send>;

/// Ends a process that started as the leader of a group, which it may have left, and another process reaps it.
#[cfg(target_os = "linux")]
pub(super) fn end_forked(pid: Pid, process: &OwnedFd) {
    // A process that has ended can still be signalled until it is reaped, which happens early if its server dies.
    // From then on its number may belong to another process.
    if pidfd_send_signal(process, Signal::KILL) != Err(Errno::SRCH) {
        // An error means that no process of the group is left.
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

/// How long checks are wanted: until a flag is set, or a time has come.
#[derive(Clone, Debug, Default)]
pub(crate) struct Until {
    pub(crate) interrupt: Arc<AtomicBool>,
    pub(crate) deadline: Option<Instant>,
}

impl Until {
    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_interrupted() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// A handle that cancels the checks it was passed to. Clones cancel the same checks.
#[derive(Clone, Default)]
pub struct Cancel {
    state: Arc<Mutex<State>>,
    /// How long they are wanted at most.
    pub(super) until: Option<Until>,
}

#[derive(Default)]
struct State {
    cancelled: bool,
    next: u64,
    /// The checks that run now, by their numbers.
    running: Vec<(u64, End)>,
}

impl Cancel {
    /// A handle that also cancels when they are wanted no longer.
    pub(crate) fn after(until: Until) -> Self {
        Self { until: Some(until), ..Self::default() }
    }

    /// Kills the checks that run under this handle; those that have not started will not start.
    pub fn cancel(&self) {
        let mut state = lock(&self.state);
        state.cancelled = true;
        state.running.iter().for_each(|(_, end)| end());
    }

    /// Whether the checks are not wanted any more.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_over() || lock(&self.state).cancelled
    }

    pub(super) fn is_over(&self) -> bool {
        self.until.as_ref().is_some_and(Until::is_over)
    }

    /// Adds a check that has just been started, and ends it if the handle was already cancelled. Pass the returned number to
    /// [`end_and_forget`](Self::end_and_forget).
    pub(super) fn register(&self, end: End) -> u64 {
        let mut state = lock(&self.state);
        if state.cancelled {
            end();
        }
        let number = state.next;
        state.next += 1;
        state.running.push((number, end));
        number
    }

    /// Ends the processes left of a check and forgets it; call it before its leader is reaped.
    pub(super) fn end_and_forget(&self, number: u64) {
        let mut state = lock(&self.state);
        state.running.retain(|(other, end)| {
            if *other == number {
                end();
            }
            *other != number
        });
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
