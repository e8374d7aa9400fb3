//! Restricts processes: they write only below some folders, connect to no other programs, and affect no processes except for
//! their descendants.
//!
//! Several mechanisms of the kernel enforce this, as far as they are available:
//!
//! | mechanism | restrictions | availability |
//! | --- | --- | --- |
//! | Landlock (`files`) | writing, deleting, renaming, reading secrets, TCP, signals, tracing | Linux 5.13 and later, without privileges; TCP from 6.7, signals from 6.12 |
//! | read-only mounts (`mounts`) | also times, modes, owners and attributes of files | if namespaces are allowed |
//! | a separate network (`network`) | the whole network; programs can still connect to themselves | if namespaces are allowed |
//! | capabilities (`rights`) | other privileges of root | always |
//! | seccomp (`calls`) | sockets to other programs; calls that change the system | x86-64, AArch64, RISC-V |
//!
//! Reading is restricted for single files only, by mounts or else by Landlock. Processes cannot send what they read anywhere.

#[cfg(target_os = "linux")]
mod calls;
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
pub(crate) use files::confine;

/// The permissions of processes.
#[derive(Clone, Debug)]
pub struct Sandbox {
    /// Files that all of them may write to, and folders that they may write below.
    pub writable: Vec<PathBuf>,
    /// Files and folders that they may not read.
    pub hidden: Vec<PathBuf>,
}

/// The restrictions that a sandbox enforces on this system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Only the allowed files can be written.
    pub files: bool,
    /// No connections to other programs are possible.
    pub network: bool,
    /// The modes, times, owners and attributes of other files cannot be changed.
    pub modes: bool,
}

#[cfg(target_os = "linux")]
impl Sandbox {
    /// Puts this single-threaded process and its future descendants into the sandbox. Mechanisms that the kernel does
    /// not support are skipped, and namespaces if `by_namespaces` is false. Fails when a supported mechanism fails halfway.
    pub(crate) fn enter(&self, by_namespaces: bool) -> std::io::Result<Held> {
        let is_separate = by_namespaces && network::separate()?;
        let has_mounts = is_separate && mounts::protect(&self.writable, &self.hidden).is_ok();
        rights::drop();
        let to_hide = if has_mounts { &[][..] } else { &self.hidden };
        let has_landlock = files::confine(&self.writable, to_hide, !is_separate)?;
        let has_filter = calls::forbid(is_separate)?;
        // Without the filter, UNIX sockets of the system can still be connected to.
        Ok(Held { files: has_mounts || has_landlock, network: has_filter, modes: has_mounts })
    }
}
