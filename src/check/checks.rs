//! The front of the layers: how certain an answer has to be, what counts as a check, and what is told of it.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use mcve_transforms::{Halt, Halted, until};

use super::cached::Answers;
use super::dispatch::Modes;
use super::finds::Finds;
use super::layers::{Layers, Parts};
use super::limited::{FIRST, Slowest};
use super::limits::{Clock, Limits, Stop};
use super::pool::Pool;
use super::request::{About, Check, Key, Reply, Request, Source};
use super::screening::{Rejected, Screening};
use super::speculation::{Replica, Thread};
use crate::dd::outcome::Outcome;
use crate::event::{Event, Observer};
use crate::exec::job::{Executor, Job, JobResult, Trust};
use crate::oracle::{Oracle, Verdict};
use crate::program::{ContentHash, Program};
use crate::state::journal::Journal;

/// Checks programs, one question after the other, so that the answers do not depend on the number of workers.
pub struct Checks {
    stack: Box<dyn Check>,
    pub(super) parts: Parts,
    pub(super) clock: Clock,
    /// The threads; none in a replica.
    pub(super) pool: Option<Arc<Pool>>,
    /// The replica that these checks are for, if they are for one.
    pub(super) replica: Option<Replica>,
    /// The thread of the replica of this search. It is dropped behind the layers, whose end ends it.
    pub(super) thread: Option<Thread>,
    /// Whether each answer has to be certain from now on.
    pub(super) is_certain_only: bool,
    /// The programs that failed when they were run once more, where the failure is there in some of the runs only.
    pub(super) rechecked: HashSet<ContentHash>,
    /// Where other failures that candidates show go; none where nobody wants them.
    pub(super) finds: Option<Finds>,
    /// Whether candidates are screened now.
    pub(super) screening: Screening,
    /// Whether it was told that the fork server is no longer used.
    pub(super) told_closed: bool,
    /// What was asked so far, and who answered.
    pub tally: Tally,
}

/// What was asked so far, and who answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Candidates that were run.
    pub checks: usize,
    /// Candidates whose verdict was known.
    pub known: usize,
    /// Those of them that do not fail.
    pub cache_hits: usize,
    /// Candidates whose verdict the journal knew from a run that was cut short.
    pub recalled: usize,
    /// Jobs that were run for what they print: there is no verdict.
    pub outputs: usize,
}

/// A candidate: a program and what whoever proposed it wants back if it is the first that fails.
pub type Candidate<T> = (Program, T);

impl Checks {
    /// Checks by `oracle`, with at most `jobs` of them under way.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn new(
        oracle: Arc<dyn Oracle>,
        executor: Arc<dyn Executor>,
        jobs: usize,
        limits: Limits,
    ) -> std::io::Result<Self> {
        let parts = Parts {
            layers: Layers::default(),
            oracle,
            modes: Modes::new(Arc::clone(&executor)),
            journal: Journal::nowhere(None),
            known: Answers::default(),
            rejected: Rejected::default(),
            slowest: Slowest::default(),
            fixed: limits.timeout,
            holds_passing: false,
            learns: |outcome| outcome == Outcome::Fail,
            repetition: None,
        };
        let (pool, clock) = (Arc::new(Pool::new(jobs, &executor)?), Clock::start(limits));
        let stack = parts.of_search(Arc::clone(&pool), &clock);
        Ok(Self::of(parts, stack, clock, Some(pool), None))
    }

    /// The same with a journal.
    #[must_use]
    pub fn with_journal(self, journal: Journal) -> Self {
        self.with(|parts| parts.journal = journal)
    }

    /// The same with some of the layers.
    #[must_use]
    pub fn with_layers(self, layers: Layers) -> Self {
        self.with(|parts| parts.layers = layers)
    }

    /// The same, where limits are learned from the outcomes that `learns` says.
    #[must_use]
    pub fn learning_from(self, learns: fn(Outcome) -> bool) -> Self {
        self.with(|parts| parts.learns = learns)
    }

    /// The same, where the conditions of the oracle have to hold of programs that pass, too.
    #[must_use]
    pub fn holding_passing(self) -> Self {
        self.with(|parts| parts.holds_passing = true)
    }

    fn with(mut self, change: impl FnOnce(&mut Parts)) -> Self {
        change(&mut self.parts);
        self.is_certain_only = !self.parts.layers.fork_server;
        self.put_layers_again();
        self
    }

    /// Puts the layers on each other again, after something about them has changed.
    pub(super) fn put_layers_again(&mut self) {
        if let Some(pool) = &self.pool {
            self.stack = self.parts.of_search(Arc::clone(pool), &self.clock);
        }
    }

    pub(super) fn of(
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
            thread: None,
            is_certain_only,
            rechecked: HashSet::new(),
            finds: None,
            screening: Screening::default(),
            told_closed: false,
            tally: Tally::default(),
        }
    }

    /// The oracle that judges.
    #[must_use]
    pub fn oracle(&self) -> &dyn Oracle {
        &*self.parts.oracle
    }

    /// The same, shared.
    #[must_use]
    pub fn shared_oracle(&self) -> Arc<dyn Oracle> {
        Arc::clone(&self.parts.oracle)
    }

    /// The journal.
    #[must_use]
    pub fn journal(&self) -> &Journal {
        &self.parts.journal
    }

    /// How many checks run at once.
    #[must_use]
    pub fn jobs(&self) -> usize {
        self.pool.as_ref().map_or(1, |pool| pool.board.count)
    }

    /// Whether these are the checks of a replica, which writes and tells nothing.
    #[must_use]
    pub fn is_replica(&self) -> bool {
        self.replica.is_some()
    }

    /// Says whether to go on.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn proceed(&self) -> Result<(), Stop> {
        self.clock.proceed()
    }

    /// Lets the search go on without a limit, for its last check.
    pub fn lift_limits(&self) {
        self.clock.lift();
    }

    /// Has all answers be certain from now on.
    pub fn demand_certainty(&mut self) {
        self.is_certain_only = true;
    }

    /// What ends work that runs nothing when the search has to stop.
    #[must_use]
    pub fn timer(&self) -> Timer {
        let clock = self.clock.clone();
        let halt: Halt = match &self.replica {
            Some(replica) => replica.halt(),
            None => {
                let clock = clock.clone();
                Rc::new(move || clock.proceed().is_err())
            }
        };
        Timer { halt, clock }
    }

    /// Does work that runs nothing, as long as there is time.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn in_time<T>(&self, work: impl FnOnce() -> T) -> Result<T, Stop> {
        self.timer().in_time(work)
    }

    /// The first of `candidates`, in order, that fails, and its position; `None` among them is passed over.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn first<T>(
        &mut self,
        candidates: &mut dyn Iterator<Item = Option<Candidate<T>>>,
        observer: &mut dyn Observer,
    ) -> Result<Option<(usize, Candidate<T>)>, Stop> {
        for position in 0.. {
            // Where all is known nobody else looks.
            self.proceed()?;
            let Some(candidate) = self.in_time(|| candidates.next())? else { break };
            let Some(candidate) = candidate else { continue };
            if self.outcome(&candidate.0, observer)? == Outcome::Fail {
                return Ok(Some((position, candidate)));
            }
        }
        Ok(None)
    }

    /// Whether a candidate fails. As long as the fork server is used the answer is likely, and not certain before
    /// [`confirm`](Self::confirm) says so.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn outcome(&mut self, program: &Program, observer: &mut dyn Observer) -> Result<Outcome, Stop> {
        if !program.is_whole() {
            return Ok(Outcome::Unresolved);
        }
        let oracle = Arc::clone(&self.parts.oracle);
        let key = Key { text: program.hash(), about: About::Verdict };
        let job = || oracle.job(program);
        let reply = self.ask(&Request { trust: self.least_trust(), ..request(key, &job) })?;
        self.note(&reply, observer);
        self.tell_find(program, &reply, observer)?;
        self.screening.observe(&reply);
        Ok(reply.outcome())
    }

    /// The verdict on what `key` names.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn verdict(&mut self, key: Key, job: &dyn Fn() -> Job, observer: &mut dyn Observer) -> Result<Verdict, Stop> {
        let reply = self.ask(&Request { trust: self.least_trust(), ..request(key, job) })?;
        self.note(&reply, observer);
        Ok(reply.verdict.expect("who asks for a verdict gets one"))
    }

    /// What came of `result`, which is had already, means for what `key` names.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn verdict_on(&mut self, key: Key, result: &JobResult, observer: &mut dyn Observer) -> Result<Verdict, Stop> {
        let job = || unreachable!("it was run already");
        let reply = self.ask(&Request { given: Some(result), ..request(key, &job) })?;
        self.note(&reply, observer);
        Ok(reply.verdict.expect("who asks for a verdict gets one"))
    }

    /// Asks the layers.
    pub(super) fn ask(&mut self, request: &Request<'_>) -> Result<Reply, Stop> {
        let reply = self.stack.ask(request)?;
        if let (Some(replica), Some(verdict), true) =
            (&self.replica, &reply.verdict, reply.source != Source::Prediction)
        {
            replica.observe(verdict.outcome);
        }
        Ok(reply)
    }

    /// Counts an answer and tells of it.
    pub(super) fn note(&mut self, reply: &Reply, observer: &mut dyn Observer) {
        match reply.source {
            Source::Cache => {
                self.tally.known += 1;
                self.tally.cache_hits += usize::from(reply.outcome() != Outcome::Fail);
            }
            Source::Journal => self.tally.recalled += 1,
            Source::Prediction => {}
            Source::Run => {
                self.tally.checks += 1;
                self.tell_closed(observer);
                if let Some(message) = self.parts.journal.take_trouble() {
                    observer.event(&Event::Warning { message });
                }
                if let Some(Verdict { outcome, reason }) = reply.verdict.clone() {
                    observer.event(&Event::Checked { outcome, reason, wall: reply.wall });
                }
            }
        }
    }

    /// How certain an answer has to be now.
    pub(crate) fn least_trust(&self) -> Trust {
        if self.is_certain_only { Trust::Certain } else { self.parts.modes.least_trust() }
    }
}

/// Ends work that runs nothing when the search has to stop.
pub struct Timer {
    halt: Halt,
    clock: Clock,
}

impl Timer {
    /// Does work that runs nothing, as long as there is time.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn in_time<T>(self, work: impl FnOnce() -> T) -> Result<T, Stop> {
        until(self.halt, work).or_else(|Halted| self.clock.proceed().and(Err(Stop::Interrupted)))
    }
}

/// A question that needs a certain answer.
pub(super) fn request<'a>(key: Key, job: &'a dyn Fn() -> Job) -> Request<'a> {
    Request { key, job, trust: Trust::Certain, limit: FIRST, given: None, is_aside: false }
}

#[cfg(test)]
mod tests;
