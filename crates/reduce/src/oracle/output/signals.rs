//! Which signals say something about a program.

use rustix::process::Signal;

/// Signals that a user, the system or a limit sends, rather than a fault of the process.
const FROM_OUTSIDE: [Signal; 6] = [Signal::HUP, Signal::INT, Signal::KILL, Signal::PROF, Signal::TERM, Signal::XCPU];

/// Whether a signal most likely comes from outside of the process.
pub(crate) fn is_from_outside(signal: i32) -> bool {
    FROM_OUTSIDE.map(Signal::as_raw).contains(&signal)
}
