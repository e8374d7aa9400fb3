//! Oracles: is the failure still there? Each kind makes a job of a program, and a verdict of its result.

pub mod by_hand;
mod compiler_job;
pub(crate) mod condition;
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
mod verdict;

pub use compiler_job::CompilerJob;
pub(crate) use compiler_job::NO_LINTS;
pub use judge::{Condition, Oracle, Properties};
pub use kinds::{cargo_test, changed, command, compare, crash, diagnostic, script, valid};
pub(crate) use kinds::{completes_before, ends_at, failing_run, passes_changed};
pub use output::{diagnostics, harness, hints, places, runs};
pub(crate) use output::{normalise, obstacles, panics};
pub use signature::fingerprint::FailureId;
pub(crate) use signature::run_failure;
pub use signature::run_failure::last_words;
pub use signature::{failure, fingerprint, identity, strictness, wanted};
pub use verdict::Verdict;
pub(crate) use verdict::WORKS;
