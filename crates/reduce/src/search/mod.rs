//! The search: which candidates are tried, in which order, until no reduction applies any more.
//!
//! Only [`Search`](engine::Search) replaces the best program.

mod best;
pub mod by_generator;
mod by_grammar;
mod by_text;
mod by_words;
mod course;
pub mod engine;
mod feedback;
pub mod filters;
pub mod passes;
mod patience;
mod proof;
mod proposed;
mod publish;
mod recent;
pub mod tester;
#[cfg(test)]
mod tests;
mod transaction;
mod tried;
