//! Checks versions: each content once.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use super::set::Changes;
use super::snapshot::{Snapshot, SnapshotHash};
use crate::dd::keep_list::KeepList;
use crate::dd::outcome::Outcome;
use crate::dd::tester::Tester;
use crate::event::{Event, Observer};
use crate::exec::job::{End, ExecError, Executor, JobResult};
use crate::oracle::{Oracle, Verdict};
use crate::program::Program;
use crate::search::checker::{Limits, Stop};
use crate::search::workers::{Task, Way, Workers};

/// How often the interrupt flag and the deadline are looked at while a check runs.
const PATIENCE: Duration = Duration::from_millis(50);

/// The shortest adaptive timeout, and the one of the first check: it may have all of a project to build.
const TIMEOUTS: (Duration, Duration) = (Duration::from_secs(10), Duration::from_secs(3600));

/// Checks versions by an oracle and remembers every verdict.
pub struct Checks {
    oracle: Arc<dyn Oracle>,
    /// What the oracle is told to look at: the one file that there is, or none for the folder that holds all.
    subject: Program,
    workers: Workers,
    limits: Limits,
    known: HashMap<SnapshotHash, Verdict>,
    slowest: Duration,
    /// Versions that were checked.
    pub count: usize,
    /// Versions of which the verdict was known.
    pub known_count: usize,
}

impl Checks {
    /// Checks by `oracle`, which looks at the file of the name of `subject`, or at the folder if that is empty.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn new(
        oracle: Arc<dyn Oracle>,
        subject: Program,
        executor: Arc<dyn Executor>,
        limits: Limits,
    ) -> Result<Self, Stop> {
        // One check waits for the other: what is tested next depends on the answer, and cargo itself builds in parallel.
        let workers = Workers::new(1, executor).map_err(|source| {
            Stop::Exec(ExecError { doing: "cannot start the thread that checks".to_owned(), source })
        })?;
        let (known, slowest, count, known_count) = Default::default();
        Ok(Self { oracle, subject, workers, limits, known, slowest, count, known_count })
    }

    /// The failure that is looked for, in words.
    #[must_use]
    pub fn failure(&self) -> String {
        self.oracle.failure()
    }

    /// What is said of a version, by a check if that is not known.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn verdict(&mut self, version: &Snapshot, observer: &mut dyn Observer) -> Result<Verdict, Stop> {
        if let Some(verdict) = self.known.get(&version.hash()) {
            self.known_count += 1;
            return Ok(verdict.clone());
        }
        self.verdict_anew(version, observer)
    }

    /// What a check says of a version, whatever is known.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn verdict_anew(&mut self, version: &Snapshot, observer: &mut dyn Observer) -> Result<Verdict, Stop> {
        let result = self.run(version)?;
        Ok(self.judge(version, &result, observer))
    }

    /// Has the oracle judge what came of a version.
    pub fn judge(&mut self, version: &Snapshot, result: &JobResult, observer: &mut dyn Observer) -> Verdict {
        let verdict = self.oracle.verdict(result);
        self.count += 1;
        self.slowest = self.slowest.max(result.wall);
        self.known.insert(version.hash(), verdict.clone());
        let (outcome, reason) = (verdict.outcome, verdict.reason.clone());
        observer.event(&Event::Checked { outcome, reason, wall: result.wall });
        verdict
    }

    /// Runs the check of a version and waits for it.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn run(&mut self, version: &Snapshot) -> Result<JobResult, Stop> {
        self.limits.proceed()?;
        let mut job = self.oracle.job(&self.subject);
        job.files = version.files.iter().map(|(path, file)| (path.clone(), file.clone())).collect();
        let adaptive = if self.count == 0 { TIMEOUTS.1 } else { (self.slowest * 10).max(TIMEOUTS.0) };
        let timeout = self.limits.timeout.unwrap_or(adaptive);
        let ticket = self.workers.submit(Task { job, way: Way::Plain, timeout });
        loop {
            if let Some(result) = self.workers.wait(ticket, PATIENCE) {
                let result = result.map_err(Stop::Exec)?;
                assert_ne!(result.end, End::Cancelled, "nobody else cancels");
                return Ok(result);
            }
            self.limits.proceed().inspect_err(|_| self.workers.cancel(ticket))?;
        }
    }
}

/// Tests which elements of changes fail when they are applied.
pub struct Applied<'a> {
    /// The changes.
    pub changes: &'a Changes,
    /// What delta debugging calls an element: one of the changes' or several.
    pub groups: &'a [Vec<usize>],
    /// Checks what the changes make.
    pub checks: &'a mut Checks,
    /// Listens.
    pub observer: &'a mut dyn Observer,
}

impl Tester<Stop> for Applied<'_> {
    /// What cannot be applied together is unresolved.
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, Stop> {
        match self.changes.apply(&flatten(keep, self.groups, self.changes.len())) {
            Ok(version) => Ok(self.checks.verdict(&version, self.observer)?.outcome),
            Err(_) => Ok(Outcome::Unresolved),
        }
    }
}

/// The elements of the groups that are kept.
#[must_use]
pub fn flatten(keep: &KeepList, groups: &[Vec<usize>], elements: usize) -> KeepList {
    let mut kept: Vec<usize> = keep.kept().iter().flat_map(|&group| groups[group].iter().copied()).collect();
    kept.sort_unstable();
    KeepList::of(elements, kept)
}
