//! Jobs that other programs run, such as `ssh host mcve worker`: a JSON object a line goes there, and one comes back.
//!
//! ```text
//! client: {"hello":{"form":2,"compiler":"/../bin/rustc","version":"rustc 1.95.0 .."}}      worker: {"ready":{"slots":8}}
//! client: {"run":{"id":1,"token":"..","job":{..},"blobs":{..},"timeout_ms":5000}}            worker: {"done":{"id":1,"token":"..",..}}
//! client: {"cancel":1}
//! ```
//!
//! - The files of a job are named by their hashes. Their bytes come with it, those of a large one with its first job.
//! - Files that a job names by absolute paths, such as the dependencies of a package, are sent once (`outside`).
//! - A result has the token of its job and a checksum. An answer without them is a fault of the worker, never a verdict.
//! - A worker that ends, hangs, or answers with a fault gets no more jobs, and its jobs go to another one, at last to this machine.
//! - A worker is a [shortcut](super::shortcut): what it says to fail is confirmed by a fresh process of this machine. From time to time
//!   it gets a job that ran here. If that ends otherwise there, no worker is used any more.
//! - The worker looks for the compiler that says the same of itself, and refuses before the first job if it has none.

mod client;
mod file;
mod outside;
mod protocol;
mod sent;
mod worker;

pub use client::Workers;
pub use worker::{serve, serve_folder};
