//! Filters: which candidates are worth a check now. What a filter leaves out is left to the proof.
//!
//! A filter knows no clock, asks nobody and changes nothing: it sees what is proposed, says whether it admits that, and learns
//! what came of what was admitted.

mod kept;
mod likely_errors;
mod rejected_before;
mod smaller;

use std::cell::OnceCell;

use mcve_transforms::Reduction;

use crate::dd::keep_list::KeepList;
use crate::program::Program;

pub use kept::Kept;
pub use likely_errors::LikelyRefused;
pub use rejected_before::RejectedBefore;
pub use smaller::{NotUndone, Smaller};

/// What a search is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It runs the passes of its schedule.
    Passes,
    /// It reduces a program that it will keep only if that pays.
    Transaction,
    /// It proves that no single reduction applies.
    Proof,
}

/// Says which candidates are worth a check.
pub trait Filter: Send + Sync {
    /// How the filter is called.
    fn name(&self) -> &'static str;

    /// Whether it is asked in a phase.
    fn applies(&self, phase: Phase) -> bool;

    /// Prepares for keep-lists over `count` reductions of one program.
    fn begin(&mut self, count: usize) {
        let _ = count;
    }

    /// Whether a single reduction of `base` may be proposed at all.
    fn proposes(&self, base: &Program, reduction: &Reduction) -> bool {
        let _ = (base, reduction);
        true
    }

    /// Whether a candidate is worth a check.
    fn admits(&mut self, proposal: &Proposal<'_>) -> bool;

    /// Takes notice of whether the candidate that was admitted last fails.
    fn learn(&mut self, fails: bool) {
        let _ = fails;
    }

    /// Takes notice that a reduction of `base` does not apply, which somebody else found out.
    fn reject(&mut self, base: &Program, reduction: &Reduction) {
        let _ = (base, reduction);
    }

    /// The same filter with the same knowledge, for a replica of the search.
    fn fork(&self) -> Box<dyn Filter>;
}

/// A candidate: a set of reductions of a program, which is applied when somebody looks at the result.
pub struct Proposal<'p> {
    /// The program that the reductions are of.
    pub base: &'p Program,
    /// The best program.
    pub best: &'p Program,
    /// The program before the transaction, if one is under way.
    pub before: Option<&'p Program>,
    /// The reductions.
    pub reductions: &'p [Reduction],
    /// What the best program keeps of them.
    pub kept: &'p KeepList,
    /// What the candidate keeps of them.
    pub keep: &'p KeepList,
    program: OnceCell<Program>,
}

impl<'p> Proposal<'p> {
    /// A proposal to keep what `keep` says, where `kept` is kept now.
    #[must_use]
    pub fn new(
        base: &'p Program,
        best: &'p Program,
        reductions: &'p [Reduction],
        [kept, keep]: [&'p KeepList; 2],
    ) -> Self {
        Self { base, best, before: None, reductions, kept, keep, program: OnceCell::new() }
    }

    /// What the reductions make of the program.
    pub fn program(&self) -> &Program {
        self.program.get_or_init(|| {
            let removed = self.keep.removed().map(|index| &self.reductions[index]);
            self.base.reduced_by(removed)
        })
    }

    /// The same, for good.
    #[must_use]
    pub fn into_program(self) -> Program {
        self.program();
        self.program.into_inner().expect("it was just made")
    }
}

/// The filters of a search, in the order in which they are asked.
pub struct Filters(Vec<Box<dyn Filter>>);

impl Default for Filters {
    fn default() -> Self {
        Self(vec![
            Box::new(RejectedBefore::default()),
            Box::new(Smaller),
            Box::new(NotUndone),
            Box::new(LikelyRefused::default()),
        ])
    }
}

impl Clone for Filters {
    fn clone(&self) -> Self {
        Self(self.0.iter().map(|filter| filter.fork()).collect())
    }
}

impl Filters {
    /// The same without the filter of this name.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.0.retain(|filter| filter.name() != name);
        self
    }

    /// The same with one more, which is asked last: it sees what all the others admit.
    #[must_use]
    pub fn with(mut self, filter: Box<dyn Filter>) -> Self {
        self.0.push(filter);
        self
    }

    /// How they are called.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|filter| filter.name()).collect()
    }

    /// The same without knowledge. Those that were added stay as they are.
    #[must_use]
    pub fn renewed(&self) -> Self {
        let mut new = Self::default();
        let usual = new.names();
        new.0.retain(|filter| self.0.iter().any(|other| other.name() == filter.name()));
        let added = self.0.iter().filter(|filter| !usual.contains(&filter.name()));
        new.0.extend(added.map(|filter| filter.fork()));
        new
    }

    /// Prepares for keep-lists over `count` reductions of one program.
    pub fn begin(&mut self, count: usize) {
        self.0.iter_mut().for_each(|filter| filter.begin(count));
    }

    /// Whether all filters of a phase let a single reduction be proposed.
    #[must_use]
    pub fn propose(&self, phase: Phase, base: &Program, reduction: &Reduction) -> bool {
        self.0.iter().filter(|filter| filter.applies(phase)).all(|filter| filter.proposes(base, reduction))
    }

    /// Tells all filters that a reduction of `base` does not apply.
    pub fn reject(&mut self, base: &Program, reduction: &Reduction) {
        self.0.iter_mut().for_each(|filter| filter.reject(base, reduction));
    }

    /// Whether all filters of a phase admit a candidate.
    pub fn admit(&mut self, phase: Phase, proposal: &Proposal<'_>) -> bool {
        self.0.iter_mut().filter(|filter| filter.applies(phase)).all(|filter| filter.admits(proposal))
    }

    /// Tells all filters of a phase whether the candidate that was admitted last fails.
    pub fn learn(&mut self, phase: Phase, fails: bool) {
        self.0.iter_mut().filter(|filter| filter.applies(phase)).for_each(|filter| filter.learn(fails));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Added;

    impl Filter for Added {
        fn name(&self) -> &'static str {
            "added"
        }

        fn applies(&self, _: Phase) -> bool {
            true
        }

        fn admits(&mut self, _: &Proposal<'_>) -> bool {
            true
        }

        fn fork(&self) -> Box<dyn Filter> {
            Box::new(Self)
        }
    }

    #[test]
    fn a_filter_that_was_added_is_asked_last_and_stays_when_others_forget() {
        let filters = Filters::default().without("not-undone").with(Box::new(Added));
        let names = ["rejected-before", "smaller", "likely-errors", "added"];
        assert_eq!(filters.names(), names);
        assert_eq!(filters.renewed().names(), names);
        assert_eq!(filters.clone().names(), names);
    }
}
