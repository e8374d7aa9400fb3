//! Isolates the change that distinguishes a failing version from a passing one.
//!
//! It narrows files before hunks because changes of one file usually need each other: Zeller recommends grouping by location
//! against inconsistent sets in *Yesterday, my program worked. Today, it does not. Why?* (1999).

use super::checks::{Applied, VersionChecks, flatten};
use super::pair::Grain;
use super::patch::Comparer;
use super::set::Changes;
use mcve_dd::difference::Difference;
use mcve_dd::general::{Mode, dd};
use mcve_dd::isolating::isolate;
use mcve_dd::keep_list::KeepList;
use mcve_dd::outcome::Outcome;
use mcve_dd::precondition::Stopped;
use mcve_dd::tester::Tester;
use mcve_reduce::check::limits::Stop;
use mcve_reduce::event::{Changed, Event, Observer};
use mcve_reduce::exec::git::GitError;
use mcve_reduce::program::Files;

/// The version that a change can be applied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The good version, which fails with it.
    Good,
    /// The bad version, which passes without it.
    Bad,
    /// Neither: a version in between passes, and fails with it. Only if the search was cut short.
    Between,
}

/// How finely changes are split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finest {
    /// All changes of a file are one.
    Files,
    /// Runs of lines, renames and modes.
    Hunks,
    /// The parts of the hunks that are left.
    Parts(Grain),
}

/// Two versions that differ by a change: the first passes and the second fails.
pub struct IsolatedChange {
    /// The passing and the failing version.
    pub versions: [Files; 2],
    /// The one that is an end.
    pub anchor: Anchor,
    /// The failing end without the hunks of the change, if they can be left out.
    pub without: Option<Files>,
}

/// A search for the change between two versions with known verdicts.
pub struct Isolation<'a> {
    /// Checks versions.
    pub checks: &'a mut VersionChecks,
    /// Detects renamed files.
    pub comparer: &'a Comparer,
    /// Receives events.
    pub observer: &'a mut dyn Observer,
    /// How finely changes are split.
    pub finest: Finest,
}

impl Isolation<'_> {
    /// Finds the change: narrows files, then hunks, until passing and failing versions meet; then finds the anchor;
    /// then narrows parts of hunks without changing the anchor. If the search has to stop, returns the change so far
    /// and the reason.
    ///
    /// # Panics
    /// When `good` is not known to pass or `bad` is not known to fail.
    pub fn run(mut self, good: &Files, bad: &Files) -> Result<(IsolatedChange, Option<Stop>), GitError> {
        let changes = Changes::between(good, bad, &self.comparer.renames(good, bad)?, Grain::Hunks);
        let mut difference = Difference::below(KeepList::full(changes.len()));
        let done = self.hunks(&changes, &mut difference);
        let anchor = match &difference {
            Difference { passing, .. } if passing.is_empty() => Anchor::Good,
            Difference { failing, .. } if failing.len() == changes.len() => Anchor::Bad,
            _ => Anchor::Between,
        };
        let mut versions = [&difference.passing, &difference.failing].map(|keep| version(&changes, keep));
        let without =
            changes.apply(&Difference::below(KeepList::full(changes.len())).shrunk(&difference.elements())).ok();
        let grain = match (done, self.finest) {
            (Err(stop), _) => return Ok((IsolatedChange { versions, anchor, without }, Some(stop))),
            (Ok(()), Finest::Files | Finest::Hunks) => return Ok((IsolatedChange { versions, anchor, without }, None)),
            (Ok(()), Finest::Parts(grain)) => grain,
        };
        let [passing, failing] = &versions;
        let fine = Changes::between(passing, failing, &self.comparer.renames(passing, failing)?, grain);
        let mode = if anchor == Anchor::Good { Mode::Minimise } else { Mode::Maximise };
        let mut best = Difference::below(KeepList::full(fine.len()));
        let name = match grain {
            Grain::Fine => "lines and nodes",
            Grain::Hunks => "hunks",
            Grain::Lines => "lines",
            Grain::Tokens => "tokens",
            Grain::Characters => "characters",
        };
        let mut done = self.narrow(&fine, &fine.by_piece(), mode, name, &mut best);
        if grain == Grain::Fine {
            done = done.and_then(|()| self.narrow(&fine, &single(&fine), mode, "nodes inside of these", &mut best));
        }
        versions = [&best.passing, &best.failing].map(|keep| version(&fine, keep));
        Ok((IsolatedChange { versions, anchor, without }, done.err()))
    }

    /// Narrows files and hunks, to a difference from one of the ends.
    fn hunks(&mut self, changes: &Changes, best: &mut Difference) -> Result<(), Stop> {
        self.narrow(changes, &changes.by_file(), Mode::Isolate, "files", best)?;
        let groups = if self.finest == Finest::Files { changes.by_file() } else { single(changes) };
        if self.finest != Finest::Files {
            self.narrow(changes, &groups, Mode::Isolate, "hunks", best)?;
        }
        let whole = single(changes);
        let elements = best.elements();
        let mut applied = Applied { changes, groups: &whole, checks: self.checks, observer: self.observer };
        let alone = KeepList::of(changes.len(), elements.clone());
        let none = KeepList::empty(changes.len());
        if applied.test(&alone)? == Outcome::Fail {
            *best = Difference { passing: none, failing: alone };
            return Ok(());
        }
        let all = Difference::below(KeepList::full(changes.len()));
        let without = all.shrunk(&elements);
        if applied.test(&without)? == Outcome::Pass {
            *best = Difference { passing: without, ..all };
            return Ok(());
        }
        // Both anchors would need more than the difference: then finds what makes the good version fail.
        best.passing = none;
        let name = if self.finest == Finest::Files { "files" } else { "hunks" };
        self.narrow(changes, &groups, Mode::Minimise, &format!("{name} that need each other"), best)
    }

    /// Delta debugging over groups of elements. If the search has to stop, it keeps the best result so far.
    fn narrow(
        &mut self,
        changes: &Changes,
        groups: &[Vec<usize>],
        mode: Mode,
        grain: &str,
        best: &mut Difference,
    ) -> Result<(), Stop> {
        let of_groups = |keep: &KeepList| {
            let is_kept =
                |group: &usize| groups[*group].iter().all(|element| keep.kept().binary_search(element).is_ok());
            KeepList::of(groups.len(), (0..groups.len()).filter(is_kept).collect())
        };
        let start = Difference { passing: of_groups(&best.passing), failing: of_groups(&best.failing) };
        let from = start.elements().len();
        let mut moving = Moving {
            applied: Applied { changes, groups, checks: self.checks, observer: self.observer },
            mode,
            best: start.clone(),
        };
        let done = match mode {
            Mode::Isolate => isolate(start, &Difference::elements, &mut moving),
            Mode::Minimise | Mode::Maximise => dd(start, mode, &Difference::elements, &mut moving),
        };
        let settled = done.and_then(|found| settle(found, mode, &mut moving).map_err(Stopped::Tester));
        let (found, stop) = match settled {
            Ok(found) => (found, None),
            Err(Stopped::Tester(stop)) => (moving.best, Some(stop)),
            Err(Stopped::Precondition(_)) => unreachable!("both ends were tested, and the verdicts are known"),
        };
        let flat = |keep: &KeepList| flatten(keep, groups, changes.len());
        *best = Difference { passing: flat(&found.passing), failing: flat(&found.failing) };
        if let Some(stop) = stop {
            return Err(stop);
        }
        let to = found.elements().len();
        if from > 1 {
            let checks = self.checks.tally().checks;
            let narrowed = Changed::Narrowed { grain: grain.to_owned(), from, to, checks };
            self.observer.event(&Event::Changes(narrowed));
        }
        Ok(())
    }
}

/// Tests for delta debugging, and keeps the best passing and failing lists in case it has to stop.
struct Moving<'a> {
    applied: Applied<'a>,
    mode: Mode,
    best: Difference,
}

impl Tester<Stop> for Moving<'_> {
    fn expect(&mut self, keeps: &mut dyn Iterator<Item = KeepList>) -> Result<(), Stop> {
        self.applied.expect(keeps)
    }

    fn test(&mut self, keep: &KeepList) -> Result<Outcome, Stop> {
        let outcome = self.applied.test(keep)?;
        let holds =
            |one: &KeepList, other: &KeepList| other.kept().iter().all(|at| one.kept().binary_search(at).is_ok());
        if holds(&self.best.failing, keep) && holds(keep, &self.best.passing) {
            match outcome {
                Outcome::Fail if self.mode != Mode::Maximise => self.best.failing = keep.clone(),
                Outcome::Pass if self.mode != Mode::Minimise => self.best.passing = keep.clone(),
                _ => {}
            }
        }
        Ok(outcome)
    }
}

/// Reduces the difference to a single element if removing it makes the failing list pass or adding it makes the passing list
/// fail: [`dd`] takes such steps only while there are two parts.
fn settle(found: Difference, mode: Mode, tester: &mut dyn Tester<Stop>) -> Result<Difference, Stop> {
    let elements = found.elements();
    let is_tried = mode != Mode::Isolate && elements.len() > 1;
    for element in if is_tried { elements } else { Vec::new() } {
        let (grown, shrunk) = (found.grown(&[element]), found.shrunk(&[element]));
        if mode == Mode::Maximise && tester.test(&shrunk)? == Outcome::Pass {
            return Ok(Difference { passing: shrunk, ..found });
        }
        if mode == Mode::Minimise && tester.test(&grown)? == Outcome::Fail {
            return Ok(Difference { failing: grown, ..found });
        }
    }
    Ok(found)
}

/// One group for each element.
fn single(changes: &Changes) -> Vec<Vec<usize>> {
    (0..changes.len()).map(|element| vec![element]).collect()
}

/// A version that was tested.
fn version(changes: &Changes, keep: &KeepList) -> Files {
    changes.apply(keep).expect("what passes or fails was applied")
}
