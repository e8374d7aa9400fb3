//! A generator of random Rust programs that are well-typed by construction, end when they are run, and print something.
//!
//! Written for reduction: whatever can go is a turn of a loop or a selection; what stands in its place then is drawn before
//! it, so that the trace knows it; and names are fresh numbers, which stay when others go.

mod callees;
mod calls;
mod code;
mod data;
mod expressions;
mod features;
mod forms;
mod functions;
mod generator;
mod items;
mod literals;
mod patterns;
mod scope;
mod statements;
mod traits;
mod types;
mod world;
mod writer;

pub use features::{Feature, Settings, UnknownFeature};
pub use generator::Programs;
