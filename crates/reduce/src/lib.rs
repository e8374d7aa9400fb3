//! The reducer of mcve as a library: from a Rust program that shows a failure to the smallest one that still does.

mod admissible;
pub mod check;
mod closure;
pub mod event;
pub mod exec;
pub mod failure;
pub mod isolate;
mod locked;
pub mod modes;
pub mod oracle;
pub mod output;
mod own_files;
pub mod program;
pub mod project;
pub mod reducer;
pub mod search;
pub mod secrets;
pub mod sentence;
pub mod session;
pub mod state;
pub mod visible;
