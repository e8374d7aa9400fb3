//! The tester: what delta debugging asks of the search about keep-lists over reductions.

use std::collections::VecDeque;

use mcve_transforms::{Reduction, Rule};

use super::engine::Search;
use super::filters::Proposal;
use super::transaction::Transaction;
use crate::check::limits::Stop;
use crate::dd::keep_list::KeepList;
use crate::dd::outcome::Outcome;
use crate::dd::tester::Tester;
use crate::program::Program;

/// At most so many steps of a gain are named.
const NAMED_STEPS: usize = 3;

/// Applies reductions to the program that was the best when it was made, and makes what still fails the best.
pub struct KeepListTester<'s, 'a> {
    search: &'s mut Search<'a>,
    base: Program,
    reductions: &'s [Reduction],
    /// What is kept in the best program now.
    kept: KeepList,
}

impl<'s, 'a> KeepListTester<'s, 'a> {
    /// Tests keep-lists over `reductions` of the best program.
    pub(super) fn new(search: &'s mut Search<'a>, reductions: &'s [Reduction]) -> Self {
        let (base, kept) = (search.best().clone(), KeepList::full(reductions.len()));
        search.state.filters.begin(reductions.len());
        Self { search, base, reductions, kept }
    }

    /// The candidate that a keep-list makes, if the filters admit it.
    fn admitted(&mut self, keep: &KeepList) -> Option<Program> {
        let (phase, state) = (self.search.phase(), &mut self.search.state);
        let now = (&state.best, state.transaction.as_ref());
        let proposal = propose(&self.base, self.reductions, [&self.kept, keep], now);
        state.filters.admit(phase, &proposal).then(|| proposal.into_program())
    }

    /// Takes the keep-lists that come next, where several of their candidates are worth a look at once, and has them screened.
    fn screen(&mut self, keeps: &mut dyn Iterator<Item = KeepList>) -> Result<VecDeque<KeepList>, Stop> {
        let count = self.search.checks.screening_size(self.search.best());
        if count == 0 {
            return Ok(VecDeque::new());
        }
        let timer = self.search.checks.timer();
        let (phase, mut filters) = (self.search.phase(), self.search.state.filters.clone());
        let (next, candidates) = timer.in_time(|| {
            let next: VecDeque<KeepList> = keeps.take(count).collect();
            let (state, reductions) = (&self.search.state, self.reductions);
            let now = (&state.best, state.transaction.as_ref());
            let proposals = next.iter().map(|keep| propose(&self.base, reductions, [&self.kept, keep], now));
            let admitted = proposals.filter(|proposal| filters.admit(phase, proposal));
            let candidates: Vec<Program> = admitted.map(Proposal::into_program).collect();
            (next, candidates)
        })?;
        let best = self.search.best().clone();
        self.search.checks.screen(&best, &candidates)?;
        Ok(next)
    }

    /// The reductions that `keep` applies and the best program does not, by name.
    fn steps(&self, keep: &KeepList) -> Vec<String> {
        let new = self.kept.kept().iter().filter(|index| keep.kept().binary_search(index).is_err());
        new.take(NAMED_STEPS).map(|&index| name(&self.base, &self.reductions[index])).collect()
    }

    fn accept(&mut self, program: Program, keep: KeepList) -> Result<(), Stop> {
        if self.reductions.iter().any(|reduction| matches!(reduction.transform.rule, Rule::Observed(_))) {
            self.search.state.values.mark_helpful();
        }
        if self.reductions.iter().any(|reduction| matches!(reduction.transform.rule, Rule::Covered(_))) {
            self.search.state.coverage.mark_helpful();
        }
        let steps = self.steps(&keep);
        self.kept = keep;
        self.search.accept(program, steps)
    }
}

impl Tester<Stop> for KeepListTester<'_, '_> {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, Stop> {
        let found = self.first(&mut std::iter::once(keep.clone()))?;
        Ok(if found.is_some() { Outcome::Fail } else { Outcome::Unresolved })
    }

    fn first(&mut self, keeps: &mut dyn Iterator<Item = KeepList>) -> Result<Option<usize>, Stop> {
        let phase = self.search.phase();
        let mut screened = VecDeque::new();
        for position in 0.. {
            self.search.checks.proceed()?;
            if self.search.tests_left().is_some_and(|tests| *tests == 0) {
                break;
            }
            if screened.is_empty() {
                screened = self.screen(keeps)?;
            }
            let timer = self.search.checks.timer();
            let next = timer.in_time(|| {
                let keep = screened.pop_front().or_else(|| keeps.next())?;
                Some((self.admitted(&keep), keep))
            })?;
            let Some((program, keep)) = next else { break };
            if let Some(tests) = self.search.tests_left() {
                *tests -= 1;
            }
            let Some(program) = program else { continue };
            let fails = self.search.checks.outcome(&program, self.search.observer)? == Outcome::Fail;
            self.search.state.filters.learn(phase, fails);
            if fails {
                self.accept(program, keep)?;
                return Ok(Some(position));
            }
        }
        Ok(None)
    }
}

/// A proposal to keep of `base` what the second list says, where the first is kept in the best program now.
fn propose<'p>(
    base: &'p Program,
    reductions: &'p [Reduction],
    lists: [&'p KeepList; 2],
    (best, transaction): (&'p Program, Option<&'p Transaction>),
) -> Proposal<'p> {
    let mut proposal = Proposal::new(base, best, reductions, lists);
    proposal.before = transaction.map(|transaction| &transaction.before);
    proposal
}

/// A reduction of `program` by its place and its transform.
pub(super) fn name(program: &Program, reduction: &Reduction) -> String {
    let (path, before) = program.place(reduction.site.start);
    let line = before.matches('\n').count() + 1;
    let column = before.len() - before.rfind('\n').map_or(0, |newline| newline + 1) + 1;
    format!("{}:{line}:{column}: {}", path.display(), reduction.transform.name)
}
