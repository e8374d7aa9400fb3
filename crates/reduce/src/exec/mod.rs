//! Running checks: a [`Job`](job::Job) goes in, a [`JobResult`](job::JobResult) comes out. Only this module spawns processes.

pub mod cancel;
mod capture;
pub mod confinement;
pub(crate) mod environment;
pub mod fingerprint;
pub mod folder;
#[cfg(target_os = "linux")]
pub mod fork_server;
pub mod git;
mod group;
pub mod incremental;
pub mod inherited;
pub mod job;
pub mod limits;
pub mod process;
pub mod programs;
pub mod remote;
pub mod rustup;
pub mod shim;
pub mod shortcut;
mod steps;
pub mod stream;
pub mod tool;
