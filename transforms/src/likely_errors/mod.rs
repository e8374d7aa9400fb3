//! What a compiler is sure to refuse, as far as the syntax of a file tells: names that nothing defines, calls with too few
//! arguments, functions without the value that they promise.
//!
//! Nothing here knows types, expands macros or looks out of the file, so what is found in one file alone says little. What a
//! file has, and the one that it was made of has not, was most likely broken on the way.

mod agreement;
mod calls;
mod find;
pub(crate) mod found;
mod items;
mod known;
mod names;
#[cfg(test)]
mod tests;
