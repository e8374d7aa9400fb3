//! Oracles: is the failure still there? Each kind makes a job of a program, and a verdict of its result.

pub mod by_hand;
mod compiler_job;
pub(crate) mod conditional;
pub mod entry;
pub mod headers;
mod judge;
mod kinds;
mod output;
pub mod run;
pub mod rustc;
mod rustc_args;
pub mod shell;
mod signature;
pub mod ui_test;

pub use compiler_job::CompilerJob;
pub(crate) use compiler_job::NO_LINTS;
pub(crate) use judge::WORKS;
pub use judge::{Condition, Oracle, Properties, Verdict};
pub(crate) use kinds::run_conditions;
pub use kinds::{cargo_test, changed, command, compare, crash, diagnostic, script, valid};
pub use output::{diagnostics, harness, hints, places, runs};
pub(crate) use output::{normalise, obstacles, panics};
pub use signature::fingerprint::FailureId;
pub(crate) use signature::run_failure;
pub use signature::run_failure::last_words;
pub use signature::{failure, fingerprint, identity, strictness, wanted};
