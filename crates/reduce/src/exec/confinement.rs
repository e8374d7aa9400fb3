//! What a sandbox leaves to those that run in it.

use std::ffi::OsString;
use std::path::PathBuf;

/// What checks and tools may do in a sandbox, and have from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confinement {
    /// Files and folders that they may write to, besides their own folder.
    pub writable: Vec<PathBuf>,
    /// Files and folders that they may not read, as far as the system can hide them.
    pub hidden: Vec<PathBuf>,
    /// The names of variables that they have although they look like secrets.
    pub kept_variables: Vec<OsString>,
}
