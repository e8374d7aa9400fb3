//! A generator of random Rust programs that are well-typed by construction, terminate, and print something.
//!
//! It is made for reduction: every removable part is a turn of a loop or a selection; its replacement is drawn before
//! it, so that the trace has it; and names are fresh numbers, which stay when others are removed.

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
