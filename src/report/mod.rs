//! What the user sees: events in, words, a progress bar or JSON out.

mod changes;
pub mod console;
pub mod diff;
pub mod finds;
pub mod json;
mod words;
