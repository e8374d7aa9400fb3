//! Signals that whoever started mcve ignores or blocks: checks begin without them, and mcve still heeds them.
//!
//! `nohup` ignores SIGHUP, a shell ignores SIGINT for what it runs behind a `&`, and some CI runners block signals. A program
//! inherits both, and so would its checks: a script would end otherwise than by hand.
//!
//! SIGXFSZ, by which the system ends whoever writes more than a limit allows, is caught as well: the write fails then, and mcve
//! says so.
//!
//! A signal that is caught begins anew in a program that is started, and one that is ignored does not. So what mcve was started
//! to ignore is caught, and nothing is done about it. Nothing else that is inherited changes: the umask and the limits are the
//! user's, and hold for the result as well.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Once, OnceLock};

use nix::sys::signal::{SigSet, Signal};
use signal_hook::consts::FORBIDDEN;

/// What stays ignored. The standard library ignores SIGPIPE itself and resets it in children; without SIGTTOU ignored, to
/// write to a terminal from the background might never end.
const LEFT: [Signal; 2] = [Signal::SIGPIPE, Signal::SIGTTOU];

/// Lets processes that are started from now on, by this thread and by threads that it will spawn, begin with the default action
/// for each signal, and with none blocked. To be called before there are other threads, where there are to be any.
pub fn reset_signals() {
    static CATCH: Once = Once::new();
    CATCH.call_once(|| {
        let is_caught = |signal: &Signal| *signal == Signal::SIGXFSZ || is_ignored(*signal) && !LEFT.contains(signal);
        let caught = Signal::iterator().filter(is_caught);
        for signal in caught.filter(|signal| !FORBIDDEN.contains(&(*signal as i32))) {
            // Where it cannot be caught it stays ignored, and a check may be slower.
            let _ = signal_hook::flag::register(signal as i32, Arc::new(AtomicBool::new(false)));
        }
    });
    // This fails only for a question that the system does not know.
    let _ = SigSet::empty().thread_set_mask();
}

/// Whether mcve was started to ignore a signal. Only Linux tells.
#[must_use]
pub fn is_ignored(signal: Signal) -> bool {
    static IGNORED: OnceLock<u64> = OnceLock::new();
    let ignored = IGNORED.get_or_init(|| ignored_by(&std::fs::read_to_string("/proc/self/status").unwrap_or_default()));
    ignored >> (signal as u32 - 1) & 1 == 1
}

/// The set of ignored signals in the status of a process, the first one in the lowest bit.
fn ignored_by(status: &str) -> u64 {
    let set = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    set.and_then(|set| u64::from_str_radix(set.trim(), 16).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_read_from_the_status() {
        assert_eq!(ignored_by("Name:\tmcve\nSigBlk:\t0000000000000002\nSigIgn:\t0000000000001001\n"), 0x1001);
        assert_eq!(ignored_by("Name:\tmcve\n"), 0);
        assert_eq!(ignored_by(""), 0);
    }
}
