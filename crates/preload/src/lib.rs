//! A library that is preloaded into rustc, so that it forks a copy of itself for each check instead of being started anew.
//!
//! This crate is compiled twice from the same files:
//!
//! - As a part of mcve, which uses the shared protocol ([`protocol`]) and the text of the files ([`SOURCES`]). So clippy,
//!   rustfmt and rustdoc see all of it.
//! - By the user's own rustc, when mcve runs, with [`OPTIONS`], to a shared object for `LD_PRELOAD`. That rustc may be of any
//!   version from 1.63 on, and there are no other crates, not even `std`. (A rustc
//!   that old reads its arguments before `main`, so mcve does not use its server.)
//!
//! The object replaces `__libc_start_main` ([`start`]), which is called when all libraries are loaded, relocated and
//! initialised, and calls `main`. Half of the time of a small check is spent before that point, in the same way for all
//! checks. A process with the variable [`protocol::VARIABLE`] becomes a server there; any other process continues
//! normally.
#![no_std]

#[cfg(test)]
extern crate std;

#[cfg(target_os = "linux")]
mod orphans;
pub mod protocol;
#[cfg(target_os = "linux")]
mod receive;
#[cfg(target_os = "linux")]
mod server;
#[cfg(not(mcve_preload_object))]
mod sources;
#[cfg(target_os = "linux")]
pub mod start;
#[cfg(target_os = "linux")]
mod system;
mod text;

#[cfg(not(mcve_preload_object))]
pub use sources::{OPTIONS, ROOT, SOURCES};
