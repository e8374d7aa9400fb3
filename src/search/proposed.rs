//! What transforms propose for the best program.

use std::sync::Arc;

use mcve_transforms::{Analysis, Reduction, Rule, Transform, Tree, enumerate_hinted, enumerate_trials, follow_hints};

use super::engine::Search;
use super::filters::Phase;
use super::recent::Recent;
use crate::check::limits::Stop;
use crate::fitting::Fitting;
use crate::program::ContentHash;

/// So many reductions are remembered, of several programs.
const REMEMBERED: usize = 1 << 16;

/// What was proposed of late. Clones are the same.
#[derive(Clone, Debug)]
pub(super) struct Proposed(Recent<ProposalKey, Arc<[Reduction]>>);

impl Default for Proposed {
    fn default() -> Self {
        Self(Recent::new(REMEMBERED, |reductions| reductions.len() + 1))
    }
}

/// All that it depends on what is proposed, where nobody else is asked.
#[derive(Debug, PartialEq, Eq)]
struct ProposalKey {
    text: ContentHash,
    transforms: Vec<&'static str>,
    fitting: Fitting,
    /// Whether the program has to be smaller after it.
    shrinks: bool,
}

/// What one transform proposes for a tree.
type Enumerate<'e> = dyn Fn(&Analysis<'_>, &'static Transform) -> Vec<Reduction> + 'e;

impl Search<'_> {
    /// The reductions that do what hints of `lint` say.
    pub(super) fn hinted(&mut self, lint: &str) -> Result<Vec<Reduction>, Stop> {
        let (source, hints) = (self.source(), self.hints()?);
        let is_enabled = |transform| self.state.enabled.contains(&transform);
        self.checks.in_time(|| follow_hints(&Analysis::of(&Tree::new(&source)), &hints, lint, &is_enabled))
    }

    /// The reductions that the enabled ones among `transforms` propose for the best program, in source order. During an
    /// attempt, those of what it changed.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn reductions(&mut self, transforms: &[&'static Transform]) -> Result<Vec<Reduction>, Stop> {
        let is_told = transforms.iter().any(|transform| matches!(transform.rule, Rule::Hinted(_)));
        let is_observed = transforms.iter().any(|transform| matches!(transform.rule, Rule::Observed(_)));
        let is_covered = transforms.iter().any(|transform| matches!(transform.rule, Rule::Covered(_)));
        let mut reductions = if is_told || is_observed || is_covered {
            let hints = if is_told { self.hints()? } else { Arc::default() };
            let values = if is_observed { self.values()? } else { Arc::default() };
            let not_reached = if is_covered { self.not_reached()? } else { Arc::default() };
            let told = |transform: &Transform| match transform.rule {
                Rule::Observed(_) => &values,
                Rule::Covered(_) => &not_reached,
                _ => &hints,
            };
            self.propose(transforms, &|names, transform| enumerate_hinted(names, transform, told(transform)))?
        } else {
            self.proposed(transforms, true, &|names, transform| enumerate_hinted(names, transform, &[]))?
        };
        self.retain_concerned(&mut reductions)?;
        Ok(reductions)
    }

    /// What the enabled ones among `transforms` propose for the best program although it is no smaller after it.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn trials(&mut self, transforms: &[&'static Transform]) -> Result<Vec<Reduction>, Stop> {
        self.proposed(transforms, false, &enumerate_trials)
    }

    /// As [`propose`](Self::propose), where `enumerate` looks at the tree only.
    fn proposed(
        &mut self,
        transforms: &[&'static Transform],
        shrinks: bool,
        enumerate: &Enumerate<'_>,
    ) -> Result<Vec<Reduction>, Stop> {
        let question = ProposalKey {
            text: self.best().hash(),
            transforms: transforms.iter().map(|transform| transform.name).collect(),
            fitting: self.fitting(),
            shrinks,
        };
        let Proposed(recent) = self.state.proposed.clone();
        Ok(recent.try_get_or(question, || self.propose(transforms, enumerate).map(Arc::from))?.to_vec())
    }

    fn propose(
        &mut self,
        transforms: &[&'static Transform],
        enumerate: &Enumerate<'_>,
    ) -> Result<Vec<Reduction>, Stop> {
        let (source, fitting) = (self.source(), self.fitting());
        let enabled = transforms.iter().filter(|transform| self.state.enabled.contains(transform));
        self.checks.in_time(|| {
            let tree = Tree::new(&source);
            let names = Analysis::of(&tree);
            let reductions = enabled.flat_map(|transform| enumerate(&names, transform));
            let mut reductions = fitting.apply(&tree, reductions);
            reductions.sort_by_key(|reduction| (reduction.site.start, std::cmp::Reverse(reduction.site.end)));
            reductions
        })
    }

    /// Which reductions fit now. What runs is known of the best program, and the proof takes nothing for granted.
    fn fitting(&self) -> Fitting {
        let all_runs = self.state.knows_what_runs && self.phase() == Phase::Passes;
        self.state.fitting.where_all_runs(all_runs)
    }

    /// Has reductions that make their check hang proposed from now on; false if there is nothing that was put off.
    pub(super) fn stop_putting_off(&mut self) -> bool {
        let fitting = self.state.fitting.with_loops();
        self.state.fitting = fitting.unwrap_or(self.state.fitting);
        fitting.is_some()
    }
}

#[cfg(test)]
mod tests {
    use mcve_transforms::{named, transforms};

    use super::*;
    use crate::check::limits::Limits;
    use crate::check::testing::{Events, checker};
    use crate::dd::outcome::Outcome;
    use crate::program::Program;

    const INPUT: &str = "fn f() { loop {} } fn g() { f(); }";

    #[test]
    fn what_is_remembered_is_proposed_again_for_the_same_program_by_the_same_transforms_only() {
        let (mut events, mut keep) = (Events::default(), |_: &Program| Ok(()));
        let checker = checker(1, Limits::default(), |_| Outcome::Fail);
        let input = Program::new("a.rs", INPUT);
        let enabled = transforms().collect();
        let mut search = Search::new(input.clone(), enabled, checker, &mut events, &mut keep);
        let [items, bodies] = ["items", "bodies"].map(named);
        let steps = |search: &mut Search<'_>, transforms: &[&'static Transform]| {
            let reductions = search.reductions(transforms).expect("nothing stops it");
            reductions.iter().map(|reduction| search.name(reduction)).collect::<Vec<_>>()
        };
        let first = steps(&mut search, &items);
        assert!(!first.is_empty());
        assert_ne!(steps(&mut search, &bodies), first);
        assert!(search.trials(&items).expect("nothing stops it").is_empty());
        search.replace(input.with_text("fn f() {}".to_owned()));
        assert_ne!(steps(&mut search, &items), first);
        search.replace(input);
        assert_eq!(steps(&mut search, &items), first);
    }
}
