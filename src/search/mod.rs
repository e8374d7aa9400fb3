//! The search: which candidates are tried, in which order, until nothing can go any more.
//!
//! Only [`Search`](engine::Search) replaces the best program.

mod ahead;
mod answers;
mod asking;
mod attempt;
pub mod baseline;
pub mod by_generator;
pub mod checker;
pub mod confirm;
pub mod contrast;
pub mod engine;
pub mod finish;
mod flawed;
mod loops;
mod outcomes;
pub mod passes;
pub mod proof;
mod proposed;
mod recent;
pub mod schedule;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod told;
pub mod trial;
pub mod trials;
mod tried;
mod upwards;
pub mod watch;
pub mod whole;
pub mod workers;
