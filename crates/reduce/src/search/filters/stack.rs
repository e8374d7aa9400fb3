//! The filters of a search.

use mcve_transforms::Reduction;

use super::filter::{Filter, Phase};
use super::likely_errors::LikelyRefused;
use super::proposal::Proposal;
use super::rejected_before::RejectedBefore;
use super::smaller::Smaller;
use crate::program::Program;

/// The filters of a search, in the order in which they are asked.
pub struct Filters(Vec<Box<dyn Filter>>);

impl Default for Filters {
    fn default() -> Self {
        Self(vec![Box::new(RejectedBefore::default()), Box::new(Smaller), Box::new(LikelyRefused::default())])
    }
}

impl Clone for Filters {
    fn clone(&self) -> Self {
        Self(self.0.iter().map(|filter| filter.fork()).collect())
    }
}

impl Filters {
    /// The filters without the one of this name.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.0.retain(|filter| filter.name() != name);
        self
    }

    /// The filters and one more, which is asked last: it sees only what all others admit.
    #[must_use]
    pub fn with(mut self, filter: Box<dyn Filter>) -> Self {
        self.0.push(filter);
        self
    }

    /// The names of the filters.
    pub fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|filter| filter.name()).collect()
    }

    /// The filters without knowledge; added ones keep theirs.
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

    /// The name of the filter of a phase that does not let a single reduction be proposed, if any.
    pub fn refuse(&self, phase: Phase, base: &Program, reduction: &Reduction) -> Option<&'static str> {
        let mut filters = self.0.iter().filter(|filter| filter.applies(phase));
        filters.find(|filter| !filter.proposes(base, reduction)).map(|filter| filter.name())
    }

    /// Teaches all filters that a reduction of `base` does not apply.
    pub(crate) fn reject(&mut self, base: &Program, reduction: &Reduction) {
        self.0.iter_mut().for_each(|filter| filter.reject(base, reduction));
    }

    /// The name of the filter of a phase that does not admit a candidate, if any.
    pub fn refuse_candidate(&mut self, phase: Phase, proposal: &Proposal<'_>) -> Option<&'static str> {
        let mut filters = self.0.iter_mut().filter(|filter| filter.applies(phase));
        filters.find_map(|filter| (!filter.admits(proposal)).then(|| filter.name()))
    }

    /// Teaches all filters of a phase whether the candidate that was admitted last fails.
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

        fn admits(&mut self, _: &Proposal<'_>) -> bool {
            true
        }

        fn fork(&self) -> Box<dyn Filter> {
            Box::new(Self)
        }
    }

    #[test]
    fn a_filter_that_was_added_is_asked_last_and_stays_when_others_forget() {
        let filters = Filters::default().without("likely-errors").with(Box::new(Added));
        let names = ["rejected-before", "smaller", "added"];
        assert_eq!(filters.names(), names);
        assert_eq!(filters.renewed().names(), names);
        assert_eq!(filters.clone().names(), names);
    }
}
