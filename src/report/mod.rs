//! What the user sees: events in, words, a progress bar or JSON out.

pub mod console;
pub mod diff;
pub mod json;
