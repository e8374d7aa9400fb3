//! Contrasts: a failing program next to a passing one, with as small a difference as possible.
//!
//! Both are the program of the user with reductions applied: the failing one with those that are *shared*, the passing
//! one with those that set them *apart* as well. General delta debugging moves reductions from one side to the other. It
//! begins with what is coarse (bodies of functions, items with what refers to them); where no such reduction can move
//! any more, one that sets the two apart gives way to finer ones inside its bytes, and so on.

mod by_text;
mod cause;
mod compiles;
mod divide;
mod initial;
mod pair;
mod parts;
mod refine;
mod sweep;
#[cfg(test)]
mod tests;

pub use initial::NoPair;
pub(crate) use pair::IsolationPair;
