//! Placeholders: short values, other types, instantiated generics.

pub(crate) mod divergence;
pub(crate) mod expectation;
pub(crate) mod free_functions;
pub(crate) mod instantiate;
pub(crate) mod lift;
pub(crate) mod substitute;
pub(crate) mod values;
