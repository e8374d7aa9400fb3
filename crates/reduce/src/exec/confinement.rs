//! The permissions of processes in a sandbox.

use std::ffi::OsString;
use std::path::PathBuf;

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
