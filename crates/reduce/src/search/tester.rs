//! Tests keep-lists over reductions for delta debugging.

use std::collections::VecDeque;

use mcve_transforms::Reduction;

use super::best::name;
use super::engine::Search;
use super::filters::{Phase, Proposal};
use super::transaction::Transaction;
use crate::check::limits::Stop;
use crate::check::screening::{screen, screening_size};
use crate::event::{Event, Rejection};
use crate::program::Program;
use mcve_dd::keep_list::KeepList;
use mcve_dd::outcome::Outcome;
use mcve_dd::tester::Tester;

/// At most so many steps of a gain are named.
const NAMED_STEPS: usize = 3;

/// Applies reductions to the program that was the best one when the tester was made. A candidate that fails becomes the best program.
pub(crate) struct KeepListTester<'s, 'a> {
    search: &'s mut Search<'a>,
    base: Program,
    reductions: &'s [Reduction],
    /// The reductions that the best program keeps.
    kept: KeepList,
    /// Of each reduction the smallest set of those with which it was rejected; empty where nobody wants to know.
    rejections: Vec<Option<Rejection>>,
}

impl<'s, 'a> KeepListTester<'s, 'a> {
    /// Tests keep-lists over `reductions` of the best program as it is now.
    pub(super) fn new(search: &'s mut Search<'a>, reductions: &'s [Reduction]) -> Self {
        let (base, kept) = (search.best().clone(), KeepList::full(reductions.len()));
        search.course.filters.begin(reductions.len());
        let rejections = if search.is_watched() { vec![None; reductions.len()] } else { Vec::new() };
        Self { search, base, reductions, kept, rejections }
    }

    /// The candidate that a keep-list makes, if the filters admit it.
    fn admitted(&mut self, keep: &KeepList) -> Option<Program> {
        let (phase, course) = (self.search.phase(), &mut self.search.course);
        let now = (&self.search.best.program, course.transaction.as_ref());
        let proposal = propose(&self.base, self.reductions, [&self.kept, keep], now);
        let Some(filter) = course.filters.refuse_candidate(phase, &proposal) else {
            return Some(proposal.into_program());
        };
        if !self.rejections.is_empty() {
            self.reject(keep, &Rejection::by(filter));
        }
        None
    }

    /// Records why the reductions were rejected that `keep` applies and the best program does not.
    fn reject(&mut self, keep: &KeepList, rejection: &Rejection) {
        let new: Vec<usize> = self.added(keep).collect();
        for &index in &new {
            let least = &mut self.rejections[index];
            if least.as_ref().is_none_or(|least| new.len() <= least.others) {
                *least = Some(Rejection { others: new.len() - 1, ..rejection.clone() });
            }
        }
    }

    /// Takes the next keep-lists and screens their candidates, if that pays.
    fn screen(&mut self, keeps: &mut dyn Iterator<Item = KeepList>) -> Result<VecDeque<KeepList>, Stop> {
        let count = screening_size(&self.search.checks, self.search.best());
        if count == 0 {
            return Ok(VecDeque::new());
        }
        let clock = self.search.checks.clock.clone();
        let (phase, mut filters) = (self.search.phase(), self.search.course.filters.clone());
        let (next, candidates) = clock.in_time(|| {
            let next: VecDeque<KeepList> = keeps.take(count).collect();
            let (search, reductions) = (&*self.search, self.reductions);
            let now = (search.best(), search.course.transaction.as_ref());
            let proposals = next.iter().map(|keep| propose(&self.base, reductions, [&self.kept, keep], now));
            let admitted = proposals.filter(|proposal| filters.refuse_candidate(phase, proposal).is_none());
            let candidates: Vec<Program> = admitted.map(Proposal::into_program).collect();
            (next, candidates)
        })?;
        let best = self.search.best().clone();
        screen(&mut self.search.checks, &best, &candidates)?;
        Ok(next)
    }

    /// The reductions that `keep` applies and the best program does not.
    fn added(&self, keep: &KeepList) -> impl Iterator<Item = usize> {
        self.kept.kept().iter().copied().filter(|index| keep.kept().binary_search(index).is_err())
    }

    /// Reports what is tried now. A replica reports nothing.
    fn report(&mut self, keep: &KeepList) {
        if self.search.checks.is_replica() {
            return;
        }
        let mut added = self.added(keep);
        let start = added.next().map_or(0, |index| self.reductions[index].site.start);
        let (changes, base) = (1 + added.count(), self.base.clone());
        self.search.observer.event(&Event::Trying { base, start, changes });
        if self.search.phase() == Phase::Proof {
            self.search.proof.report(self.search.observer);
        }
    }

    /// The names of the first of them.
    fn steps(&self, keep: &KeepList) -> Vec<String> {
        self.added(keep).take(NAMED_STEPS).map(|index| name(&self.base, &self.reductions[index])).collect()
    }

    /// How many tests the transaction under way has left, if there is one.
    fn tests_left(&mut self) -> Option<&mut usize> {
        self.search.course.transaction.as_mut().map(|transaction| &mut transaction.tests)
    }

    fn accept(&mut self, program: Program, keep: KeepList) -> Result<(), Stop> {
        for reduction in self.reductions {
            self.search.course.feedback.mark_helpful(&reduction.transform.rule);
        }
        let steps = self.steps(&keep);
        self.kept = keep;
        self.search.accept(program, steps)
    }
}

/// Reports what became of the reductions.
impl Drop for KeepListTester<'_, '_> {
    fn drop(&mut self) {
        for (index, rejection) in std::mem::take(&mut self.rejections).into_iter().enumerate() {
            let is_taken = self.kept.kept().binary_search(&index).is_err();
            if is_taken || rejection.is_some() {
                let rejection = rejection.filter(|_| !is_taken);
                self.search.report(&self.base, &self.reductions[index], rejection);
            }
        }
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
            if self.tests_left().is_some_and(|tests| *tests == 0) || self.search.gives_way() {
                break;
            }
            if screened.is_empty() {
                screened = self.screen(keeps)?;
            }
            let clock = self.search.checks.clock.clone();
            let next = clock.in_time(|| {
                let keep = screened.pop_front().or_else(|| keeps.next())?;
                Some((self.admitted(&keep), keep))
            })?;
            let Some((program, keep)) = next else { break };
            if let Some(tests) = self.tests_left() {
                *tests -= 1;
            }
            if phase == Phase::Proof {
                self.search.proof.count();
            }
            let Some(program) = program else { continue };
            self.report(&keep);
            let reply = self.search.checks.reply(&program, self.search.observer)?;
            let fails = reply.as_ref().is_some_and(|reply| reply.outcome() == Outcome::Fail);
            if !fails && !self.rejections.is_empty() {
                let rejection = self.search.rejection(program.hash(), reply.as_ref());
                self.reject(&keep, &rejection);
            }
            self.search.course.filters.learn(phase, fails);
            if fails {
                self.accept(program, keep)?;
            }
            let tokens = self.search.measure().tokens;
            self.search.course.patience.count(phase, tokens);
            if fails {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }
}

/// A proposal to keep the second list of reductions of `base`, where the best program keeps the first.
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
