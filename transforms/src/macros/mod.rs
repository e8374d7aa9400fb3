//! The macros that a file defines: what their rules match, and what their calls become.

pub(crate) mod expand;
pub(crate) mod expansion_kind;
pub(crate) mod fragments;
pub(crate) mod macro_def;
pub(crate) mod matcher;
pub(crate) mod rules;
pub(crate) mod transcribe;
