//! The kinds of failure, each an oracle in a file of its own.

pub mod accepted;
pub mod cargo_test;
pub mod changed;
pub mod command;
pub mod compare;
pub(crate) mod completes_before;
pub mod crash;
pub mod diagnostic;
pub(crate) mod ends_at;
pub mod expands;
pub(crate) mod failing_run;
pub(crate) mod formatter;
pub mod hang;
pub mod incremental;
pub(crate) mod passes_changed;
pub mod prints;
pub mod script;
pub mod usage;
pub mod valid;
