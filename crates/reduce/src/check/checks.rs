//! The front of the layers: asks candidates, decides how certain an answer has to be, counts, and sends events.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use super::finds::Finds;
use super::layers::{Layers, Parts};
use super::limited::FIRST;
use super::limits::{Clock, Limits, Stop};
use super::pool::Pool;
use super::repeated::{Flaky, Repetition};
use super::request::{About, Check, Key, Query, Reply, Request, Source};
use super::screening::shares::Shares;
use super::speculation::replica::{Replica, Thread};
use super::timer::Timer;
use crate::event::{Event, Observer};
use crate::exec::job::{ExecError, Executor, Job, Trust};
use crate::exec::shortcut::Shortcut;
use crate::oracle::{Oracle, Verdict};
use crate::program::{ContentHash, Program};
use crate::state::journal::Journal;
use mcve_dd::outcome::Outcome;

/// Checks programs, one question after the other, so that the answers do not depend on the number of workers.
pub struct Checks {
    stack: Box<dyn Check>,
    pub(super) parts: Parts,
    pub(super) clock: Clock,
    /// The worker threads; none in a replica.
    pub(super) pool: Option<Arc<Pool>>,
    /// The replica that these checks belong to, if any.
    pub(super) replica: Option<Replica>,
    /// The continuation that the replica of this search runs.
    pub(super) continuation: Arc<Mutex<Option<Continuation>>>,
    /// The thread of that replica. It is dropped after the layers, as their end ends it.
    pub(super) thread: Option<Thread>,
    /// Whether every answer has to be certain from now on.
    is_certain_only: bool,
    /// The programs that failed again when they were rerun, where the failure shows in some of the runs only.
    pub(super) rechecked: HashSet<ContentHash>,
    /// Which other failures were reported; none where nobody wants them.
    finds: Option<Finds>,
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
        let pool = Arc::new(Pool::new(jobs, &executor).map_err(|source| {
            let doing = "cannot start the threads that check, fewer of them by --jobs".to_owned();
            Stop::Exec(ExecError { doing, source })
        })?);
        let clock = Clock::start(limits);
        let stack = parts.of_search(Arc::clone(&pool), &clock);
        Ok(Self::of(parts, stack, clock, Some(pool), None))
    }

    /// The checks of a replica, which share what the search knows.
    pub(super) fn of_replica(parts: Parts, replica: Replica) -> Self {
        let (stack, clock) = (parts.of_replica(&replica), Clock::start(Limits::default()));
        Self::of(parts, stack, clock, None, Some(replica))
    }

    fn of(
        parts: Parts,
        stack: Box<dyn Check>,
        clock: Clock,
        pool: Option<Arc<Pool>>,
        replica: Option<Replica>,
    ) -> Self {
        let is_certain_only = !parts.layers.fork_server;
        Self {
            stack,
            parts,
            clock,
            pool,
            replica,
            continuation: Arc::default(),
            thread: None,
            is_certain_only,
            rechecked: HashSet::new(),
            finds: None,
            shares: Shares::default(),
            is_closing_reported: false,
            tally: Tally::default(),
        }
    }

    /// Uses a journal.
    #[must_use]
    pub fn with_journal(self, journal: Journal) -> Self {
        self.with(|parts| parts.journal = journal)
    }

    /// Judges by another oracle from now on, which accepts what this one accepted so far.
    #[must_use]
    pub(crate) fn judged_by(self, oracle: Arc<dyn Oracle>) -> Self {
        self.with(|parts| parts.oracle = oracle)
    }

    /// Uses only some of the layers.
    pub(crate) fn with_layers(self, layers: Layers) -> Self {
        self.with(|parts| parts.layers = layers)
    }

    /// Learns limits from the outcomes for which `learns` is true.
    #[must_use]
    pub fn learning_from(self, learns: fn(Outcome) -> bool) -> Self {
        self.with(|parts| parts.learns = learns)
    }

    /// Holds programs that pass to the conditions of the oracle, too.
    #[must_use]
    pub fn holding_passing(self) -> Self {
        self.with(|parts| parts.holds_passing = true)
    }

    /// Reports other failures that candidates show, with a place for each in `folder`.
    pub(crate) fn with_finds(self, folder: Option<PathBuf>) -> Self {
        Self { finds: folder.map(Finds::in_folder), ..self }
    }

    fn with(mut self, change: impl FnOnce(&mut Parts)) -> Self {
        change(&mut self.parts);
        self.is_certain_only = !self.parts.layers.fork_server;
        self.rebuild_layers();
        self
    }

    /// Makes each check several runs from now on. Every answer is then certain.
    pub(super) fn set_repetition(&mut self, repetition: Repetition) {
        self.parts.repetition = Some(repetition);
        // What compiles in the process of another compiler may have its addresses, and with them its luck.
        self.demand_certainty();
        self.rebuild_layers();
    }

    fn rebuild_layers(&mut self) {
        if let Some(pool) = &self.pool {
            self.stack = self.parts.of_search(Arc::clone(pool), &self.clock);
        }
    }

    /// The oracle that judges.
    #[must_use]
    pub fn oracle(&self) -> &Arc<dyn Oracle> {
        &self.parts.oracle
    }

    /// The journal.
    #[must_use]
    pub fn journal(&self) -> &Journal {
        &self.parts.journal
    }

    /// How often the failure shows, if it does not show in each run.
    #[must_use]
    pub fn flaky(&self) -> Option<Flaky> {
        self.parts.repetition.as_ref().map(Repetition::rate)
    }

    /// Whether these are the checks of a replica, which writes and reports nothing.
    pub(crate) fn is_replica(&self) -> bool {
        self.replica.is_some()
    }

    /// Checks whether the search may go on.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn proceed(&self) -> Result<(), Stop> {
        self.clock.proceed()
    }

    /// Requires all answers to be certain from now on.
    pub fn demand_certainty(&mut self) {
        self.is_certain_only = true;
    }

    /// The trust that an answer needs now.
    pub(crate) fn least_trust(&self) -> Trust {
        if self.is_certain_only { Trust::Certain } else { self.parts.modes.least_trust() }
    }

    /// Ends work that runs no job when the search has to stop.
    pub(crate) fn timer(&self) -> Timer {
        Timer::of(self.clock.clone(), self.replica.as_ref())
    }

    /// Checks a candidate. As long as the fork server is used the answer is only likely, until
    /// it is confirmed.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn outcome(&mut self, program: &Program, observer: &mut dyn Observer) -> Result<Outcome, Stop> {
        Ok(self.reply(program, observer)?.map_or(Outcome::Unresolved, |reply| reply.outcome()))
    }

    /// As [`outcome`](Self::outcome), with the reason. None if the text is not a whole program: then nothing is run.
    pub(crate) fn reply(&mut self, program: &Program, observer: &mut dyn Observer) -> Result<Option<Reply>, Stop> {
        if !program.is_whole() {
            return Ok(None);
        }
        let oracle = Arc::clone(&self.parts.oracle);
        let key = Key { text: program.hash(), about: About::Verdict };
        let job = || oracle.job(program);
        let reply = self.ask(&Request { trust: self.least_trust(), ..request(key, &job) })?;
        self.note(&reply, observer);
        self.report_find(program, &reply, observer)?;
        self.shares.observe(&reply);
        Ok(Some(reply))
    }

    /// The verdict on a program that was checked before.
    pub(crate) fn known_verdict(&self, program: &Program) -> Option<Verdict> {
        let key = Key { text: program.hash(), about: About::Verdict };
        self.parts.known.get(key)?.verdict
    }

    pub(super) fn ask(&mut self, request: &Request<'_>) -> Result<Reply, Stop> {
        let reply = self.stack.ask(request)?;
        if let (Some(replica), Some(verdict), true) =
            (&self.replica, &reply.verdict, reply.source != Source::Prediction)
        {
            replica.observe(verdict.outcome);
        }
        if let (About::Output(_), Source::Run, false) = (request.key.about, reply.source, request.out_of_band) {
            self.tally.outputs += 1;
        }
        Ok(reply)
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
                self.report_closing(observer);
                if let Some(message) = self.parts.journal.take_trouble() {
                    observer.event(&Event::Warning { message });
                }
                if let Some(Verdict { outcome, reason }) = reply.verdict.clone() {
                    observer.event(&Event::Checked { outcome, reason, wall: reply.wall });
                }
            }
        }
    }

    /// Reports once that the fork server was closed.
    pub(super) fn report_closing(&mut self, observer: &mut dyn Observer) {
        if !self.is_closing_reported
            && let Some(reason) = self.parts.modes.shortcut().and_then(Shortcut::closed)
        {
            self.is_closing_reported = true;
            observer.event(&Event::ShortcutClosed { reason: reason.to_owned() });
        }
    }

    /// Reports another failure that the check of `program` showed, unless a smaller program showed it before. One that the fork
    /// server showed has to show in a fresh process as well.
    fn report_find(&mut self, program: &Program, reply: &Reply, observer: &mut dyn Observer) -> Result<(), Stop> {
        let oracle = Arc::clone(&self.parts.oracle);
        let other = self.finds.as_ref().and_then(|finds| finds.other_failure(&*oracle, program, reply));
        let Some(other) = other else { return Ok(()) };
        if reply.trust == Trust::Likely {
            let key = Key { text: program.hash(), about: About::Output(Query::Check) };
            let fresh = self.ask(&request(key, &|| oracle.job(program)))?.result;
            let again = fresh.and_then(|result| oracle.other_failure(&result));
            if again.is_none_or(|again| again.fingerprint != other.fingerprint) {
                return Ok(());
            }
        }
        if let Some(finds) = &mut self.finds {
            observer.event(&Event::Found(Box::new(finds.add(&*oracle, program, other))));
        }
        Ok(())
    }
}

/// A question that needs a certain answer.
pub(super) fn request<'a>(key: Key, job: &'a dyn Fn() -> Job) -> Request<'a> {
    Request { key, job, trust: Trust::Certain, limit: FIRST, given: None, out_of_band: false }
}

#[cfg(test)]
mod tests;
