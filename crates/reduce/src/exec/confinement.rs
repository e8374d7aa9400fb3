//! The permissions of processes in a sandbox, and what they print when it denies one.

use std::ffi::OsString;
use std::path::PathBuf;

use mcve_launch::Sandbox;

/// The permissions of checks and tools in a sandbox, and the outside data that they get.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confinement {
    /// Files and folders that they may write to, besides their own folder.
    pub writable: Vec<PathBuf>,
    /// Files and folders that they may not read, as far as the system can hide them.
    pub hidden: Vec<PathBuf>,
    /// The names of variables that they have although they look like secrets.
    pub kept_variables: Vec<OsString>,
}

impl Confinement {
    /// The sandbox of processes with these permissions, whose own folder is `own`.
    pub(super) fn sandbox(&self, own: PathBuf) -> Sandbox {
        let writable = std::iter::once(own).chain(self.writable.iter().cloned()).collect();
        Sandbox { writable, hidden: self.hidden.clone() }
    }
}

/// Texts that a program prints if the sandbox forbids a write.
const NOT_WRITABLE: [&str; 3] = ["Read-only file system", "Permission denied", "Operation not permitted"];

/// Texts that it prints if the sandbox forbids the network.
const NO_NETWORK: [&str; 3] = ["Connection refused", "Network is unreachable", "Temporary failure in name resolution"];

/// The first line of `printed` that reports a denied access.
pub fn denied(printed: &str) -> Option<&str> {
    let words = [NOT_WRITABLE, NO_NETWORK].concat();
    printed.lines().find(|line| words.iter().any(|words| line.contains(words)))
}
