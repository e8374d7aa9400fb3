//! The processes of a run, as the system tells of them.

use std::fs;

use rustix::process::{Pid, Signal, kill_process};

use super::cases::TestFolder;

/// A process of a run.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    pub(crate) pid: i32,
    parent: i32,
    /// What it runs, by its path.
    program: String,
}

/// What a process is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Starts the others.
    Keeper,
    /// Watches one.
    Warden,
    /// A rustc, also one that serves.
    Rustc,
    /// A script and what it calls besides.
    Script,
}

impl Process {
    pub(crate) fn signal(&self, signal: Signal) {
        if let Some(pid) = Pid::from_raw(self.pid) {
            // It may have ended.
            let _ = kill_process(pid, signal);
        }
    }
}

/// All processes that have a place in their environment.
pub(crate) fn of(place: &TestFolder) -> Vec<Process> {
    let mark = format!("GAUNTLET={}", place.path("").display());
    let mark = mark.trim_end_matches('/').as_bytes();
    let numbers = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = numbers.filter_map(|entry| entry.file_name().to_string_lossy().parse::<i32>().ok());
    numbers.filter_map(|pid| process(pid, mark)).collect()
}

fn process(pid: i32, mark: &[u8]) -> Option<Process> {
    let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
    if !environment.split(|byte| *byte == 0).any(|variable| variable == mark) {
        return None;
    }
    let status = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // Behind the name, which may hold anything: the state and the parent.
    let parent = status.rsplit(')').next()?.split_whitespace().nth(1)?.parse().ok()?;
    let program = fs::read_link(format!("/proc/{pid}/exe")).ok()?.display().to_string();
    Some(Process { pid, parent, program })
}

/// The processes of a run of mcve that have a role.
pub(crate) fn with_role(all: &[Process], mcve: i32, role: Role) -> Vec<Process> {
    let is_mcve = |process: &Process| process.program.ends_with("/mcve");
    let keepers: Vec<i32> = all.iter().filter(|it| it.parent == mcve && is_mcve(it)).map(|it| it.pid).collect();
    let role_of = |process: &Process| {
        if process.pid == mcve {
            None
        } else if keepers.contains(&process.pid) {
            Some(Role::Keeper)
        } else if is_mcve(process) {
            Some(Role::Warden)
        } else if process.program.ends_with("/rustc") {
            Some(Role::Rustc)
        } else {
            Some(Role::Script)
        }
    };
    all.iter().filter(|process| role_of(process) == Some(role)).cloned().collect()
}
