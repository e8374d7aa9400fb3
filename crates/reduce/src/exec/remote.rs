//! Jobs that other programs run, such as `ssh host mcve worker`: a JSON object a line goes there, and one comes back.
//!
//! ```text
//! client: {"hello":{"form":1,"compiler":"/../bin/rustc","version":"rustc 1.95.0 .."}}      worker: {"ready":{"slots":8}}
//! client: {"run":{"id":1,"token":"..","job":{..},"timeout_ms":5000}}                       worker: {"done":{"id":1,"token":"..",..}}
//! client: {"cancel":1}
//! ```
//!
//! - A file of a job is sent with it, or named by its hash if it is large and was sent before.
//! - A result has the token of its job and a checksum. What has not is a fault of the worker, and never a verdict.
//! - A worker that ends, hangs, or answers with a fault gets no more jobs, and its jobs go to another one, at last to this machine.
//! - A worker is a [shortcut](super::shortcut): what it says to fail is confirmed by a fresh process of this machine.
//! - The worker looks for the compiler that says the same of itself, and refuses before the first job if it has none.

mod client;
mod protocol;
mod worker;

pub use client::Workers;
pub use worker::serve;
