//! Checks candidates: in parallel, each text once, in such a way that the answers do not depend on the number of workers.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mcve_transforms::Hint;

use super::workers::Workers;
use crate::dd::outcome::Outcome;
use crate::event::{Event, Observer};
use crate::exec::job::{End, ExecError, Executor, Job, JobResult};
use crate::oracle::places::Places;
use crate::oracle::{Oracle, Verdict, hints};
use crate::program::{ContentHash, Program};

/// How often the interrupt flag and the deadline are looked at while checks run.
const PATIENCE: Duration = Duration::from_millis(50);

/// The shortest adaptive timeout.
const MIN_TIMEOUT: Duration = Duration::from_secs(10);

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
    oracle: Arc<dyn Oracle>,
    workers: Workers,
    limits: Limits,
    verdicts: HashMap<ContentHash, Outcome>,
    slowest: Duration,
    /// Candidates that were run.
    pub checks: usize,
    /// How often a compiler was asked for hints, which is no check: there is no verdict.
    pub asked: usize,
    /// Candidates whose verdict was known.
    pub cache_hits: usize,
}

/// A candidate: a program and what whoever proposed it wants back if it is the first that fails.
pub type Candidate<T> = (Program, T);

/// A candidate whose check is under way.
struct Running<T> {
    position: usize,
    ticket: u64,
    candidate: Candidate<T>,
    hash: ContentHash,
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
        let workers = Workers::new(jobs, executor)?;
        let verdicts = HashMap::new();
        Ok(Self { oracle, workers, limits, verdicts, slowest: Duration::ZERO, checks: 0, asked: 0, cache_hits: 0 })
    }

    /// The oracle that judges.
    #[must_use]
    pub fn oracle(&self) -> &dyn Oracle {
        &*self.oracle
    }

    /// Runs the check of one program whatever the cache says, and remembers the verdict.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn check(&mut self, program: &Program, observer: &mut dyn Observer) -> Result<Verdict, Stop> {
        let ticket = self.workers.submit(self.oracle.job(program), self.timeout());
        loop {
            self.proceed()?;
            let Some((done, result)) = self.workers.wait(PATIENCE) else { continue };
            if done == ticket {
                return Ok(self.judge(program.hash(), &result.map_err(Stop::Exec)?, observer));
            }
        }
    }

    /// The first of `candidates`, in order, that fails, and its position; `None` among them is passed over.
    ///
    /// As many are checked at once as there are workers; later ones are cancelled when they can no longer be the first.
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
                match self.verdicts.get(&hash) {
                    Some(Outcome::Fail) => winner = Some((position, candidate)),
                    Some(_) => self.cache_hits += 1,
                    None if running.iter().any(|running| running.hash == hash) => self.cache_hits += 1,
                    None => {
                        let ticket = self.workers.submit(self.oracle.job(&candidate.0), self.timeout());
                        running.push(Running { position, ticket, candidate, hash });
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
            if self.judge(done.hash, &result, observer).outcome == Outcome::Fail {
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

    /// What the compiler that the oracle knows says of `program`; nothing where there is none, or it cannot be run, or the
    /// search is to stop: nothing depends on it.
    pub fn hints(&mut self, program: &Program) -> Vec<Hint> {
        let job = self.oracle.hints(program);
        job.and_then(|job| self.ask(job)).map(|result| hints::read(&result, program)).unwrap_or_default()
    }

    /// What its failure names in `program`: told by a check, or else by the compiler that the oracle knows. Nothing where
    /// neither says anything.
    pub fn places(&mut self, program: &Program) -> Places {
        let told = self.ask(self.oracle.job(program)).map(|result| Places::read(&result, program));
        if let Some(places) = told.filter(|places| !places.is_empty()) {
            return places;
        }
        let job = self.oracle.hints(program);
        job.and_then(|job| self.ask(job)).map(|result| Places::read(&result, program)).unwrap_or_default()
    }

    /// What comes of a job that has no verdict; nothing where it cannot be run, or the search is to stop.
    fn ask(&mut self, job: Job) -> Option<JobResult> {
        let ticket = self.workers.submit(job, self.timeout());
        self.asked += 1;
        while self.proceed().is_ok() {
            match self.workers.wait(PATIENCE) {
                Some((done, result)) if done == ticket => return result.ok(),
                _ => {}
            }
        }
        self.workers.cancel(ticket);
        None
    }

    fn judge(&mut self, hash: ContentHash, result: &JobResult, observer: &mut dyn Observer) -> Verdict {
        let verdict = match result.end {
            End::Cancelled => unreachable!("only later candidates are cancelled, and they are not waited for"),
            _ => self.oracle.verdict(result),
        };
        self.checks += 1;
        self.verdicts.insert(hash, verdict.outcome);
        if verdict.outcome == Outcome::Fail {
            self.slowest = self.slowest.max(result.wall);
        }
        let (outcome, reason) = (verdict.outcome, verdict.reason.clone());
        observer.event(&Event::Checked { outcome, reason, wall: result.wall });
        verdict
    }

    fn timeout(&self) -> Duration {
        self.limits.timeout.unwrap_or_else(|| (self.slowest * 10).max(MIN_TIMEOUT))
    }

    /// Whether to go on.
    fn proceed(&self) -> Result<(), Stop> {
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
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::super::testing::{Events, checker};
    use super::*;

    fn programs(texts: &[&str]) -> Vec<Option<Candidate<()>>> {
        texts.iter().map(|text| Some((Program::new("a.rs", *text), ()))).collect()
    }

    fn fails_with_x(text: &str) -> Outcome {
        if text.contains('x') { Outcome::Fail } else { Outcome::Pass }
    }

    #[test]
    fn the_first_that_fails_wins_for_any_number_of_workers() {
        for jobs in 1..8 {
            let mut checker = checker(jobs, Limits::default(), fails_with_x);
            let mut candidates = programs(&["a", "b", "x1", "c", "x2"]).into_iter();
            let found = checker.first(&mut candidates, &mut Events::default()).expect("nothing stops it");
            assert_eq!(
                found.map(|(position, (program, ()))| (position, program.text.to_string())),
                Some((2, "x1".into()))
            );
        }
    }

    #[test]
    fn nothing_that_fails_is_none() {
        let mut checker = checker(2, Limits::default(), fails_with_x);
        let found = checker.first(&mut programs(&["a", "b"]).into_iter(), &mut Events::default());
        assert!(found.expect("nothing stops it").is_none());
    }

    #[test]
    fn a_text_is_checked_once() {
        let mut checker = checker(2, Limits::default(), fails_with_x);
        for _ in 0..2 {
            checker
                .first(&mut programs(&["a", "b", "a"]).into_iter(), &mut Events::default())
                .expect("nothing stops it");
        }
        assert_eq!((checker.checks, checker.cache_hits), (2, 4));
    }

    #[test]
    fn an_interrupt_stops_before_the_next_check() {
        let asked = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&asked);
        let limits = Limits::default();
        limits.interrupt.store(true, Ordering::Relaxed);
        let mut checker = checker(1, limits, move |_| {
            counted.fetch_add(1, Ordering::Relaxed);
            Outcome::Pass
        });
        let stop = checker.first(&mut programs(&["a", "b", "c"]).into_iter(), &mut Events::default());
        assert!(matches!(stop, Err(Stop::Interrupted)));
        drop(checker);
        assert!(asked.load(Ordering::Relaxed) <= 1, "at most the one that was under way");
    }
}
