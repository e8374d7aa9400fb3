//! The output for the user: text, a progress bar or JSON, made from events.

pub(crate) mod batch;
pub(crate) mod begun;
mod changes;
pub(crate) mod console;
pub(crate) mod diff;
mod end;
pub(crate) mod finds;
pub(crate) mod fuzz;
pub(crate) mod general;
mod gone;
pub(crate) mod highlight;
pub(crate) mod history;
pub(crate) mod issue;
pub(crate) mod json;
pub(crate) mod known;
mod live;
pub(crate) mod log;
pub(crate) mod page;
pub(crate) mod pair;
pub(crate) mod private;
pub(crate) mod progress;
pub(crate) mod terminal;
#[cfg(feature = "tui")]
pub(crate) mod tui;
pub(crate) mod verified;
pub(crate) mod why;
pub(crate) mod words;
