//! The output for the user: text, a progress bar or JSON, made from events.

mod changes;
pub(crate) mod console;
pub(crate) mod diff;
pub(crate) mod finds;
pub(crate) mod fuzz;
pub(crate) mod general;
pub(crate) mod highlight;
pub(crate) mod json;
pub(crate) mod log;
pub(crate) mod page;
pub(crate) mod pair;
pub(crate) mod terminal;
pub(crate) mod why;
mod words;
