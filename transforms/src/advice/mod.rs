//! What a compiler or a run says of a program, as reductions.

pub(crate) mod batch;
pub(crate) mod coverage;
pub(crate) mod mutants;
pub(crate) mod observed;
pub(crate) mod unused;
