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

pub(crate) fn descendants() -> Vec<Pid> {
    let mut found = children();
    let mut next = 0;
    while let Some(process) = found.get(next).map(|process| process.as_raw_pid()) {
        next += 1;
        found.extend(children_of_threads(&process.to_string()));
    }
    found
}

/// The children of a process, each of whose threads may have forked.
fn children_of_threads(process: &str) -> Vec<Pid> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    threads.flat_map(|thread| children_at(&format!("{}/children", thread.path().display()))).collect()
}

/// Kills and reaps the children of this process, and their orphans, until only `spared` are left. Processes
/// that it may not kill, such as those of another user, are left.
pub(crate) fn end_children(spared: &[Pid]) {
    end_all(|| children().into_iter().filter(|child| !spared.contains(child)).collect());
}

/// Kills and reaps those children of this process that are in a sandbox, and their orphans.
pub(crate) fn end_orphans() {
    end_all(|| children_of_threads("self").into_iter().filter(|child| is_confined(*child)).collect());
}

/// Whether a process can get no more rights: no process leaves this state, and a sandbox begins with it.
fn is_confined(process: Pid) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", process.as_raw_pid())).unwrap_or_default();
    status.lines().any(|line| line.starts_with("NoNewPrivs:") && line.ends_with('1'))
}

/// Kills and reaps the `left` children of this process until there are none.
fn end_all(left: impl Fn() -> Vec<Pid>) {
    loop {
        // All are killed before any is waited for: killed processes cannot fork.
        let killed: Vec<Pid> =
            left().into_iter().filter(|child| kill_process(*child, Signal::KILL) != Err(Errno::PERM)).collect();
        if killed.is_empty() {
            return;
        }
        for child in killed {
            while matches!(waitpid(Some(child), WaitOptions::empty()), Err(Errno::INTR)) {}
        }
    }
}
