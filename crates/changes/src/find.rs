//! `mcve changes`: finds the change that introduced a failure.
//!
//! The three steps of the chapter *Isolating Failure-Inducing Changes* of *The Debugging Book*: the first bad commit by
//! bisecting the history; the changes in it that distinguish failing from passing, by general delta debugging (its
//! exercises 2 and 3); the relevant lines and nodes in these (exercise 1).

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::checks::VersionChecks;
use crate::history::{Bisection, History, HistoryError};
use crate::isolation::{Anchor, Finest, IsolatedChange, Isolation};
use crate::patch::Comparer;
use mcve_dd::outcome::Outcome;
use mcve_reduce::check::limits::{Stop, ending};
use mcve_reduce::check::rerun::RUNS;
use mcve_reduce::event::{Changed, Ending, Event, Observer};
use mcve_reduce::exec::git::GitError;
use mcve_reduce::oracle::cargo_test::CargoTest;
use mcve_reduce::oracle::{Oracle, Verdict, last_words};
use mcve_reduce::program::Files;
use mcve_reduce::program::Program;
use mcve_reduce::session::Session;
use mcve_reduce::state::journal::Journal;

/// The versions to compare.
pub enum Versions {
    /// Two versions with their names.
    Two([(String, Files); 2]),
    /// The ends of a history and the commits between them.
    History(Box<History>),
}

/// The oracle for versions.
pub enum VersionOracle {
    /// An oracle that knows its failure.
    Fixed(Arc<dyn Oracle>),
    /// The tests of a package that the bad version fails and the good one passes.
    CargoTest(Box<CargoTest>),
}

/// What is searched, and by which failure.
pub struct Config {
    /// The versions to compare.
    pub versions: Versions,
    /// The oracle.
    pub judge: VersionOracle,
    /// The only file of a version, or a program without a name if a version is a folder.
    pub subject: Program,
    /// The name of that file in the good version and in the bad one, for the patch.
    pub names: Option<[PathBuf; 2]>,
    /// How finely changes are split.
    pub finest: Finest,
}

/// The reason why no change was found.
#[derive(Debug)]
pub enum Refusal {
    /// The versions are equal.
    Same,
    /// The bad version does not fail: its name, and the oracle's reason.
    NotFailing(String, String),
    /// The good version fails and the bad one passes: the names of the good and the bad one, and the oracle's reason for the
    /// latter.
    Swapped(String, String, String),
    /// The good version does not pass: its name, whether it fails, and the oracle's reason.
    NotPassing(String, Outcome, String),
    /// The verdict on a version varies: its name, the number of the [`RUNS`] runs with the expected outcome, and the
    /// reason in the others.
    Flaky(String, usize, String),
    /// The history cannot be searched.
    History(HistoryError),
    /// The search was stopped before a verdict.
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

/// A change that makes a version fail.
#[derive(Clone, Debug)]
pub struct Cause {
    /// The change as a patch for `git apply`.
    pub patch: Vec<u8>,
    /// The version that it can be applied to, in words.
    pub applies: String,
    /// A version that passes, and one that fails: they differ by the change.
    pub versions: [Files; 2],
    /// The numbers of removed and added lines in the change.
    pub lines: (usize, usize),
}

/// The changes that make a version fail.
#[derive(Clone, Debug)]
pub struct Isolated {
    /// The changes, at least one. Each makes the bad version fail without the ones before.
    pub causes: Vec<Cause>,
    /// The failure in words.
    pub failure: String,
    /// A short description of the first bad commit.
    pub commit: Option<String>,
    /// The numbers of removed and added lines between the good and the bad version.
    pub before: (usize, usize),
    /// How the search ended.
    pub ending: Ending,
    /// The number of checked versions.
    pub checks: usize,
    /// The number of verdicts from the cache.
    pub known: usize,
    /// The duration of the search.
    pub wall: Duration,
}

/// Finds a minimal change that distinguishes a passing version from a failing one. If the bad version still fails without
/// it, finds the next one, until it does not.
///
/// # Errors
/// When the good version does not pass or the bad one does not fail, or a check cannot be run. A spent budget or an
/// interrupt is not an error once the first bad commit is found: the best result so far is returned.
pub fn changes(config: Config, session: &Session, observer: &mut dyn Observer) -> Result<Isolated, Refusal> {
    let Config { versions, judge, subject, names, finest } = config;
    let start = Instant::now();
    let comparer = Comparer::new(session.folder())?;
    let (mut ends, mut history) = match versions {
        Versions::Two(ends) => (ends, None),
        Versions::History(mut history) => {
            let ends = [history.good.clone(), history.bad.clone()];
            let [good, bad] =
                ends.each_ref().map(|end| Ok::<_, GitError>((history.describe(end)?, history.files(end)?)));
            ([good?, bad?], Some(history))
        }
    };
    if ends[0].1 == ends[1].1 {
        return Err(Refusal::Same);
    }
    let is_folder = subject.name.as_os_str().is_empty();
    let executor = if is_folder { session.executor_of_folders() } else { session.executor() };
    let checks_by = |oracle: Arc<dyn Oracle>, jobs: usize, journal: Journal| {
        VersionChecks::new(oracle, subject.name.clone(), Arc::clone(&executor), jobs, session.limits.clone(), journal)
    };
    let (oracle, runs) = match judge {
        VersionOracle::Fixed(oracle) => (oracle, None),
        VersionOracle::CargoTest(oracle) => {
            let mut checks = checks_by(Arc::new(CargoTest::clone(&oracle)), 1, Journal::nowhere(None))?;
            let (bad, good) = (checks.run(&ends[1].1)?, checks.run(&ends[0].1)?);
            let oracle: Arc<dyn Oracle> = Arc::new(oracle.between(&good, &bad));
            (oracle, Some([good, bad]))
        }
    };
    let mut checks = checks_by(oracle, session.jobs, session.journal.clone())?;
    let mut known = None;
    if let Some([good, bad]) = &runs {
        known = Some([checks.judge(&ends[0].1, good, observer)?, checks.judge(&ends[1].1, bad, observer)?]);
    }
    let mut search = CauseSearch { checks, comparer, observer };
    search.baseline(&ends, known)?;
    let mut commit = None;
    if let Some(history) = &mut history {
        ends = search.first_bad(history)?;
        commit = Some(ends[1].0.clone());
    }
    let [(good_name, good), (bad_name, bad)] = &ends;
    let (mut causes, mut failing, mut stop) = (Vec::new(), bad.clone(), None);
    while stop.is_none() {
        let CauseSearch { checks, comparer, observer } = &mut search;
        let isolation = Isolation { checks, comparer, observer: &mut **observer, finest };
        let (change, stopped) = isolation.run(good, &failing)?;
        let bad_name = if causes.is_empty() { bad_name.clone() } else { format!("{bad_name} without the above") };
        warn_of_other(checks, &change.versions[1], bad, &mut **observer);
        let next = change.without.clone();
        causes.push(cause(change, [good_name, &bad_name], names.as_ref(), comparer)?);
        let Some(next) = next.filter(|_| stopped.is_none()) else {
            stop = stopped;
            break;
        };
        match checks.verdict(&next, &mut **observer) {
            Ok(verdict) if verdict.outcome == Outcome::Fail => failing = next,
            Ok(_) => break,
            Err(stopped) => stop = Some(stopped),
        }
    }
    let ending = ending(stop.map_or(Ok(()), Err))?;
    let CauseSearch { checks, comparer, .. } = search;
    Ok(Isolated {
        causes,
        failure: checks.failure(),
        commit,
        before: comparer.lines(good, bad)?,
        ending,
        checks: checks.tally().checks,
        known: checks.tally().known,
        wall: start.elapsed(),
    })
}

/// Warns if the version that fails with the change says another thing than the bad version: its failure may be another one.
fn warn_of_other(checks: &mut VersionChecks, found: &Files, bad: &Files, observer: &mut dyn Observer) {
    let mut say = |version| checks.run(version).map(|result| last_words(&result));
    // Who has no more time gets what was found without a warning.
    if found != bad
        && let (Ok(found), Ok(bad)) = (say(found), say(bad))
        && found != bad
    {
        let message = format!(
            "this may be another failure: with the change the check ends with `{found}`, and that of the bad version with `{bad}`; a script should exit with 125 for other failures"
        );
        observer.event(&Event::Warning { message });
    }
}

/// A change between versions of these names; `files` has the names of their only files.
fn cause(
    change: IsolatedChange,
    [good, bad]: [&str; 2],
    files: Option<&[PathBuf; 2]>,
    comparer: &Comparer,
) -> Result<Cause, GitError> {
    let IsolatedChange { versions, anchor, .. } = change;
    let applies = match anchor {
        Anchor::Good => format!("to {good}, which fails with it"),
        Anchor::Bad => format!("by `git apply -R` to {bad}, which passes without it"),
        Anchor::Between => format!("to {good} together with other changes"),
    };
    let name = files.map(|[good, bad]| if anchor == Anchor::Good { good } else { bad });
    let versions = versions.map(|version| match name {
        Some(name) => Files { files: version.files.into_values().map(|file| (name.clone(), file)).collect() },
        None => version,
    });
    let [passing, failing] = &versions;
    let (patch, lines) = (comparer.patch(passing, failing)?, comparer.lines(passing, failing)?);
    Ok(Cause { patch, applies, versions, lines })
}

/// The state that all steps share.
struct CauseSearch<'a> {
    checks: VersionChecks,
    comparer: Comparer,
    observer: &'a mut dyn Observer,
}

impl CauseSearch<'_> {
    /// Checks that one end passes and the other fails, every time. `known` has the earlier verdicts on both.
    fn baseline(&mut self, ends: &[(String, Files); 2], known: Option<[Verdict; 2]>) -> Result<(), Refusal> {
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
                Some(verdict) if verdict.outcome == Outcome::Fail => {
                    let other = self.checks.verdict(&ends[1].1, self.observer)?;
                    let [good, bad] = ends.each_ref().map(|(name, _)| name.clone());
                    return Err(match other.outcome {
                        Outcome::Pass => Refusal::Swapped(good, bad, other.reason),
                        _ => Refusal::NotPassing(good, verdict.outcome, verdict.reason),
                    });
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

    /// The first bad commit of a history, and a good commit to compare it with.
    fn first_bad(&mut self, history: &mut History) -> Result<[(String, Files); 2], Refusal> {
        self.tell(Changed::History { commits: history.commits()? });
        let mut bisection = Bisection::new(history);
        let found = loop {
            let (commit, left) = match bisection.next(history)? {
                Ok(next) => next,
                Err(found) => break found,
            };
            let Verdict { outcome, reason } = self.checks.verdict(&history.files(&commit)?, self.observer)?;
            self.tell(Changed::Commit { commit: history.describe(&commit)?, outcome, reason, left });
            bisection.learn(commit, outcome);
        };
        // For a merge, the first good parent shows the changes that the merge brought in.
        let mut good = None;
        for parent in history.parents(&found.bad)? {
            if self.checks.verdict(&history.files(&parent)?, self.observer)?.outcome == Outcome::Pass {
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
            checks: self.checks.tally().checks,
        });
        Ok([(base, history.files(&good)?), (commit, history.files(&found.bad)?)])
    }

    fn tell(&mut self, changed: Changed) {
        self.observer.event(&Event::Changes(changed));
    }
}
