//! The kinds of failure, each an oracle in a file of its own.

pub mod cargo_test;
pub mod changed;
pub mod command;
pub mod compare;
pub(crate) mod completes_before;
pub mod crash;
pub mod diagnostic;
pub(crate) mod ends_at;
pub(crate) mod failing_run;
pub(crate) mod passes_changed;
pub mod script;
pub mod valid;
