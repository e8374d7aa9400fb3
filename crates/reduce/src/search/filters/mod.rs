//! Filters say which candidates are worth a check now. What a filter leaves out is left to the proof.
//!
//! A filter knows no clock, asks nobody and changes nothing: it sees a proposal, says whether it admits it, and learns the outcomes of
//! those that were admitted.

mod filter;
mod kept;
mod likely_errors;
mod markers;
mod proposal;
mod rejected_before;
mod smaller;
mod stack;

pub use filter::{Filter, Phase};
pub use kept::Kept;
pub use likely_errors::LikelyRefused;
pub use markers::Marked;
pub use proposal::Proposal;
pub use rejected_before::RejectedBefore;
pub use stack::Filters;
