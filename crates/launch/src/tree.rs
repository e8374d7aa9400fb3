//! Kills processes with all their descendants.

use std::fs;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

/// The children of this single-threaded process. Those of a subreaper include orphaned descendants.
pub(crate) fn children() -> Vec<Pid> {
    children_at("/proc/thread-self/children")
}

/// The children of another single-threaded process.
pub(crate) fn children_of(process: Pid) -> Vec<Pid> {
    let number = process.as_raw_pid();
    children_at(&format!("/proc/{number}/task/{number}/children"))
}

fn children_at(path: &str) -> Vec<Pid> {
    let list = fs::read_to_string(path).unwrap_or_default();
    list.split_ascii_whitespace().filter_map(|number| Pid::from_raw(number.parse().ok()?)).collect()
}

/// All descendants of this process.
pub(crate) fn descendants() -> Vec<Pid> {
    let mut found = children();
    let mut next = 0;
    while let Some(process) = found.get(next).map(|process| process.as_raw_pid()) {
        next += 1;
        // Each of its threads may have forked.
        let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
        found.extend(threads.flat_map(|thread| children_at(&format!("{}/children", thread.path().display()))));
    }
    found
}

/// Kills and reaps the children of this process, and their orphans, until only `spared` are left. Processes
/// that it may not kill, such as those of another user, are left.
pub(crate) fn end_children(spared: &[Pid]) {
    loop {
        let left: Vec<Pid> = children().into_iter().filter(|child| !spared.contains(child)).collect();
        // All are killed before any is waited for: killed processes cannot fork.
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
