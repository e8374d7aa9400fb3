//! What is preloaded into rustc so that it forks a copy of itself for each check, in place of being started anew.
//!
//! This crate is compiled twice, from the same files:
//!
//! - As a part of mcve, which takes from it what both sides agree on ([`protocol`]) and the text of the files ([`SOURCES`]). So clippy,
//!   rustfmt and rustdoc see all of it.
//! - By the user's own rustc, when mcve runs, with [`OPTIONS`]: to a shared object, which `LD_PRELOAD` names. That rustc may be of any
//!   version from 1.63 on, and it has no other crate, not even `std`. (One that is as old takes its words before `main`, so mcve does not
//!   use its server.)
//!
//! The object takes the place of `__libc_start_main` ([`start`]), which is called when all libraries are loaded, relocated and
//! initialised, and calls `main`. Half of a small check lies before that point, and it is the same for all checks. From there a
//! process serves that has the variable [`protocol::VARIABLE`]; any other one goes on as if nothing was preloaded.
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
