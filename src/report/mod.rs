//! The output for the user: text, a progress bar or JSON, made from events.

mod changes;
pub mod console;
pub mod diff;
pub mod finds;
pub mod fuzz;
pub mod general;
pub mod json;
pub mod log;
pub mod pair;
pub mod terminal;
pub mod why;
mod words;
