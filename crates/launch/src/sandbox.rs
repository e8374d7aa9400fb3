//! What keeps processes from reaching out: they write only below some folders, connect to nothing, and touch no process but those
//! that they started.
//!
//! Several mechanisms of the kernel do that, each as far as it is there:
//!
//! | mechanism | what it holds | where |
//! | --- | --- | --- |
//! | Landlock (`files`) | writing, deleting, renaming, reading secrets, TCP, signals, tracing | Linux 5.13 and later, no right needed; TCP from 6.7, signals from 6.12 |
//! | read-only mounts (`mounts`) | also times, modes, owners and attributes of files | where namespaces are allowed |
//! | a network of its own (`network`) | all of the network; programs can still talk to themselves | where namespaces are allowed |
//! | capabilities (`rights`) | what root may do besides | always |
//! | seccomp (`calls`) | sockets to other programs; calls that change the system | x86-64, AArch64, RISC-V |
//!
//! Reading is held of single files only, by mounts or else by Landlock. What is read can go nowhere.

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod enter;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod mounts;
#[cfg(target_os = "linux")]
mod network;
#[cfg(target_os = "linux")]
mod rights;

use std::path::PathBuf;

#[cfg(target_os = "linux")]
pub(crate) use files::confine_to;

/// What processes may do.
#[derive(Clone, Debug)]
pub struct Sandbox {
    /// Files and folders that all of them may write to, or below.
    pub writable: Vec<PathBuf>,
    /// Files and folders that none of them may read.
    pub hidden: Vec<PathBuf>,
}

/// What a sandbox holds on this system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// No file can be written but those that may be.
    pub files: bool,
    /// Nothing can be connected to.
    pub network: bool,
    /// The modes, times, owners and attributes of other files stay as they are.
    pub modes: bool,
}
