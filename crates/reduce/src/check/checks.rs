//! What decides candidates, and how: the oracle, the layers, the worker threads, what is known and counted.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use super::finds::Finds;
use super::layers::{Layers, Parts};
use super::limits::{Clock, Limits, Stop};
use super::pool::Pool;
use super::request::{Reply, Source};
use super::screening::shares::Shares;
use super::speculation::likely::Course;
use super::speculation::replica::{Replica, Thread};
use crate::event::{Event, Observer};
use crate::exec::job::{End, ExecError, Executor, Trust};
use crate::exec::shortcut::Shortcut;
use crate::oracle::{Oracle, Verdict};
use crate::program::{ContentHash, Program};
use crate::state::journal::Journal;
use mcve_dd::outcome::Outcome;

/// Checks programs, one question after the other, so that the answers do not depend on the number of workers.
pub struct Checks {
    pub(super) parts: Parts,
    pub(crate) clock: Clock,
    /// The worker threads; none in a replica.
    pub(super) pool: Option<Pool>,
    /// The replica that these checks belong to, if any.
    pub(super) replica: Option<Replica>,
    /// The continuation that the replica of this search runs.
    pub(super) continuation: Arc<Mutex<Option<(Continuation, Course)>>>,
    /// What the next check is predicted by.
    pub(super) course: Course,
    /// The thread of that replica. It is dropped after the pool, whose end ends it.
    pub(super) thread: Option<Thread>,
    /// Whether every answer has to be certain from now on.
    is_certain_only: bool,
    /// The unreduced program and what judged it, once it has failed.
    pub(super) input: Option<(Program, Arc<dyn Oracle>)>,
    /// In how many of how many runs each program failed, where the failure shows in some of the runs only.
    pub(super) seen: HashMap<ContentHash, (usize, usize)>,
    /// The programs that failed again when they were rerun, where the failure shows in some of the runs only.
    pub(super) rechecked: HashSet<ContentHash>,
    /// Which other failures were reported; none where nobody wants them.
    pub(super) finds: Option<Finds>,
    /// The number of the condition that did not hold last.
    pub(super) broken: usize,
    /// How many of the latest candidates failed or were refused.
    pub(super) shares: Shares,
    /// Whether the end of the fork server was reported.
    is_closing_reported: bool,
    /// The number of questions so far, by who answered.
    pub tally: Tally,
}

/// The rest of a search from some place on, over checks of its own.
pub(crate) type Continuation = Arc<dyn Fn(Checks) -> Result<(), Stop> + Send + Sync>;

/// The number of questions so far, by who answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Candidates that were run.
    pub checks: usize,
    /// Candidates whose verdict was known.
    pub known: usize,
    /// Known candidates that do not fail.
    pub cache_hits: usize,
    /// Candidates whose verdict the journal of an earlier run knew.
    pub recalled: usize,
    /// Candidates whose check took longer than it may.
    pub timed_out: usize,
    /// Jobs without a verdict that were run.
    pub outputs: usize,
}

/// A candidate: a program, and a value for whoever proposed it.
pub type Candidate<T> = (Program, T);

impl Checks {
    /// Checks by `oracle`, at most `jobs` at once.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn new(
        oracle: Arc<dyn Oracle>,
        executor: Arc<dyn Executor>,
        jobs: usize,
        limits: Limits,
    ) -> Result<Self, Stop> {
        let parts = Parts::new(oracle, Arc::clone(&executor), limits.timeout);
        let pool = Pool::new(jobs, &executor).map_err(|source| {
            let doing = "cannot start the threads that check, fewer of them by --jobs".to_owned();
            Stop::Exec(ExecError { doing, source })
        })?;
        Ok(Self::of(parts, Clock::start(limits, None), Some(pool), None))
    }

    /// The checks of a replica, which share what the search knows.
    pub(super) fn of_replica(parts: Parts, replica: Replica, course: Course) -> Self {
        let clock = Clock::start(Limits::default(), Some(replica.halt()));
        Self { course, ..Self::of(parts, clock, None, Some(replica)) }
    }

    /// Begins a pass, by whose name the outcomes of its checks are predicted.
    pub(crate) fn begin_pass(&mut self, name: &'static str) {
        self.course = Course::of(name);
    }

    fn of(parts: Parts, clock: Clock, pool: Option<Pool>, replica: Option<Replica>) -> Self {
        Self {
            parts,
            clock,
            pool,
            replica,
            continuation: Arc::default(),
            course: Course::default(),
            thread: None,
            is_certain_only: false,
            input: None,
            seen: HashMap::new(),
            rechecked: HashSet::new(),
            finds: None,
            broken: 0,
            shares: Shares::default(),
            is_closing_reported: false,
            tally: Tally::default(),
        }
    }

    /// Uses a journal.
    #[must_use]
    pub fn with_journal(mut self, journal: Journal) -> Self {
        self.parts.journal = journal;
        self
    }

    /// Judges by another oracle from now on. It accepts what this one accepted so far, or the programs are in another stage.
    pub(crate) fn judge_by(&mut self, oracle: Arc<dyn Oracle>) {
        self.parts.oracle = oracle;
        self.broken = 0;
    }

    pub(crate) fn with_layers(mut self, layers: Layers) -> Self {
        self.parts.layers = layers;
        self
    }

    /// Learns limits from the outcomes for which `learns` is true.
    #[must_use]
    pub fn learning_from(mut self, learns: fn(Outcome) -> bool) -> Self {
        self.parts.learns = learns;
        self
    }

    /// Holds programs that pass to the conditions of the oracle, too.
    #[must_use]
    pub fn holding_passing(mut self) -> Self {
        self.parts.holds_passing = true;
        self
    }

    /// Reports other failures that candidates show, with a place for each in `folder`.
    pub(crate) fn with_finds(self, folder: Option<PathBuf>) -> Self {
        Self { finds: folder.map(|folder| Finds { folder, smallest: HashMap::new() }), ..self }
    }

    /// The oracle that judges.
    pub fn oracle(&self) -> &Arc<dyn Oracle> {
        &self.parts.oracle
    }

    /// The journal.
    pub fn journal(&self) -> &Journal {
        &self.parts.journal
    }

    /// In how many of how many runs the unreduced program failed, if not in each, and the number of runs of all checks.
    pub fn flaky(&self) -> Option<((usize, usize), usize)> {
        self.parts.repetition.map(|repetition| (repetition.input, self.seen.values().map(|(_, runs)| runs).sum()))
    }

    pub(super) fn pool(&self) -> &Pool {
        self.pool.as_ref().expect("a replica runs no job")
    }

    /// Whether these are the checks of a replica, which writes and reports nothing.
    pub(crate) fn is_replica(&self) -> bool {
        self.replica.is_some()
    }

    /// Checks whether the search may go on.
    pub fn proceed(&self) -> Result<(), Stop> {
        self.clock.proceed()
    }

    /// Requires all answers to be certain from now on.
    pub fn demand_certainty(&mut self) {
        self.is_certain_only = true;
    }

    /// The trust that an answer needs now.
    pub(crate) fn least_trust(&self) -> Trust {
        let may_be_likely = self.parts.layers.fork_server && !self.is_certain_only;
        if may_be_likely { self.parts.modes.least_trust() } else { Trust::Certain }
    }

    /// Counts a verdict and reports it.
    pub(super) fn note(&mut self, reply: &Reply, observer: &mut dyn Observer) {
        match reply.source {
            Source::Cache => {
                self.tally.known += 1;
                self.tally.cache_hits += usize::from(reply.outcome() != Outcome::Fail);
            }
            Source::Journal => self.tally.recalled += 1,
            Source::Prediction => {}
            Source::Run | Source::Screening => {
                self.tally.checks += 1;
                let has_timed_out = reply.result.as_ref().is_some_and(|result| result.end == End::TimedOut);
                self.tally.timed_out += usize::from(has_timed_out);
                self.report_closing(observer);
                if let Some(message) = self.parts.journal.take_trouble() {
                    observer.event(&Event::Warning { message });
                }
                if let Some(Verdict { outcome, reason }) = reply.verdict.clone() {
                    observer.event(&Event::Checked { outcome, reason, seconds: reply.wall.as_secs_f64() });
                }
            }
        }
    }

    /// Reports once that the fork server was closed.
    pub(super) fn report_closing(&mut self, observer: &mut dyn Observer) {
        if !self.is_closing_reported
            && let Some(reason) = self.parts.modes.executor.shortcut().and_then(Shortcut::closed)
        {
            self.is_closing_reported = true;
            observer.event(&Event::ShortcutClosed { reason: reason.to_owned() });
            if self.parts.modes.executor.slots_elsewhere() > 0 {
                let message = format!("the executors run no more checks: {reason}");
                observer.event(&Event::Warning { message });
            }
        }
    }
}

#[cfg(test)]
mod tests;
