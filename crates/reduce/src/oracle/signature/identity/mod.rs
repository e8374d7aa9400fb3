//! Decides whether two diagnostics are the same question for a person who answers it.

mod advice;
mod detail;
mod diagnostic;
mod label;
mod names;
mod sentence;

pub use detail::{Detail, Difference};
pub(crate) use diagnostic::Identity;
pub use diagnostic::name;
pub use names::Names;
pub(crate) use names::OwnNames;

#[cfg(test)]
mod tests;
