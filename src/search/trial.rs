//! Reductions on trial: what delta debugging asks of the search.

use std::cell::RefCell;

use mcve_transforms::{Reduction, Rule, apply};

use super::checker::Stop;
use super::engine::Search;
use super::flawed::Judge;
use super::tried::{Look, Tried};
use crate::dd::keep_list::KeepList;
use crate::dd::outcome::Outcome;
use crate::dd::tester::Tester;
use crate::program::Program;

/// At most so many steps of a gain are named.
const NAMED_STEPS: usize = 3;

/// A set of more reductions than this is hardly ever tried again as it was.
const LARGEST: usize = 64;

/// Applies reductions to the program that was the best when the trial began, and makes what still fails the best.
pub struct Trial<'s, 'a> {
    search: &'s mut Search<'a>,
    base: Program,
    reductions: &'s [Reduction],
    /// What is kept in the best program now.
    kept: KeepList,
    /// What had been tried in vain when the trial began: two parts of a program may look the same, and both are to be tried.
    tried: Tried,
    looks: Looks,
}

/// How reductions look, as far as anybody asked.
struct Looks(RefCell<Vec<Option<Look>>>);

impl Looks {
    fn of(&self, base: &Program, reductions: &[Reduction], index: usize) -> Look {
        *self.0.borrow_mut()[index].get_or_insert_with(|| Look::of(&base.text, &reductions[index]))
    }
}

impl<'s, 'a> Trial<'s, 'a> {
    /// A trial of `reductions` of the best program.
    pub(super) fn new(search: &'s mut Search<'a>, reductions: &'s [Reduction]) -> Self {
        let (base, kept) = (search.best().clone(), KeepList::full(reductions.len()));
        let tried = search.state.tried.clone();
        let looks = Looks(RefCell::new(vec![None; reductions.len()]));
        Self { search, base, reductions, kept, tried, looks }
    }

    /// The reductions that `keep` applies and the best program does not, by name.
    fn steps(&self, keep: &KeepList) -> Vec<String> {
        let new = self.kept.kept().iter().filter(|index| keep.kept().binary_search(index).is_err());
        new.take(NAMED_STEPS).map(|&index| name(&self.base, &self.reductions[index])).collect()
    }
}

impl Tester<Stop> for Trial<'_, '_> {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, Stop> {
        let found = self.first(&mut std::iter::once(keep.clone()))?;
        Ok(if found.is_some() { Outcome::Fail } else { Outcome::Unresolved })
    }

    fn first(&mut self, keeps: &mut dyn Iterator<Item = KeepList>) -> Result<Option<usize>, Stop> {
        let (base, reductions, measure) = (&self.base, self.reductions, self.search.measure());
        let tests = self.search.tests_left().map_or(usize::MAX, |tests| *tests);
        let attempt = &self.search.state.attempt;
        let (remembers, tried, looks) = (self.search.remembers(), &self.tried, &self.looks);
        let mut asked = 0;
        let mut in_vain = Vec::new();
        let mut judge = Judge::new(base, self.search.state.flawed.clone());
        let judges = self.search.minds_flaws();
        let mut candidates = keeps.take(tests).map(|keep| {
            asked += 1;
            // Another one is asked for where the one before did not fail.
            judge.rejected();
            let new = if remembers { added(&self.kept, &keep).filter(|new| new.len() <= LARGEST) } else { None };
            let look = new.map(|new| new.into_iter().map(|index| looks.of(base, reductions, index)).sum());
            if look.is_some_and(|look| tried.knows(look)) {
                return None;
            }
            let program = base.with_text(apply(&base.text, keep.removed().map(|index| &reductions[index])));
            // Reductions that exclude each other can make a larger set remove less.
            let is_worth = program.measure() < measure
                && !attempt.as_ref().is_some_and(|attempt| attempt.is_undone(&program))
                && (!judges || judge.is_worth(&program));
            if is_worth {
                in_vain.extend(look.map(|look| (asked - 1, look)));
            }
            is_worth.then_some((program, keep))
        });
        let found = self.search.checker.first(&mut candidates, self.search.observer)?;
        drop(candidates);
        self.search.state.flawed = judge.learned(found.is_some());
        if let Some(tests) = self.search.tests_left() {
            *tests -= asked;
        } else {
            let end = found.as_ref().map_or(asked, |(position, _)| *position);
            for (_, look) in in_vain.into_iter().filter(|(position, _)| *position < end) {
                self.search.state.tried.remember(look);
            }
        }
        let Some((position, (program, keep))) = found else { return Ok(None) };
        if reductions.iter().any(|reduction| matches!(reduction.transform.rule, Rule::Observed(_))) {
            self.search.state.values.helped();
        }
        let steps = self.steps(&keep);
        self.kept = keep;
        self.search.accept(program, steps)?;
        Ok(Some(position))
    }
}

/// What `keep` removes and `kept` does not; nothing if it keeps more elsewhere.
fn added(kept: &KeepList, keep: &KeepList) -> Option<Vec<usize>> {
    let mut left = keep.kept().iter().peekable();
    let new = kept.kept().iter().copied().filter(|index| left.next_if_eq(&index).is_none()).collect();
    left.peek().is_none().then_some(new)
}

/// A reduction of `program` by its place and its transform.
pub(super) fn name(program: &Program, reduction: &Reduction) -> String {
    let before = &program.text[..reduction.site.start];
    let line = before.matches('\n').count() + 1;
    let column = before.len() - before.rfind('\n').map_or(0, |newline| newline + 1) + 1;
    format!("{}:{line}:{column}: {}", program.name.display(), reduction.transform.name)
}
