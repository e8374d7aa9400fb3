//! The kinds of failure, each an oracle in a file of its own.

pub mod cargo_test;
pub mod changed;
pub mod command;
pub mod compare;
pub mod crash;
pub mod diagnostic;
mod failing_run;
pub(crate) mod run_conditions;
pub mod script;
pub mod valid;
