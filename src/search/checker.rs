//! Checks candidates: in parallel, each text once, in such a way that the answers do not depend on the number of workers.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::workers::{Way, Workers};
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
    /// The longest that one check may take; none: ten times the slowest interesting one, at least ten seconds.
    pub timeout: Option<Duration>,
    /// When the search ends with the best so far.
    pub deadline: Option<Instant>,
    /// Set from outside to end the search with the best so far.
    pub interrupt: Arc<AtomicBool>,
}

/// Checks candidates by an oracle and remembers every verdict by content.
pub struct Checker {
    pub(super) oracle: Arc<dyn Oracle>,
    pub(super) executor: Arc<dyn Executor>,
    pub(super) workers: Workers,
    pub(super) limits: Limits,
    pub(super) verdicts: HashMap<ContentHash, Outcome>,
    slowest: Duration,
    /// How long checks take of late.
    usual: Duration,
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

/// A candidate whose check is under way.
struct Running<T> {
    position: usize,
    ticket: u64,
    candidate: Candidate<T>,
    hash: ContentHash,
    way: Way,
}

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
        Ok(Self {
            oracle,
            executor,
            workers,
            limits,
            verdicts: HashMap::new(),
            slowest: Duration::ZERO,
            usual: Duration::ZERO,
            uncertain: HashSet::new(),
            told: false,
            journal: Journal::nowhere(None),
            recalling: None,
            checks: 0,
            asked: 0,
            cache_hits: 0,
            recalled: 0,
        })
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

    /// Runs the check of the unreduced program whatever the cache says, without a shortcut, and remembers the verdict.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn check(&mut self, program: &Program, observer: &mut dyn Observer) -> Result<Verdict, Stop> {
        let hash = program.hash();
        if let Some(judged) = self.journal.baseline(hash) {
            self.recall(&judged);
            return Ok(judged.verdict());
        }
        let result = self.run(program, Way::Plain)?;
        Ok(self.judge(hash, Way::Plain, &result, Journal::has_checked_baseline, observer))
    }

    /// Runs one program and waits for it.
    pub(super) fn run(&mut self, program: &Program, way: Way) -> Result<JobResult, Stop> {
        let ticket = self.submit(self.oracle.job(program), way);
        loop {
            self.proceed()?;
            match self.workers.wait(PATIENCE) {
                Some((done, result)) if done == ticket => return result.map_err(Stop::Exec),
                _ => {}
            }
        }
    }

    /// The first of `candidates`, in order, that fails, and its position; `None` among them is passed over.
    ///
    /// As many are checked at once as there are workers; later ones are cancelled when they can no longer be the first.
    /// What fails by a shortcut is not certain before `Checker::confirm` says so.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn first<T>(
        &mut self,
        candidates: &mut dyn Iterator<Item = Option<Candidate<T>>>,
        observer: &mut dyn Observer,
    ) -> Result<Option<(usize, Candidate<T>)>, Stop> {
        let mut candidates = candidates.enumerate();
        let mut running: Vec<Running<T>> = Vec::new();
        let mut winner: Option<(usize, Candidate<T>)> = None;
        loop {
            while winner.is_none() && running.len() < self.workers.count() {
                let Some((position, candidate)) = candidates.next() else { break };
                let Some(candidate) = candidate else { continue };
                let hash = candidate.0.hash();
                // What was had by a shortcut is worth nothing once that is closed.
                let known = self.journal.verdict(hash).filter(|judged| !judged.is_quick() || self.has_shortcut());
                if let Some(judged) = known.filter(|_| !self.verdicts.contains_key(&hash)) {
                    if self.recall(&judged) == Outcome::Fail {
                        winner = Some((position, candidate));
                    }
                    continue;
                }
                match self.verdicts.get(&hash) {
                    Some(Outcome::Fail) => winner = Some((position, candidate)),
                    Some(_) => self.cache_hits += 1,
                    None if running.iter().any(|running| running.hash == hash) => self.cache_hits += 1,
                    None => {
                        let way = if self.has_shortcut() && self.usual < SLOW { Way::Quick } else { Way::Plain };
                        let ticket = self.submit(self.oracle.job(&candidate.0), way);
                        running.push(Running { position, ticket, candidate, hash, way });
                    }
                }
            }
            if running.is_empty() {
                return Ok(winner);
            }
            if let Err(stop) = self.proceed() {
                running.iter().for_each(|running| self.workers.cancel(running.ticket));
                return Err(stop);
            }
            let Some((ticket, result)) = self.workers.wait(PATIENCE) else { continue };
            let Some(index) = running.iter().position(|running| running.ticket == ticket) else { continue };
            let done = running.swap_remove(index);
            let result = result.map_err(Stop::Exec)?;
            self.tell(observer);
            let write = if done.way == Way::Quick { Journal::has_checked_quickly } else { Journal::has_checked };
            if self.judge(done.hash, done.way, &result, write, observer).outcome == Outcome::Fail {
                running.retain(|later| {
                    if later.position > done.position {
                        self.workers.cancel(later.ticket);
                    }
                    later.position < done.position
                });
                winner = Some((done.position, done.candidate));
            }
        }
    }

    /// Takes over a verdict from the journal, with all that follows from one.
    fn recall(&mut self, judged: &Judged) -> Outcome {
        let outcome = judged.outcome();
        self.recalled += 1;
        self.recalling.get_or_insert_with(Instant::now);
        let way = if judged.is_quick() { Way::Quick } else { Way::Plain };
        self.remember(judged.text(), way, outcome, judged.wall());
        outcome
    }

    fn remember(&mut self, hash: ContentHash, way: Way, outcome: Outcome, wall: Duration) {
        self.verdicts.insert(hash, outcome);
        if outcome == Outcome::Fail {
            self.slowest = self.slowest.max(wall);
            match way {
                Way::Plain => self.uncertain.remove(&hash),
                Way::Quick => self.uncertain.insert(hash),
            };
        }
    }

    /// Has a job run. The time in which nothing but the journal was asked does not count, so that a run that is resumed gets
    /// further however short its time is.
    pub(super) fn submit(&mut self, job: Job, way: Way) -> u64 {
        if let (Some(since), Some(deadline)) = (self.recalling.take(), &mut self.limits.deadline) {
            *deadline += since.elapsed();
        }
        self.workers.submit(job, way, self.timeout())
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
            End::Cancelled => unreachable!("only later candidates are cancelled, and they are not waited for"),
            _ => self.oracle.verdict(result),
        };
        self.checks += 1;
        self.usual = (self.usual * 7 + result.wall) / 8;
        self.remember(hash, way, verdict.outcome, result.wall);
        write(&self.journal, hash, &verdict, result);
        if let Some(message) = self.journal.trouble() {
            observer.event(&Event::Warning { message });
        }
        let (outcome, reason) = (verdict.outcome, verdict.reason.clone());
        observer.event(&Event::Checked { outcome, reason, wall: result.wall });
        verdict
    }

    fn timeout(&self) -> Duration {
        self.limits.timeout.unwrap_or_else(|| (self.slowest * 10).max(MIN_TIMEOUT))
    }

    /// Whether to go on.
    pub(super) fn proceed(&self) -> Result<(), Stop> {
        if self.limits.interrupt.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted);
        }
        if self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stop::Budget);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
