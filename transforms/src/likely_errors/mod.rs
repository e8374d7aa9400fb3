//! Errors that a compiler is sure to report, as far as the syntax of a file shows them: names that nothing defines, calls
//! with too few arguments, functions without the value that they promise.
//!
//! Nothing here knows types, expands macros or reads other files, so the errors of one file alone mean little. An error
//! that a file has and its original does not was most likely introduced by a transform.

mod agreement;
mod calls;
mod find;
pub(crate) mod found;
mod items;
mod known;
mod names;
#[cfg(test)]
mod tests;
