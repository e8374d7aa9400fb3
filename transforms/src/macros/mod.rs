//! The macros that a file defines: matching their rules and expanding their calls.

pub(crate) mod expand;
pub(crate) mod expansion_kind;
pub(crate) mod fragments;
pub(crate) mod macro_def;
pub(crate) mod matcher;
pub(crate) mod transcribe;
