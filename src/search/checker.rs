//! Checks candidates: each text once, one after the other, so that the answers do not depend on the number of workers; what
//! runs ahead keeps all of them busy.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mcve_transforms::{Halt, Halted, until};

use super::ahead::Ahead;
use super::answers::Answers;
use super::workers::{Task, Way, Workers};
use crate::dd::outcome::Outcome;
use crate::event::{Event, Observer};
use crate::exec::job::{End, ExecError, Executor, Job, JobResult};
use crate::oracle::{Oracle, Verdict};
use crate::program::{ContentHash, Program};
use crate::state::journal::Journal;
use crate::state::record::Judged;

/// How often the interrupt flag and the deadline are looked at while checks run.
pub(super) const PATIENCE: Duration = Duration::from_millis(50);

/// The shortest adaptive timeout.
const MIN_TIMEOUT: Duration = Duration::from_secs(10);

/// Checks that take longer than this are run without a shortcut: it would spare the smallest part of them.
const SLOW: Duration = Duration::from_millis(200);

/// Why a search stops before its end.
#[derive(Debug)]
pub enum Stop {
    /// The user interrupted it.
    Interrupted,
    /// The time that was allowed is over.
    Budget,
    /// A check could not be run.
    Exec(ExecError),
    /// The best program could not be written.
    Output(std::io::Error),
    /// The best program fails by a shortcut only. The search goes on from the last one that is certain.
    Refuted,
}

/// When a search stops before its end, and how long a check may take.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The longest that one check may take; none: ten times the slowest interesting one, at least ten seconds, and for those of
    /// the unreduced program an hour.
    pub timeout: Option<Duration>,
    /// When the search ends with the best so far.
    pub deadline: Option<Instant>,
    /// Set from outside to end the search with the best so far.
    pub interrupt: Arc<AtomicBool>,
}

impl Limits {
    /// Whether to go on.
    ///
    /// # Errors
    /// When the run is to end.
    pub fn proceed(&self) -> Result<(), Stop> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stop::Budget);
        }
        Ok(())
    }
}

/// How a search goes on from some place on, with a checker of its own.
pub type Course = Arc<dyn Fn(Checker) -> Result<(), Stop> + Send + Sync>;

/// Checks candidates by an oracle and remembers every verdict by content.
pub struct Checker {
    pub(super) oracle: Arc<dyn Oracle>,
    pub(super) executor: Arc<dyn Executor>,
    pub(super) workers: Workers,
    pub(super) limits: Limits,
    pub(super) answers: Answers,
    /// What stands in the place of checks where a search runs ahead of the real one.
    pub(super) ahead: Option<Ahead>,
    /// Whether a search runs ahead of this one.
    pub(super) has_ahead: bool,
    /// Whether checks take a shortcut, if there is one.
    pub(super) hurries: bool,
    /// What was seen to fail by a shortcut only.
    pub(super) uncertain: HashSet<ContentHash>,
    /// Whether it was told that the executor's shortcut is closed.
    pub(super) told: bool,
    /// What was asked before, and where what is asked now is written down.
    pub(super) journal: Journal,
    /// When the journal began to answer, if nothing was run since.
    recalling: Option<Instant>,
    /// Candidates that were run.
    pub checks: usize,
    /// How often a job was run for what it says, which is no check: there is no verdict.
    pub asked: usize,
    /// Candidates whose verdict was known.
    pub cache_hits: usize,
    /// Candidates whose verdict the journal knew from before.
    pub recalled: usize,
}

/// A candidate: a program and what whoever proposed it wants back if it is the first that fails.
pub type Candidate<T> = (Program, T);

impl Checker {
    /// A checker with its own workers.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn new(
        oracle: Arc<dyn Oracle>,
        executor: Arc<dyn Executor>,
        jobs: usize,
        limits: Limits,
    ) -> std::io::Result<Self> {
        let workers = Workers::new(jobs, Arc::clone(&executor))?;
        Ok(Self::of(oracle, executor, workers, limits))
    }

    pub(super) fn of(oracle: Arc<dyn Oracle>, executor: Arc<dyn Executor>, workers: Workers, limits: Limits) -> Self {
        Self {
            oracle,
            executor,
            workers,
            limits,
            answers: Answers::default(),
            ahead: None,
            has_ahead: false,
            hurries: true,
            uncertain: HashSet::new(),
            told: false,
            journal: Journal::nowhere(None),
            recalling: None,
            checks: 0,
            asked: 0,
            cache_hits: 0,
            recalled: 0,
        }
    }

    /// The same with a journal.
    #[must_use]
    pub fn with_journal(self, journal: Journal) -> Self {
        Self { journal, ..self }
    }

    /// The oracle that judges.
    #[must_use]
    pub fn oracle(&self) -> &dyn Oracle {
        &*self.oracle
    }

    /// Runs one program and waits for it.
    pub(super) fn run(&mut self, program: &Program, way: Way) -> Result<JobResult, Stop> {
        let task = self.task(self.oracle.job(program), way);
        let ticket = self.workers.submit(task);
        self.wait(ticket)
    }

    /// Waits for a task.
    pub(super) fn wait(&self, ticket: u64) -> Result<JobResult, Stop> {
        loop {
            self.proceed().inspect_err(|_| self.workers.cancel(ticket))?;
            if let Some(result) = self.workers.wait(ticket, PATIENCE) {
                return result.map_err(Stop::Exec);
            }
            // What runs ahead has no workers of its own, and those of the search may have gone.
            if self.workers.board.state().is_over {
                return Err(Stop::Interrupted);
            }
        }
    }

    /// The first of `candidates`, in order, that fails, and its position; `None` among them is passed over.
    ///
    /// One is checked after the other; what is likely to be asked next is checked meanwhile. What fails by a shortcut is not
    /// certain before `Checker::confirm` says so.
    ///
    /// # Errors
    /// When the search is to stop.
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
            if self.verdict(&candidate.0, observer)? == Outcome::Fail {
                return Ok(Some((position, candidate)));
            }
        }
        Ok(None)
    }

    /// The outcome for a candidate.
    fn verdict(&mut self, program: &Program, observer: &mut dyn Observer) -> Result<Outcome, Stop> {
        let hash = program.hash();
        if let Some(outcome) = self.answers.verdict(hash) {
            self.cache_hits += usize::from(outcome != Outcome::Fail);
            self.ahead.iter().for_each(|ahead| ahead.has_seen(outcome));
            return Ok(outcome);
        }
        // What was had by a shortcut is worth nothing once that is closed.
        if let Some(judged) = self.journal.verdict(hash).filter(|judged| !judged.is_quick() || self.has_shortcut()) {
            return Ok(if self.ahead.is_some() { judged.outcome() } else { self.recall(&judged) });
        }
        if let Some(ahead) = &self.ahead {
            let known = || self.answers.verdict(hash);
            return ahead.outcome(hash, &|| self.task_for(program), &|result| self.outcome_of(result), &known);
        }
        self.go_on();
        let (ticket, way) = self.workers.board.ask((None, hash), self.task_for(program), self.has_shortcut());
        let result = self.wait(ticket)?;
        self.tell(observer);
        let write = if way == Way::Quick { Journal::has_checked_quickly } else { Journal::has_checked };
        let outcome = self.judge(hash, way, &result, write, observer).outcome;
        self.workers.board.settle((None, hash), outcome == Outcome::Fail);
        Ok(outcome)
    }

    /// The check of a candidate, as it is made now.
    fn task_for(&self, program: &Program) -> Task {
        let job = self.oracle.job(program);
        let is_quick = self.has_shortcut() && self.answers.usual() < SLOW;
        self.task_of(job, if is_quick { Way::Quick } else { Way::Plain })
    }

    /// Takes over a verdict from the journal, with all that follows from one.
    pub(super) fn recall(&mut self, judged: &Judged) -> Outcome {
        let outcome = judged.outcome();
        self.recalled += 1;
        self.recalling.get_or_insert_with(Instant::now);
        let way = if judged.is_quick() { Way::Quick } else { Way::Plain };
        self.remember(judged.text(), way, outcome, judged.wall());
        outcome
    }

    /// What came of the check of a candidate means.
    pub(super) fn outcome_of(&self, result: &JobResult) -> Outcome {
        self.oracle.verdict(result).outcome
    }

    fn remember(&mut self, hash: ContentHash, way: Way, outcome: Outcome, wall: Duration) {
        self.answers.record_verdict(hash, outcome, wall);
        if outcome == Outcome::Fail {
            match way {
                Way::Plain => self.uncertain.remove(&hash),
                Way::Quick => self.uncertain.insert(hash),
            };
        }
    }

    /// A job as it is run now. The time in which nothing but the journal was asked does not count, so that a run that is
    /// resumed gets further however short its time is.
    pub(super) fn task(&mut self, job: Job, way: Way) -> Task {
        self.go_on();
        self.task_of(job, way)
    }

    /// Goes on behind what the journal knows.
    fn go_on(&mut self) {
        if let (Some(since), Some(deadline)) = (self.recalling.take(), &mut self.limits.deadline) {
            *deadline += since.elapsed();
        }
    }

    pub(super) fn task_of(&self, job: Job, way: Way) -> Task {
        Task { job, way, timeout: self.timeout() }
    }

    /// What came of a check means. It is written down first, so that what was told is not asked again.
    pub(super) fn judge(
        &mut self,
        hash: ContentHash,
        way: Way,
        result: &JobResult,
        write: fn(&Journal, ContentHash, &Verdict, &JobResult),
        observer: &mut dyn Observer,
    ) -> Verdict {
        let verdict = match result.end {
            End::Cancelled => unreachable!("what is cancelled is not waited for"),
            _ => self.oracle.verdict(result),
        };
        self.checks += 1;
        self.answers.has_taken(result.wall);
        self.remember(hash, way, verdict.outcome, result.wall);
        write(&self.journal, hash, &verdict, result);
        if let Some(message) = self.journal.trouble() {
            observer.event(&Event::Warning { message });
        }
        let (outcome, reason) = (verdict.outcome, verdict.reason.clone());
        observer.event(&Event::Checked { outcome, reason, wall: result.wall });
        verdict
    }

    /// The longest that a check may take now.
    pub(super) fn timeout(&self) -> Duration {
        self.limits.timeout.unwrap_or_else(|| (self.answers.slowest() * 10).max(MIN_TIMEOUT))
    }

    /// Whether to go on.
    pub(super) fn proceed(&self) -> Result<(), Stop> {
        self.limits.proceed()
    }

    /// Does work that runs nothing, as long as there is time.
    pub(super) fn in_time<T>(&self, work: impl FnOnce() -> T) -> Result<T, Stop> {
        let halt: Halt = match &self.ahead {
            Some(ahead) => ahead.halt(),
            None => {
                let limits = self.limits.clone();
                Rc::new(move || limits.proceed().is_err())
            }
        };
        until(halt, work).or_else(|Halted| self.proceed().and(Err(Stop::Interrupted)))
    }
}

#[cfg(test)]
mod tests;
