//! Reductions from the messages of a compiler or from a run of the program.

pub(crate) mod batch;
pub mod canonical;
pub(crate) mod carved;
pub(crate) mod carving;
pub(crate) mod coverage;
pub(crate) mod decisions;
pub(crate) mod ended;
pub(crate) mod general;
pub(crate) mod mutants;
pub(crate) mod naming;
pub(crate) mod observed;
pub(crate) mod remnants;
mod runtime;
pub(crate) mod seen;
pub(crate) mod unused;
