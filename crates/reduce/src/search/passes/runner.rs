//! Runs the passes of the schedule until they no longer pay.

use std::sync::Arc;

use mcve_transforms::{Analysis, Dependencies, Measure, Reduction, Transform, Tree, at_level, lints};

use super::compiling::{all_that_compile, without_other_tests};
use super::focus::{focus, keep_what_runs};
use super::nests::by_levels;
use super::schedule::{Pass, Strategy};
use crate::check::limits::Stop;
use crate::check::switches;
use crate::event::{Event, Rejection};
use crate::search::engine::Search;
use crate::search::filters::Phase;
use crate::search::patience::Patience;
use crate::search::tester::KeepListTester;
use mcve_dd::binary_reduction::binary_reduction;
use mcve_dd::closed::Closed;
use mcve_dd::groups::groups;
use mcve_dd::keep_list::KeepList;
use mcve_dd::tester::Tester;

/// A pass that takes away this share of the program or more, in percent, sends the search back to the coarsest pass.
const BACK_TO_COARSE: usize = 30;

/// As [`BACK_TO_COARSE`], for a pass that makes others pay.
const UNLOCKED: usize = 1;

/// The coarse passes are run again before the fine ones if together they took away this share of the program, in percent.
const COARSE_AGAIN: usize = 25;

/// A round that takes away no more than this share of the program, in percent, is the last: the proof finds the rest.
const LAST_ROUND: usize = 5;

/// Runs `schedule` again and again until a round gains little. A pass that gains much, or all coarse ones that do, send
/// the search back to the start at once, as what they made unreachable is cheaper to delete whole.
pub(crate) fn run(search: &mut Search<'_>, schedule: Arc<[Pass]>) {
    search.course.patience = Patience::default();
    Round::first(search, false).then(search, schedule);
}

/// The state of a run of a schedule.
#[derive(Clone, Copy)]
struct Round {
    /// The size when the round began.
    before: Measure,
    /// The tokens when its first pass was run.
    start: usize,
    next: usize,
    /// Whether only a round that gains nothing is the last, and no pass sends the search back.
    polishes: bool,
}

impl Round {
    fn first(search: &Search<'_>, polishes: bool) -> Self {
        Self { before: search.measure(), start: search.measure().tokens, next: 0, polishes }
    }

    /// Makes the next pass the next step.
    fn then(self, search: &mut Search<'_>, schedule: Arc<[Pass]>) {
        search.then(move |search| self.step(search, &schedule));
    }

    /// Runs the next pass, or begins another round behind the last one.
    fn step(mut self, search: &mut Search<'_>, schedule: &Arc<[Pass]>) -> Result<(), Stop> {
        let Some(pass) = schedule.get(self.next) else {
            self.end(search, schedule);
            return Ok(());
        };
        self.next += 1;
        let deletes_items = matches!(pass.strategy, Strategy::Bisection | Strategy::Closed);
        if !(deletes_items && search.course.is_focused) {
            let start = search.measure().tokens;
            run_pass(search, pass)?;
            let tokens = search.measure().tokens;
            let share = if pass.unlocks { UNLOCKED } else { BACK_TO_COARSE };
            let gains_much = self.next > 1 && (start - tokens) * 100 > start * share;
            let gained_much = pass.ends_coarse && (self.start - tokens) * 100 > self.start * COARSE_AGAIN;
            if !self.polishes && (gains_much || gained_much) {
                (self.next, self.start) = (0, tokens);
                search.course.is_focused = false;
            }
        }
        self.then(search, Arc::clone(schedule));
        Ok(())
    }

    /// Ends a round, and begins another one unless it was the last.
    fn end(self, search: &mut Search<'_>, schedule: &Arc<[Pass]>) {
        let before = self.before.tokens;
        let gains_little = (before - search.measure().tokens) * 100 <= before * LAST_ROUND;
        let is_last = if self.polishes { search.measure() == self.before } else { gains_little };
        if is_last && !search.course.patience.goes_on() {
            search.course.patience = Patience::ENDLESS;
            return;
        }
        search.course.is_focused = false;
        Self::first(search, self.polishes).then(search, Arc::clone(schedule));
    }
}

/// Runs `schedule` until a round gains nothing, not even a byte.
pub(crate) fn polish(search: &mut Search<'_>, schedule: Arc<[Pass]>) {
    Round::first(search, true).then(search, schedule);
}

/// Runs one pass: all ranks of alternatives, one after the other.
pub(crate) fn run_pass(search: &mut Search<'_>, pass: &Pass) -> Result<(), Stop> {
    search.observer.event(&Event::PassStarted { pass: pass.name, doing: pass.doing() });
    search.checks.begin_pass(pass.name);
    let tokens = search.measure().tokens;
    search.course.patience.begin(tokens);
    // A wish that came too late was for the pass before.
    search.checks.clock.forget_skip();
    reduce_by(search, pass)?;
    search.end_pass(pass.name)?;
    let has_gained = search.measure().tokens < tokens;
    search.checks.clock.count_pass(has_gained)
}

/// As [`run_pass`], without telling of it.
pub(crate) fn reduce_by(search: &mut Search<'_>, pass: &Pass) -> Result<(), Stop> {
    let transforms = search.transforms_of(pass);
    let mut rank = 0;
    loop {
        let (reductions, more) = of_rank(search.reductions(&transforms)?, rank);
        match pass.strategy {
            Strategy::Bisection | Strategy::Closed => closed(search, &reductions, pass.strategy)?,
            Strategy::Sets => by_sets(search, reductions)?,
            Strategy::Compiling => {
                let reductions = search.worth_proposing(reductions);
                // What is left after a gain comes again with the next round, when a check takes less.
                if all_that_compile(search, &reductions)?.is_some() {
                    by_sets(search, reductions)?;
                }
            }
            Strategy::OtherTests => return without_other_tests(search, reductions),
            Strategy::Nests => by_levels(search, &reductions)?,
            Strategy::Levels => levels(search, &transforms, rank)?,
            Strategy::OneByOne => return sweep(search, &transforms, Search::worth_proposing).map(drop),
            Strategy::Hints => return hints(search),
            Strategy::Switches => {
                let unneeded = unneeded(search, reductions)?;
                let left = all_that_compile(search, &unneeded)?.unwrap_or_default();
                return by_sets(search, left.into_iter().map(|index| unneeded[index].clone()).collect());
            }
            Strategy::Running => return keep_what_runs(search, &reductions),
            Strategy::Focus => return focus(search, &reductions),
        }
        if !more {
            return Ok(());
        }
        rank += 1;
    }
}

/// Delta debugging over those of `reductions` that were not rejected before.
fn by_sets(search: &mut Search<'_>, reductions: Vec<Reduction>) -> Result<(), Stop> {
    let reductions = search.worth_proposing(reductions);
    let algorithm = search.course.algorithm;
    algorithm(KeepList::full(reductions.len()), &mut KeepListTester::new(search, &reductions)).map(drop)
}

/// Applies those of `worth` that are proposed, one by one in source order; whether any applied.
///
/// The reductions are enumerated again after each that applies, as it may have made another one possible.
pub fn sweep<'a>(
    search: &mut Search<'a>,
    transforms: &[&'static Transform],
    worth: fn(&mut Search<'a>, Vec<Reduction>) -> Vec<Reduction>,
) -> Result<bool, Stop> {
    let (mut from, mut gained) = (0, false);
    loop {
        let mut reductions = search.reductions(transforms)?;
        reductions.retain(|reduction| reduction.site.start >= from);
        let reductions = worth(search, reductions);
        let full = KeepList::full(reductions.len());
        let mut singles = (0..reductions.len()).map(|index| full.without(index..index + 1));
        let Some(index) = KeepListTester::new(search, &reductions).first(&mut singles)? else { return Ok(gained) };
        // What stands before the site is as it was, and was just tried.
        from = reductions[index].site.start;
        gained = true;
    }
}

/// Deletes parts of the program so that the rest misses nothing.
fn closed(search: &mut Search<'_>, deletions: &[Reduction], strategy: Strategy) -> Result<(), Stop> {
    let sites: Vec<_> = deletions.iter().map(|deletion| deletion.site.clone()).collect();
    let source = search.best.source();
    let tree = search.checks.clock.in_time(|| Tree::new(&source))?;
    let dependencies = search.checks.clock.in_time(|| Dependencies::of(&Analysis::of(&tree), &sites))?;
    let algorithm = search.course.algorithm;
    let mut trial = KeepListTester::new(search, deletions);
    if strategy == Strategy::Bisection {
        return binary_reduction(&dependencies.main_first(), &|roots| dependencies.closure(roots), &mut trial)
            .map(drop);
    }
    let roots = dependencies.needed_first();
    let close = |roots: &[usize]| dependencies.needs(roots);
    let mut closed = Closed { tester: &mut trial, universe: sites.len(), roots: &roots, close: &close };
    algorithm(KeepList::full(roots.len()), &mut closed).map(drop)
}

/// Follows the lints of a compiler, all at once, or all that compile together, or else a lint at a time. The rest is left to the passes that try the same
/// reductions one by one.
fn hints(search: &mut Search<'_>) -> Result<(), Stop> {
    let (before, hints) = (search.measure(), search.hints()?);
    let (mut reductions, mut lists) = (Vec::new(), Vec::new());
    for lint in lints(&hints) {
        let start = reductions.len();
        let hinted = search.hinted(lint)?;
        reductions.extend(search.worth_proposing(hinted));
        lists.push(start..reductions.len());
    }
    if let Some(left) = all_that_compile(search, &reductions)? {
        let place = |index: usize| left.partition_point(|own| *own < index);
        let lists: Vec<_> = lists.iter().map(|list| place(list.start)..place(list.end)).collect();
        let lists: Vec<_> = lists.into_iter().filter(|list| !list.is_empty()).collect();
        let reductions: Vec<_> = left.iter().map(|&index| reductions[index].clone()).collect();
        groups(reductions.len(), &lists, &mut KeepListTester::new(search, &reductions))?;
    }
    if search.measure() < before {
        search.course.feedback.mark_lints_helpful();
    }
    Ok(())
}

/// Hierarchical delta debugging: level by level from the outside.
fn levels(search: &mut Search<'_>, transforms: &[&'static Transform], rank: usize) -> Result<(), Stop> {
    for level in 0.. {
        let reductions = at_level(of_rank(search.reductions(transforms)?, rank).0, level);
        if reductions.is_empty() {
            break;
        }
        by_sets(search, reductions)?;
    }
    Ok(())
}

/// The reductions of one rank, and whether there are any of a higher rank.
fn of_rank(mut reductions: Vec<Reduction>, rank: usize) -> (Vec<Reduction>, bool) {
    let more = reductions.iter().any(|reduction| reduction.rank > rank);
    reductions.retain(|reduction| reduction.rank == rank);
    (reductions, more)
}

/// The deletions of statements that the failing run does not need, all together. The filters learn that the others do not apply.
fn unneeded(search: &mut Search<'_>, deletions: Vec<Reduction>) -> Result<Vec<Reduction>, Stop> {
    if search.phase() != Phase::Passes {
        return Ok(Vec::new());
    }
    let deletions = search.worth_proposing(deletions);
    let best = search.best().clone();
    let (unneeded, needed) = switches::unneeded(&mut search.checks, &best, deletions)?;
    for needed in &needed {
        search.course.filters.reject(&best, needed);
    }
    for needed in needed.iter().filter(|_| search.is_watched()).collect::<Vec<_>>() {
        search.report(&best, needed, Some(Rejection::by("switches")));
    }
    Ok(unneeded)
}
