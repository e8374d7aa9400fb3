//! `mcve changes`: which change made it fail.
//!
//! The chapter *Isolating Failure-Inducing Changes* of *The Debugging Book* in its three steps: the first bad commit by
//! halving the history; in it the changes that tell failing from passing, by general delta debugging (its exercises 2 and
//! 3); in these the lines and nodes that matter (exercise 1). Files are narrowed before hunks, as changes of one file mostly
//! need each other: grouping by place is what Zeller (1999) recommends against inconsistent sets.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::changes::checks::{Applied, Checks, flatten};
use crate::changes::history::{Bisection, History, HistoryError};
use crate::changes::pair::Grain;
use crate::changes::patch::Comparer;
use crate::changes::set::Changes;
use crate::changes::snapshot::Snapshot;
use crate::dd::difference::Difference;
use crate::dd::general::{Mode, dd};
use crate::dd::isolating::isolate;
use crate::dd::keep_list::KeepList;
use crate::dd::outcome::Outcome;
use crate::dd::precondition::Stopped;
use crate::dd::tester::Tester;
use crate::event::{Changed, Ending, Event, Observer};
use crate::exec::git::GitError;
use crate::exec::job::Executor;
use crate::oracle::cargo_test::CargoTest;
use crate::oracle::{Oracle, Verdict};
use crate::program::Program;
use crate::search::baseline::RUNS;
use crate::search::checker::{Limits, Stop};

/// What is to be compared.
pub enum Versions {
    /// Two versions, each with how it is called.
    Two([(String, Snapshot); 2]),
    /// The ends of a history and what lies between.
    History(Box<History>),
}

/// Who judges versions.
pub enum Judge {
    /// An oracle that knows its failure.
    Fixed(Arc<dyn Oracle>),
    /// Tests of a package: those that the bad version fails and the good one does not.
    CargoTest(Box<CargoTest>),
}

/// What is to be found, and how.
pub struct Config {
    /// What is compared.
    pub versions: Versions,
    /// Who judges.
    pub judge: Judge,
    /// The one file that a version has, or a program without a name where it is a folder.
    pub subject: Program,
    /// How that file is called in the good version and in the bad one, for the patch.
    pub names: Option<[PathBuf; 2]>,
    /// Runs checks.
    pub executor: Arc<dyn Executor>,
    /// When the search stops before its end.
    pub limits: Limits,
    /// A folder for temporary files.
    pub folder: PathBuf,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Refusal {
    /// The versions are equal.
    Same,
    /// The bad version does not fail: its name, and why, as the oracle said.
    NotFailing(String, String),
    /// The good version does not pass: its name, whether it fails, and why.
    NotPassing(String, Outcome, String),
    /// A version is judged by chance: its name, in how many of [`RUNS`] runs as it should be, and why not in the others.
    Flaky(String, usize, String),
    /// The history cannot be searched.
    History(HistoryError),
    /// No verdict could be had.
    Stop(Stop),
}

impl From<Stop> for Refusal {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

impl From<GitError> for Refusal {
    fn from(error: GitError) -> Self {
        Self::History(error.into())
    }
}

/// What a change is told by: the version that it can be applied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The good version fails with it.
    Good,
    /// The bad version passes without it.
    Bad,
    /// Neither; a version in between passes, and fails with it. Only where the search was cut short.
    Between,
}

/// The change that makes a version fail.
#[derive(Clone, Debug)]
pub struct Isolated {
    /// The change as a patch that `git apply` takes.
    pub patch: Vec<u8>,
    /// The same with the colours of a terminal.
    pub coloured: Vec<u8>,
    /// What it can be applied to.
    pub anchor: Anchor,
    /// The same in words.
    pub applies: String,
    /// What fails, in words.
    pub failure: String,
    /// The first bad commit, in a few words.
    pub commit: Option<String>,
    /// Lines that come and go between the good and the bad version.
    pub before: (usize, usize),
    /// Lines that come and go with the change.
    pub after: (usize, usize),
    /// How the search ended.
    pub ending: Ending,
    /// Versions that were checked.
    pub checks: usize,
    /// Versions of which the verdict was known.
    pub known: usize,
    /// How long it took.
    pub wall: Duration,
}

/// Finds the smallest change between a version that passes and one that fails that tells them apart.
///
/// # Errors
/// When the good version does not pass or the bad one does not fail, or a check cannot be run. A spent budget and an
/// interrupt are no errors once the first bad commit is found: what is left by then is told.
pub fn changes(config: Config, observer: &mut dyn Observer) -> Result<Isolated, Refusal> {
    let Config { versions, judge, subject, names, executor, limits, folder } = config;
    let start = Instant::now();
    let comparer = Comparer::new(&folder)?;
    let (mut ends, mut history) = match versions {
        Versions::Two(ends) => (ends, None),
        Versions::History(mut history) => {
            let ends = [history.good.clone(), history.bad.clone()];
            let [good, bad] =
                ends.each_ref().map(|end| Ok::<_, GitError>((history.describe(end)?, history.snapshot(end)?)));
            ([good?, bad?], Some(history))
        }
    };
    if ends[0].1 == ends[1].1 {
        return Err(Refusal::Same);
    }
    let (oracle, runs) = match judge {
        Judge::Fixed(oracle) => (oracle, None),
        Judge::CargoTest(oracle) => {
            let mut checks =
                Checks::new(Arc::new(CargoTest::clone(&oracle)), subject.clone(), executor.clone(), limits.clone())?;
            let (bad, good) = (checks.run(&ends[1].1)?, checks.run(&ends[0].1)?);
            let oracle: Arc<dyn Oracle> = Arc::new(oracle.between(&good, &bad));
            (oracle, Some([good, bad]))
        }
    };
    let mut checks = Checks::new(oracle, subject, executor, limits)?;
    let known = runs.map(|runs| [0, 1].map(|end| checks.judge(&ends[end].1, &runs[end], observer)));
    let mut search = Search { checks, comparer, observer };
    search.baseline(&ends, known)?;
    let mut commit = None;
    if let Some(history) = &mut history {
        ends = search.first_bad(history)?;
        commit = Some(ends[1].0.clone());
    }
    let [(good_name, good), (bad_name, bad)] = &ends;
    let (found, ending) = search.isolate(good, bad)?;
    let Found { versions: [passing, failing], anchor } = found;
    let applies = match anchor {
        Anchor::Good => format!("to {good_name}, which fails with it"),
        Anchor::Bad => format!("by `git apply -R` to {bad_name}, which passes without it"),
        Anchor::Between => format!("to {good_name} together with other changes"),
    };
    let Search { checks, comparer, .. } = search;
    let name = names.map(|[good, bad]| if anchor == Anchor::Good { good } else { bad });
    let [passing, failing] = [passing, failing].map(|version| match &name {
        Some(name) => Snapshot { files: version.files.into_values().map(|file| (name.clone(), file)).collect() },
        None => version,
    });
    Ok(Isolated {
        patch: comparer.patch(&passing, &failing, false)?,
        coloured: comparer.patch(&passing, &failing, true)?,
        anchor,
        applies,
        failure: checks.failure(),
        commit,
        before: comparer.lines(good, bad)?,
        after: comparer.lines(&passing, &failing)?,
        ending,
        checks: checks.count,
        known: checks.known_count,
        wall: start.elapsed(),
    })
}

/// Two versions that differ by a change, of which the second fails and the first does not.
struct Found {
    versions: [Snapshot; 2],
    anchor: Anchor,
}

/// What all steps need.
struct Search<'a> {
    checks: Checks,
    comparer: Comparer,
    observer: &'a mut dyn Observer,
}

impl Search<'_> {
    /// Checks that the one end passes and the other one fails, each time. `known` is what was said of each once.
    fn baseline(&mut self, ends: &[(String, Snapshot); 2], known: Option<[Verdict; 2]>) -> Result<(), Refusal> {
        let known = known.map_or([None, None], |known| known.map(Some));
        for (end, wanted) in [(0, Outcome::Pass), (1, Outcome::Fail)] {
            let (name, version) = &ends[end];
            let mut verdicts: Vec<Verdict> = known[end].iter().cloned().collect();
            while verdicts.len() < RUNS {
                verdicts.push(self.checks.verdict_anew(version, self.observer)?);
            }
            let (right, wrong): (Vec<_>, Vec<_>) = verdicts.into_iter().partition(|verdict| verdict.outcome == wanted);
            match wrong.into_iter().next() {
                None => {}
                Some(verdict) if !right.is_empty() => {
                    return Err(Refusal::Flaky(name.clone(), right.len(), verdict.reason));
                }
                Some(verdict) if wanted == Outcome::Pass => {
                    return Err(Refusal::NotPassing(name.clone(), verdict.outcome, verdict.reason));
                }
                Some(verdict) => return Err(Refusal::NotFailing(name.clone(), verdict.reason)),
            }
        }
        self.tell(Changed::Baseline { failure: self.checks.failure() });
        Ok(())
    }

    /// The first bad commit of a history, and a good one to compare it with.
    fn first_bad(&mut self, history: &mut History) -> Result<[(String, Snapshot); 2], Refusal> {
        self.tell(Changed::History { commits: history.len()? });
        let mut bisection = Bisection::new(history);
        let found = loop {
            let (commit, left) = match bisection.next(history)? {
                Ok(next) => next,
                Err(found) => break found,
            };
            let Verdict { outcome, reason } = self.checks.verdict(&history.snapshot(&commit)?, self.observer)?;
            self.tell(Changed::Commit { commit: history.describe(&commit)?, outcome, reason, left });
            bisection.learn(commit, outcome);
        };
        // Of a merge the first parent that is good tells what came in by it.
        let mut good = None;
        for parent in history.parents(&found.bad)? {
            if self.checks.verdict(&history.snapshot(&parent)?, self.observer)?.outcome == Outcome::Pass {
                good = Some(parent);
                break;
            }
        }
        let before = || found.goods.iter().rev().find(|good| history.is_ancestor(good, &found.bad));
        let good = good.or_else(|| before().cloned()).unwrap_or_else(|| history.good.clone());
        let (commit, base) = (history.describe(&found.bad)?, history.describe(&good)?);
        self.tell(Changed::FirstBad {
            commit: commit.clone(),
            good: base.clone(),
            untestable: found.untestable.len(),
            checks: self.checks.count,
        });
        Ok([(base, history.snapshot(&good)?), (commit, history.snapshot(&found.bad)?)])
    }

    /// The change: files, then hunks, until passing and failing meet; then the version that they are told by; then nodes and
    /// lines in such a way that they stay told by it.
    fn isolate(&mut self, good: &Snapshot, bad: &Snapshot) -> Result<(Found, Ending), Refusal> {
        let changes = Changes::between(good, bad, &self.comparer.renames(good, bad)?, Grain::Hunks);
        let mut best = Best { difference: Difference::below(KeepList::full(changes.len())), anchor: None };
        let ending = self.hunks(&changes, &mut best);
        let Best { difference, anchor } = best;
        let anchor = anchor.unwrap_or(match &difference {
            Difference { passing, .. } if passing.is_empty() => Anchor::Good,
            Difference { failing, .. } if failing.len() == changes.len() => Anchor::Bad,
            _ => Anchor::Between,
        });
        let mut versions = [&difference.passing, &difference.failing].map(|keep| version(&changes, keep));
        if let Some(stop) = ended(ending)? {
            return Ok((Found { versions, anchor }, stop));
        }
        let [passing, failing] = &versions;
        let fine = Changes::between(passing, failing, &self.comparer.renames(passing, failing)?, Grain::Fine);
        let mode = if anchor == Anchor::Good { Mode::Minimise } else { Mode::Maximise };
        let mut best = Best { difference: Difference::below(KeepList::full(fine.len())), anchor: None };
        let ending = self
            .narrow(&fine, &fine.by_piece(), mode, "lines and nodes", &mut best)
            .and_then(|()| self.narrow(&fine, &single(&fine), mode, "nodes inside of these", &mut best));
        versions = [&best.difference.passing, &best.difference.failing].map(|keep| version(&fine, keep));
        Ok((Found { versions, anchor }, ended(ending)?.unwrap_or(Ending::Complete)))
    }

    /// Narrows files and hunks and finds what the rest is told by.
    fn hunks(&mut self, changes: &Changes, best: &mut Best) -> Result<(), Stop> {
        self.narrow(changes, &changes.by_file(), Mode::Isolate, "files", best)?;
        let groups = single(changes);
        self.narrow(changes, &groups, Mode::Isolate, "hunks", best)?;
        let elements = best.difference.elements();
        let mut applied = Applied { changes, groups: &groups, checks: &mut self.checks, observer: self.observer };
        let alone = KeepList::of(changes.len(), elements.clone());
        let none = KeepList::empty(changes.len());
        if is(&mut applied, &alone, Outcome::Fail)? {
            *best = Best { difference: Difference { passing: none, failing: alone }, anchor: Some(Anchor::Good) };
            return Ok(());
        }
        let all = Difference::below(KeepList::full(changes.len()));
        let without = all.shrunk(&elements);
        if is(&mut applied, &without, Outcome::Pass)? {
            *best = Best { difference: Difference { passing: without, ..all }, anchor: Some(Anchor::Bad) };
            return Ok(());
        }
        // Both would need more than the difference: then what the good version needs to fail.
        *best =
            Best { difference: Difference { passing: none, ..best.difference.clone() }, anchor: Some(Anchor::Good) };
        self.narrow(changes, &groups, Mode::Minimise, "hunks that need each other", best)
    }

    /// Delta debugging over groups of elements. What is known when the search has to stop is kept.
    fn narrow(
        &mut self,
        changes: &Changes,
        groups: &[Vec<usize>],
        mode: Mode,
        grain: &'static str,
        best: &mut Best,
    ) -> Result<(), Stop> {
        let of_groups = |keep: &KeepList| {
            let is_kept =
                |group: &usize| groups[*group].iter().all(|element| keep.kept().binary_search(element).is_ok());
            KeepList::of(groups.len(), (0..groups.len()).filter(is_kept).collect())
        };
        let start =
            Difference { passing: of_groups(&best.difference.passing), failing: of_groups(&best.difference.failing) };
        let from = start.elements().len();
        let mut moving = Moving {
            applied: Applied { changes, groups, checks: &mut self.checks, observer: self.observer },
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
        best.difference = Difference { passing: flat(&found.passing), failing: flat(&found.failing) };
        if let Some(stop) = stop {
            return Err(stop);
        }
        let to = found.elements().len();
        if from > 1 {
            let checks = self.checks.count;
            self.tell(Changed::Narrowed { grain, from, to, checks });
        }
        Ok(())
    }

    fn tell(&mut self, changed: Changed) {
        self.observer.event(&Event::Changes(changed));
    }
}

/// The difference that is left.
struct Best {
    difference: Difference,
    /// What it is told by, once that is known.
    anchor: Option<Anchor>,
}

/// Tests for delta debugging, and keeps the nearest lists that are known to pass and to fail, for when it has to stop.
struct Moving<'a> {
    applied: Applied<'a>,
    mode: Mode,
    best: Difference,
}

impl Tester<Stop> for Moving<'_> {
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

/// The difference as a single element, where one alone makes the failing list pass by leaving or the passing list fail by
/// joining: [`dd`] takes such steps only while there are two parts.
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

/// Whether what is kept is tested to be so.
fn is(applied: &mut Applied<'_>, keep: &KeepList, outcome: Outcome) -> Result<bool, Stop> {
    Ok(applied.test(keep)? == outcome)
}

/// Each element by itself.
fn single(changes: &Changes) -> Vec<Vec<usize>> {
    (0..changes.len()).map(|element| vec![element]).collect()
}

/// A version that was tested.
fn version(changes: &Changes, keep: &KeepList) -> Snapshot {
    changes.apply(keep).expect("what passes or fails was applied")
}

/// How a search ended that was cut short by the user; none if it was not.
fn ended(done: Result<(), Stop>) -> Result<Option<Ending>, Refusal> {
    match done {
        Ok(()) => Ok(None),
        Err(Stop::Budget) => Ok(Some(Ending::Budget)),
        Err(Stop::Interrupted) => Ok(Some(Ending::Interrupted)),
        Err(stop) => Err(stop.into()),
    }
}
