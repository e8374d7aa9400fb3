//! Checks versions, each content once.

use std::path::PathBuf;
use std::sync::Arc;

use super::set::Changes;
use mcve_dd::keep_list::KeepList;
use mcve_dd::outcome::Outcome;
use mcve_dd::tester::Tester;
use mcve_reduce::check::checks::{Checks, Tally};
use mcve_reduce::check::limits::{Limits, Stop};
use mcve_reduce::check::speculation::expect;
use mcve_reduce::event::Observer;
use mcve_reduce::exec::job::{Executor, JobResult};
use mcve_reduce::oracle::{Oracle, Verdict};
use mcve_reduce::program::Files;
use mcve_reduce::program::Program;
use mcve_reduce::state::journal::Journal;

/// Checks versions by an oracle.
pub struct VersionChecks {
    checks: Checks,
    /// The name of the file that the oracle checks; empty for the folder that holds all files.
    subject: PathBuf,
    /// The number of checks that bypassed the cache.
    runs: usize,
}

impl VersionChecks {
    /// Checks with `oracle`, on the file named `subject`, or on the folder if that is empty. Up to `jobs` checks run at once:
    /// those that are likely to be asked for next. Cargo itself builds in parallel. Uses the verdicts of `journal`, and writes
    /// verdicts to it.
    ///
    /// # Errors
    /// When the system cannot create a thread.
    pub fn new(
        oracle: Arc<dyn Oracle>,
        subject: PathBuf,
        executor: Arc<dyn Executor>,
        jobs: usize,
        limits: Limits,
        journal: Journal,
    ) -> Result<Self, Stop> {
        let checks = Checks::new(oracle, executor, jobs, limits)?;
        // Passing versions take as long as failing ones.
        let mut checks = checks.with_journal(journal).learning_from(|_| true).holding_passing();
        checks.demand_certainty();
        Ok(Self { checks, subject, runs: 0 })
    }

    /// Begins checks of versions that will probably be asked for.
    fn expect(&self, versions: &mut dyn Iterator<Item = Files>) {
        expect(&self.checks, &mut versions.map(|version| self.program(&version)));
    }

    /// The failure to look for, in words.
    pub fn failure(&self) -> String {
        self.checks.oracle().failure().words
    }

    /// The numbers of versions that were checked or known.
    pub fn tally(&self) -> Tally {
        self.checks.tally
    }

    /// The verdict on a version, from the cache or a check.
    pub fn verdict(&mut self, version: &Files, observer: &mut dyn Observer) -> Result<Verdict, Stop> {
        self.checks.proceed()?;
        self.checks.verdict(&self.program(version), None, observer)
    }

    /// The verdict of a new check of a version, without the cache.
    pub fn verdict_anew(&mut self, version: &Files, observer: &mut dyn Observer) -> Result<Verdict, Stop> {
        self.runs += 1;
        self.checks.proceed()?;
        self.checks.verdict(&self.program(version), Some(self.runs), observer)
    }

    /// The verdict on a version from the result of an earlier job.
    pub fn judge(&mut self, version: &Files, result: &JobResult, observer: &mut dyn Observer) -> Result<Verdict, Stop> {
        self.runs += 1;
        self.checks.verdict_on(&self.program(version), self.runs, result, observer)
    }

    /// Runs the check of a version and waits for it.
    pub fn run(&mut self, version: &Files) -> Result<JobResult, Stop> {
        Ok(JobResult::clone(&*self.checks.result(&self.program(version))?))
    }

    fn program(&self, version: &Files) -> Program {
        Program::of_files(&*self.subject, version)
    }
}

/// Tests which elements of changes fail when they are applied.
pub struct Applied<'a> {
    /// The changes.
    pub changes: &'a Changes,
    /// The elements of delta debugging: each is one element of the changes or several.
    pub groups: &'a [Vec<usize>],
    /// Checks versions.
    pub checks: &'a mut VersionChecks,
    /// Receives events.
    pub observer: &'a mut dyn Observer,
}

impl Tester<Stop> for Applied<'_> {
    /// Changes that cannot be applied together are unresolved.
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, Stop> {
        match self.changes.apply(&flatten(keep, self.groups, self.changes.len())) {
            Ok(version) => Ok(self.checks.verdict(&version, self.observer)?.outcome),
            Err(_) => Ok(Outcome::Unresolved),
        }
    }

    fn expect(&mut self, keeps: &mut dyn Iterator<Item = KeepList>) -> Result<(), Stop> {
        let (changes, groups) = (self.changes, self.groups);
        self.checks.expect(&mut keeps.filter_map(|keep| changes.apply(&flatten(&keep, groups, changes.len())).ok()));
        Ok(())
    }
}

/// The elements of the kept groups.
pub fn flatten(keep: &KeepList, groups: &[Vec<usize>], elements: usize) -> KeepList {
    let mut kept: Vec<usize> = keep.kept().iter().flat_map(|&group| groups[group].iter().copied()).collect();
    kept.sort_unstable();
    KeepList::of(elements, kept)
}
