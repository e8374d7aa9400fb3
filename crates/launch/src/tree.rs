//! Ends processes with all that they started.

use std::fs;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

/// The children of this process, which has one thread. Of a subreaper, also those whose parents have died.
pub(crate) fn children() -> Vec<Pid> {
    children_at("/proc/thread-self/children")
}

/// The same of another process, which has one thread.
pub(crate) fn children_of(process: Pid) -> Vec<Pid> {
    let number = process.as_raw_pid();
    children_at(&format!("/proc/{number}/task/{number}/children"))
}

fn children_at(path: &str) -> Vec<Pid> {
    let list = fs::read_to_string(path).unwrap_or_default();
    list.split_ascii_whitespace().filter_map(|number| Pid::from_raw(number.parse().ok()?)).collect()
}

/// Kills and reaps the children of this process, and theirs, which become its children, until none is left but `spared`. One
/// that it may not kill, such as one of another user, is left.
pub(crate) fn end_children(spared: &[Pid]) {
    loop {
        let left: Vec<Pid> = children().into_iter().filter(|child| !spared.contains(child)).collect();
        // All are killed before any is waited for: what is killed forks no more.
        let killed: Vec<Pid> =
            left.into_iter().filter(|child| kill_process(*child, Signal::KILL) != Err(Errno::PERM)).collect();
        if killed.is_empty() {
            return;
        }
        for child in killed {
            while matches!(waitpid(Some(child), WaitOptions::empty()), Err(Errno::INTR)) {}
        }
    }
}
