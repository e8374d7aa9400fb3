//! Oracles: is the failure still there? Each kind makes a job of a program, and a verdict of its result.

mod compiler_job;
pub mod conditional;
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

pub use compiler_job::{CompilerJob, NO_LINTS};
pub use judge::{Advice, Condition, Oracle, Properties};
pub use kinds::{
    accepted, cargo_test, changed, command, compare, crash, diagnostic, expands, failing_run, formatter, hang, prints,
    script, usage, valid,
};
pub use output::{diagnostics, harness, hints, obstacles, places, runs};
pub use signature::fingerprint::FailureId;
pub use signature::{failure, fingerprint, identity, run_failure, strictness, wanted};
pub use verdict::Verdict;
