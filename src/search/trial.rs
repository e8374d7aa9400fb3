//! Reductions on trial: what delta debugging asks of the search.

use mcve_transforms::{Reduction, Rule, apply};

use super::checker::Stop;
use super::engine::Search;
use crate::dd::keep_list::KeepList;
use crate::dd::outcome::Outcome;
use crate::dd::tester::Tester;
use crate::program::Program;

/// At most so many steps of a gain are named.
const NAMED_STEPS: usize = 3;

/// Applies reductions to the program that was the best when the trial began, and makes what still fails the best.
pub struct Trial<'s, 'a> {
    search: &'s mut Search<'a>,
    base: Program,
    reductions: &'s [Reduction],
    /// What is kept in the best program now.
    kept: KeepList,
}

impl<'s, 'a> Trial<'s, 'a> {
    /// A trial of `reductions` of the best program.
    pub(super) fn new(search: &'s mut Search<'a>, reductions: &'s [Reduction]) -> Self {
        let (base, kept) = (search.best().clone(), KeepList::full(reductions.len()));
        Self { search, base, reductions, kept }
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
        let (haste, attempt) = (&self.search.state.haste, &self.search.state.attempt);
        let (mut asked, mut tested) = (0, 0);
        let mut singles = Vec::new();
        let mut candidates = keeps.take(tests).map(|keep| {
            asked += 1;
            let program = base.with_text(apply(&base.text, keep.removed().map(|index| &reductions[index])));
            // Reductions that exclude each other can make a larger set remove less.
            let is_worth = tested < haste.patience()
                && haste.is_worth(measure, program.measure())
                && !attempt.as_ref().is_some_and(|attempt| attempt.is_undone(&program));
            if is_worth {
                tested += 1;
                singles.extend(one_less(&self.kept, &keep).map(|index| (asked - 1, index)));
            }
            is_worth.then_some((program, keep))
        });
        let found = self.search.checker.first(&mut candidates, self.search.observer)?;
        drop(candidates);
        match found {
            Some(_) => self.search.state.haste.renew(),
            None => self.search.state.haste.in_vain(tested),
        }
        if let Some(tests) = self.search.tests_left() {
            *tests -= asked;
        } else {
            let end = found.as_ref().map_or(asked, |(position, _)| *position);
            for (_, index) in singles.into_iter().filter(|(position, _)| *position < end) {
                self.search.state.tried.remember(&base.text, &reductions[index]);
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

/// The one element of `list` that `other` lacks, if it is the only one.
fn one_less(list: &KeepList, other: &KeepList) -> Option<usize> {
    if other.len() + 1 != list.len() {
        return None;
    }
    let mut others = other.kept().iter();
    list.kept().iter().copied().find(|element| others.next() != Some(element))
}

/// A reduction of `program` by its place and its transform.
pub(super) fn name(program: &Program, reduction: &Reduction) -> String {
    let before = &program.text[..reduction.site.start];
    let line = before.matches('\n').count() + 1;
    let column = before.len() - before.rfind('\n').map_or(0, |newline| newline + 1) + 1;
    format!("{}:{line}:{column}: {}", program.name.display(), reduction.transform.name)
}
