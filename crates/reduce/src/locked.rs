//! Locks of what threads share.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks `mutex`. A thread that panics while it holds a lock leaves what it shares right: nothing is half changed.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
