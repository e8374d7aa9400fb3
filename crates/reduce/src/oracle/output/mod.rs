//! Reads what compilers, tests and programs print.

pub mod diagnostics;
pub mod harness;
pub mod hints;
pub(crate) mod llvm;
pub(crate) mod normalise;
pub(crate) mod obstacles;
pub(crate) mod panics;
pub mod places;
pub(crate) mod run_message;
pub mod runs;
