//! The state that outlives a run: a journal of all results, from which an interrupted run continues.

pub mod file;
pub mod invocation;
pub mod journal;
pub mod lock;
pub mod place;
pub(crate) mod record;
mod recorded;
pub mod store;
