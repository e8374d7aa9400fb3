//! Signals that mcve inherits as ignored or blocked: checks start without these settings, and mcve still handles the signals.
//!
//! `nohup` ignores SIGHUP, a shell ignores SIGINT for a command behind a `&`, and some CI runners block signals. A program
//! inherits both, and so would its checks: a script would end differently than when it is run by hand.
//!
//! SIGXFSZ, by which the system kills a process that writes more than a limit allows, is caught as well: the write then fails,
//! and mcve reports it.
//!
//! A caught signal is reset to its default action in a program that is started, and an ignored one is not. So the signals that
//! mcve inherited as ignored are caught, and nothing is done about them. Nothing else that is inherited changes: the umask and
//! the limits are the user's, and apply to the result as well.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Once, OnceLock};

use nix::sys::signal::{SigSet, Signal};
use signal_hook::consts::FORBIDDEN;

/// The signals that stay ignored. The standard library ignores SIGPIPE itself and resets it in children; if SIGTTOU is not
/// ignored, writing to a terminal from the background might never end.
const LEFT: [Signal; 2] = [Signal::SIGPIPE, Signal::SIGTTOU];

/// Makes processes that this thread and threads spawned by it start from now on begin with the default action for each signal,
/// and with none blocked. Call it before other threads are spawned.
pub fn reset_signals() {
    static CATCH: Once = Once::new();
    CATCH.call_once(|| {
        let is_caught = |signal: &Signal| *signal == Signal::SIGXFSZ || is_ignored(*signal) && !LEFT.contains(signal);
        let caught = Signal::iterator().filter(is_caught);
        for signal in caught.filter(|signal| !FORBIDDEN.contains(&(*signal as i32))) {
            // A signal that cannot be caught stays ignored, and a check may be slower.
            let _ = signal_hook::flag::register(signal as i32, Arc::new(AtomicBool::new(false)));
        }
    });
    // This fails only for an unknown kind of request.
    let _ = SigSet::empty().thread_set_mask();
}

/// Whether mcve was started with a signal ignored. Only known on Linux.
pub fn is_ignored(signal: Signal) -> bool {
    static IGNORED: OnceLock<u64> = OnceLock::new();
    let ignored = IGNORED.get_or_init(|| ignored_by(&std::fs::read_to_string("/proc/self/status").unwrap_or_default()));
    ignored >> (signal as u32 - 1) & 1 == 1
}

/// The set of ignored signals in the status text of a process, with the first signal in the lowest bit.
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
