//! What the thread that searches and the screen share.

use std::sync::atomic::AtomicBool;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use mcve_reduce::check::limits::Limits;

use super::state::State;

/// What the thread that searches and the screen share.
pub(super) struct Shared {
    pub(super) state: Mutex<State>,
    /// The user has pressed a key.
    pub(super) pressed: Condvar,
    pub(super) is_over: AtomicBool,
    pub(super) limits: Limits,
}

impl Shared {
    /// A thread that panics leaves the state right: nothing is half changed.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
