//! Decides a candidate: layers, each of which does one thing and can be left out, and the front that counts and reports. Beside the
//! front stand functions that ask something else of the same layers: queries, confirmations, batches, reruns.
//!
//! ```text
//! search, isolate, changes
//!   ask           the front: how certain an answer has to be, events; then layer by layer:
//!   limits        how long a run may take, learned from the runs that fail
//!   cached        each question once
//!   journalled    answers of a run that was cut short; writes down new ones
//!   screening     candidates that a batch rejected
//!   repeated      several runs for a verdict, where the failure shows in some of them only
//!   judged        program -> job, result -> verdict
//!   dispatch      budget and Ctrl-C, the pool of threads; joins jobs that were begun before they were asked for
//!   Executor      processes, the fork server, the sandbox
//! ```

pub(crate) mod ahead;
pub mod ask;
pub mod baseline;
mod cached;
pub(crate) mod carve;
pub(crate) mod cause;
pub mod checks;
mod compiler_errors;
pub(crate) mod confirm;
mod dispatch;
mod finds;
mod flaky;
pub(crate) mod hindrances;
mod journalled;
mod judged;
pub mod layers;
pub mod limits;
mod modes;
pub(crate) mod mutants;
mod pool;
pub(crate) mod queries;
pub mod refusal;
mod repeated;
pub(crate) mod request;
pub mod rerun;
pub(crate) mod screening;
pub mod sequential;
pub mod speculation;
pub(crate) mod suspects;
pub(crate) mod switches;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod values;
