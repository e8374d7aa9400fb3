//! Checks the next questions of a search before it asks them.
//!
//! A replica of the search runs ahead of the real one. It is the same code over the same answers, and assumes that a check under way
//! has the outcome of the check before it in its pass. When an assumption turns out wrong, the jobs that were begun after it are
//! cancelled, and the replica starts again where the real search last announced how it continues. The real search asks one question
//! after the other and finds some of them answered, so nothing depends on the replica but the time.

mod begin;
mod board;
pub(super) mod expected;
mod prediction;
pub(super) mod replica;

pub use begin::expect;
pub(super) use begin::{expect_job, speculates};
pub(crate) use begin::{set_continuation, workers};
pub(super) use prediction::predict;

#[cfg(test)]
mod tests;
