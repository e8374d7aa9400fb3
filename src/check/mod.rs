//! What decides a candidate: layers, each of which does one thing and can be left out, and the front that counts and tells.
//!
//! ```text
//! search, isolate, changes
//!   Checks        the front: how certain an answer has to be, counts, events
//!   Limited       how long a run may take, learned from the runs that fail
//!   Cached        each question once
//!   Journalled    answers of a run that was cut short; writes down new ones
//!   Screened      candidates that do not fail, looked at together with others
//!   Repeated      several runs for a verdict, where the failure is there in some of them only
//!   Judged        program -> job, result -> verdict
//!   Speculative   joins jobs that were begun before they were asked for
//!   Dispatch      budget and Ctrl-C, fork server or fresh process, the pool of threads
//!   Executor      processes, the fork server, the sandbox
//! ```

pub mod baseline;
mod cached;
pub mod checks;
mod complaints;
mod confirm;
mod dispatch;
mod finds;
pub mod flaky;
mod journalled;
mod judged;
pub mod layers;
mod limited;
pub mod limits;
mod mutants;
mod pool;
mod queries;
pub mod refusal;
mod repeated;
pub mod request;
mod screening;
pub mod sequential;
pub mod speculation;
pub mod switches;
#[cfg(test)]
pub(crate) mod testing;
pub mod watch;
