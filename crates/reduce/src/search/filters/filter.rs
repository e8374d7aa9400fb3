//! The trait of all filters.

use mcve_transforms::Reduction;

use super::proposal::Proposal;
use crate::program::Program;

/// The phase of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It runs the passes of its schedule.
    Passes,
    /// It reduces a program that it will keep only if that pays.
    Transaction,
    /// It proves that no single reduction applies.
    Proof,
}

/// Decides which candidates are worth a check.
pub trait Filter: Send + Sync {
    /// The name of the filter.
    fn name(&self) -> &'static str;

    /// Whether the filter is asked in a phase. By default in all.
    fn applies(&self, _phase: Phase) -> bool {
        true
    }

    /// Prepares for keep-lists over `count` reductions of one program.
    fn begin(&mut self, _count: usize) {}

    /// Whether a single reduction of `base` may be proposed at all.
    fn proposes(&self, _base: &Program, _reduction: &Reduction) -> bool {
        true
    }

    /// Whether a candidate is worth a check.
    fn admits(&mut self, proposal: &Proposal<'_>) -> bool;

    /// Learns whether the candidate that was admitted last fails.
    fn learn(&mut self, _fails: bool) {}

    /// Learns that a reduction of `base` does not apply, which was found without a check of it.
    fn reject(&mut self, _base: &Program, _reduction: &Reduction) {}

    /// A copy with the same knowledge, for a replica of the search.
    fn fork(&self) -> Box<dyn Filter>;
}
