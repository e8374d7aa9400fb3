//! What will be asked next is checked before it is asked.
//!
//! A replica of the search runs ahead of the real one. It is the same code over the same answers, and assumes that a check under
//! way comes out as the one before in its pass did. Where an assumption turns out wrong, what was begun behind it is cancelled,
//! and the replica begins again where the real search said last how it continues. The real search asks one question after the
//! other and finds some of them answered, so nothing depends on the replica but the time.

mod begin;
mod board;
pub(super) mod path;
mod replica;
mod speculative;

pub use replica::Continuation;
pub(super) use replica::{Prediction, Replica, Thread};
pub(super) use speculative::Speculative;

#[cfg(test)]
mod tests;
