//! Decides whether two diagnostics are the same question for a person who answers it.

mod advice;
mod detail;
mod diagnostic;
mod label;
mod names;
mod sentence;

pub use detail::{Detail, Difference};
pub use diagnostic::{Identity, name};
pub use names::{Names, OwnNames};

#[cfg(test)]
mod tests;
