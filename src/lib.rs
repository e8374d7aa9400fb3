//! The command mcve: arguments, words, exit codes and reports. What it does is in the crates that it is made of.
//!
//! `ARCHITECTURE.md` in the repository says which part does what.

pub mod cli;
mod evidence;
mod report;
