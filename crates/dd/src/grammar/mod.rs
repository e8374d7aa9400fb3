//! Derivation trees and their sources: a context-free grammar with its parser and generator, or Rust's own syntax.
//! The reducers work on derivations from any source.

pub mod class;
pub mod derivation;
pub mod earley;
pub mod generator;
pub mod notation;
pub mod position;
pub mod productions;
mod reached;
#[cfg(feature = "rust")]
pub mod rust;
pub mod shipped;
pub(crate) mod shorter;
