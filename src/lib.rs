//! mcve turns a Rust program that shows a failure into the smallest program that still shows it.

pub mod dd;
pub mod event;
pub mod exec;
pub mod oracle;
pub mod program;
pub mod search;
