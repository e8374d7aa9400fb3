//! mcve turns a Rust program that shows a failure into the smallest program that still shows it.
//!
//! `ARCHITECTURE.md` in the repository tells which part knows what, and the way a program goes through them.

mod admissible;
pub mod changes;
pub mod check;
pub mod cli;
pub mod event;
pub mod exec;
pub mod failure;
pub mod isolate;
pub mod modes;
pub mod oracle;
pub mod output;
pub mod package;
mod panics;
pub mod program;
pub mod project;
pub mod report;
pub mod search;
pub mod secrets;
pub mod session;
pub mod state;
pub mod user_key;
