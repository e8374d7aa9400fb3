//! Failures: from the user's request to the oracle that keeps the failure.
//!
//! A [`FailureSpec`](spec::FailureSpec) holds plain values. A [`Request`](request::Request) for a program finds its failure, or
//! returns a [`FailureError`](error::FailureError) that explains why there is none.

pub(crate) mod any;
pub mod compiler;
mod conditions;
pub mod config;
pub mod error;
mod held;
pub mod kinds;
mod lookup;
pub mod problem;
mod reason;
pub mod request;
pub mod run;
mod rustc;
pub mod scripts;
pub mod shown;
pub mod spec;
pub mod subject;
mod suggestion;
pub mod tool;
mod valid;
mod version;
