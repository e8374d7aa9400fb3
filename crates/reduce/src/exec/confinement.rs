//! The permissions of processes in a sandbox.

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
