//! Derivation trees, and what makes them: a context-free grammar with its parser and generator, or Rust's own syntax.
//! What is done with a derivation does not depend on where it comes from.

pub mod derivation;
pub mod generator;
pub mod packrat;
pub mod productions;
#[cfg(feature = "rust")]
pub mod rust;
