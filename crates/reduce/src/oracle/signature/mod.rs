//! The identity of failures, and when two failures are the same.

pub mod failure;
pub mod fingerprint;
pub mod identity;
mod recognise;
pub(crate) mod run_failure;
pub mod strictness;
pub mod wanted;
