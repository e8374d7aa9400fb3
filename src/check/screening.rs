//! Which of the next candidates do not fail: several of them are looked at as one program, of which each is a module.
//!
//! Where a program has to compile before it can fail, most candidates are refused, and a compiler spends most of its time on
//! what they share: the standard library. So it looks at all of them at once, and those that it accepts become one program that
//! is run as each of them. Those that are rejected so need no check of their own; the others are checked as ever. The fewer
//! candidates fail of late, the more of the next ones are looked at together.
//!
//! This is mutant schemata of mutation testing (Untch, Offutt and Harrold, 1993), with modules in the place of switches.

mod jobs;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mcve_transforms::Batch;

use jobs::{BatchJobs, Single};

use super::checks::Checks;
use super::dispatch::Dispatch;
use super::limits::Stop;
use super::pool::{Mode, Pool, Task};
use super::request::{About, Check, Key, Reply, Request, Source};
use crate::dd::outcome::Outcome;
use crate::exec::job::{End, Job, JobResult, Trust};
use crate::oracle::{CompilerJob, Verdict};
use crate::program::{ContentHash, Program};

/// Which share of the candidates fail and are refused, before anything is known, and how much each one counts for that.
const SHARES: [f64; 2] = [0.25, 0.5];
const WEIGHT: f64 = 0.125;

/// At most so many candidates are in one batch, of at most so many bytes.
const CANDIDATES: usize = 24;
const BYTES: usize = 256 * 1024;

/// What a batch takes, and each of its candidates besides, where one check is 1. Measured are 0.9 and 0.1 on programs of about 1,000
/// tokens; it has to pay by a third.
const BATCH: f64 = 1.2;
const EACH: f64 = 0.15;

/// So many bytes are kept of what a rejected candidate prints: finds are told by it.
const KEPT: usize = 16 * 1024;

/// After so many batches in a row that say nothing there are no more.
const TRIES: usize = 3;

/// Candidates that do not fail. Clones are the same.
#[derive(Clone, Default)]
pub(super) struct Rejected(Arc<Mutex<HashMap<ContentHash, Reply>>>);

impl Rejected {
    fn add(&self, text: ContentHash, verdict: Verdict, mut result: JobResult) {
        for output in [&mut result.stdout, &mut result.stderr] {
            output.truncate(KEPT);
            output.shrink_to_fit();
        }
        let reply = Reply {
            verdict: Some(verdict),
            wall: result.wall,
            result: Some(Arc::new(result)),
            trust: Trust::Likely,
            source: Source::Run,
        };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(text, reply);
    }

    fn reply(&self, key: Key) -> Option<Reply> {
        let rejected = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        rejected.get(&key.text).filter(|_| key.about == About::Verdict).cloned()
    }
}

/// The layer that knows which candidates do not fail.
pub(super) struct Screened {
    /// Answers the rest.
    pub(super) below: Box<dyn Check>,
    /// Those that do not.
    pub(super) rejected: Rejected,
}

impl Check for Screened {
    fn ask(&mut self, request: &Request<'_>) -> Result<Reply, Stop> {
        match self.rejected.reply(request.key).filter(|reply| reply.trust >= request.trust) {
            Some(reply) => Ok(reply),
            None => self.below.ask(request),
        }
    }
}

/// Whether candidates are screened now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Screening {
    /// The share of candidates that fail, of late.
    failing: f64,
    /// The share that a compiler refuses.
    refused: f64,
    /// How many batches in a row showed an error in the original, or took too long.
    not_compiled: usize,
    /// How many in a row did not run as the original does.
    not_run: usize,
}

impl Default for Screening {
    fn default() -> Self {
        let [failing, refused] = SHARES;
        Self { failing, refused, not_compiled: 0, not_run: 0 }
    }
}

impl Screening {
    /// Takes notice of an answer that was new.
    pub(super) fn observe(&mut self, reply: &Reply) {
        let Some(result) = &reply.result else { return };
        let learn = |share: &mut f64, is_one: bool| *share += (if is_one { 1.0 } else { 0.0 } - *share) * WEIGHT;
        learn(&mut self.failing, reply.outcome() == Outcome::Fail);
        learn(&mut self.refused, result.failed_step.is_some());
    }

    /// How many candidates of so many bytes are in the next batch: about as many as come before one fails, as then all that is known
    /// of the others is of no use. 0 where a batch does not pay.
    fn size(self, bytes: usize) -> usize {
        let most = CANDIDATES.min(BYTES / bytes.max(1));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is at least 1 and is cut off")]
        let size = most.min((1.0 / self.failing.max(0.01)) as usize);
        let is_worth = self.not_compiled < TRIES && pays(size, self.failing, self.refused);
        if is_worth { size } else { 0 }
    }

    /// Whether to run so many candidates that a compiler accepts as one program.
    fn should_run(self, count: usize) -> bool {
        let failing = (self.failing / (1.0 - self.refused).max(0.01)).min(1.0);
        self.not_run < TRIES && pays(count, failing, 1.0 - failing)
    }
}

/// Whether a batch of `count` candidates saves more checks than it takes, where this share of the candidates fail, of which the first ends
/// the use of the batch, and this share of them need no check of their own.
fn pays(count: usize, failing: f64, saved: f64) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "they are few")]
    let count = count as f64;
    // 1 - (1 - failing)^count, also of a share so small that 1 is as much without it.
    let ended = -f64::exp_m1(count * f64::ln_1p(-failing));
    let used = if failing > 0.0 { ended / failing } else { count };
    used * saved > BATCH + EACH * count
}

impl Checks {
    /// How many of the candidates that come next are to be screened, where `best` is the best program; 0 where none is.
    #[must_use]
    pub fn screening_size(&self, best: &Program) -> usize {
        let can_be = self.least_trust() == Trust::Likely && self.parts.layers.screening && is_one_file(best);
        let Some(pool) = self.pool.as_ref().filter(|_| can_be) else { return 0 };
        self.screening.size(best.text.len()) * pool.board.count
    }

    /// Has a compiler look at `candidates`, variants of `best`, in as many batches as there are workers, and runs those that it accepts.
    /// Nothing where the oracle has nothing to do with errors.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn screen(&mut self, best: &Program, candidates: &[Program]) -> Result<(), Stop> {
        let Some(pool) = self.pool.clone() else { return Ok(()) };
        let new: Vec<&Program> = candidates.iter().filter(|candidate| !self.is_known(candidate)).collect();
        let Screening { failing, refused, .. } = self.screening;
        let is_worth = |batch: &&[&Program]| pays(batch.len(), failing, refused);
        let size = new.len().div_ceil(pool.board.count).max(1);
        let batches: Vec<&[&Program]> = new.chunks(size).filter(is_worth).collect();
        let accepted = self.compile_batches(&pool, best, &batches)?;
        self.run_batches(&pool, best, &accepted)
    }

    /// Whether it is known that a candidate does not fail, or that it does.
    fn is_known(&self, candidate: &Program) -> bool {
        let key = Key { text: candidate.hash(), about: About::Verdict };
        let is_known = self.parts.known.get(key).is_some() || self.parts.rejected.reply(key).is_some();
        is_known || self.parts.journal.verdict(key.text, Trust::Likely).is_some()
    }

    /// Has a compiler look at batches of candidates, and returns those that it accepts.
    fn compile_batches<'c>(
        &mut self,
        pool: &Arc<Pool>,
        best: &Program,
        candidates: &[&[&'c Program]],
    ) -> Result<Vec<Vec<&'c Program>>, Stop> {
        let (original, lists) = best.text.split_at(best.lists());
        // Those with other lists have nothing that is common to all.
        let rust = |candidate: &&'c Program| candidate.text.strip_suffix(lists);
        let batches: Vec<Batch> =
            candidates.iter().map(|candidates| Batch::of(original, candidates.iter().map(rust)).checkable()).collect();
        let programs: Vec<Program> =
            batches.iter().map(|batch| best.with_text(format!("{}{lists}", batch.text))).collect();
        let jobs: Option<Vec<Job>> = programs
            .iter()
            .map(|program| self.parts.oracle.advice().compiler_job(CompilerJob::Errors, program))
            .collect();
        let Some(jobs) = jobs else {
            self.screening.not_compiled = TRIES;
            return Ok(Vec::new());
        };
        let results = self.run_all(pool, jobs)?;
        let mut accepted = Vec::new();
        for (((candidates, batch), program), result) in candidates.iter().zip(&batches).zip(&programs).zip(results) {
            let refused = jobs::refused(batch, program, &result);
            if refused.contains_key(&batch.original()) || !matches!(result.end, End::Exited(0 | 1)) {
                self.screening.not_compiled += 1;
                continue;
            }
            self.screening.not_compiled = 0;
            let wall = result.wall / u32::try_from(candidates.len()).unwrap_or(u32::MAX);
            for (&index, code) in &refused {
                if let Some(code) = code {
                    self.reject_refused(candidates[index].hash(), code, wall);
                }
            }
            let is_accepted = |(index, _): &(usize, _)| !refused.contains_key(index) && batch.has(*index);
            accepted.push(candidates.iter().enumerate().filter(is_accepted).map(|(_, candidate)| *candidate).collect());
        }
        Ok(accepted)
    }

    /// Runs those of each list of `candidates` as one program.
    fn run_batches(&mut self, pool: &Arc<Pool>, best: &Program, candidates: &[Vec<&Program>]) -> Result<(), Stop> {
        // What fails in some of its runs only is not rejected after one.
        if self.parts.repetition.is_some() {
            return Ok(());
        }
        let oracle = Arc::clone(&self.parts.oracle);
        let single = |program: &Program| Single::of(&*oracle, program);
        let lists: Vec<BatchJobs> = candidates
            .iter()
            .filter(|candidates| self.screening.should_run(candidates.len()))
            .filter_map(|candidates| BatchJobs::of(single(best)?, candidates.iter().map(|candidate| single(candidate))))
            .collect();
        // The first run of each has it compiled.
        let originals = self.run_all(pool, lists.iter().map(|jobs| jobs.job(jobs.original())).collect())?;
        let mut running = Vec::new();
        for (jobs, result) in lists.iter().zip(originals) {
            let refused = jobs.refused(&result);
            for &(candidate, ref code) in &refused {
                self.reject_refused(candidate, code, Duration::ZERO);
            }
            let original = oracle.verdict(&jobs.translated(jobs.original(), result));
            if original.outcome == Outcome::Fail {
                self.screening.not_run = 0;
                running.extend(jobs.candidates().map(|number| (jobs, number)));
            } else if refused.is_empty() {
                self.screening.not_run += 1;
            }
        }
        let results = self.run_all(pool, running.iter().map(|(jobs, number)| jobs.job(*number)).collect())?;
        for ((jobs, number), result) in running.into_iter().zip(results) {
            let result = jobs.translated(number, result);
            let verdict = oracle.verdict(&result);
            if verdict.outcome != Outcome::Fail {
                self.parts.rejected.add(jobs.program(number), verdict, result);
            }
        }
        Ok(())
    }

    /// Rejects a candidate that a compiler refuses.
    fn reject_refused(&self, candidate: ContentHash, code: &str, wall: Duration) {
        let verdict = Verdict::new(Outcome::Unresolved, format!("new error {code}").trim_end());
        let result = JobResult { failed_step: Some(0), wall, ..JobResult::ended(End::Exited(1)) };
        self.parts.rejected.add(candidate, verdict, result);
    }

    /// Runs jobs, as many at once as there are workers.
    fn run_all(&self, pool: &Arc<Pool>, jobs: Vec<Job>) -> Result<Vec<JobResult>, Stop> {
        let (pool, clock) = (Arc::clone(pool), self.clock.clone());
        let dispatch = Dispatch { modes: self.parts.modes.clone(), pool, clock };
        dispatch.clock.resume();
        let (limit, mode) = (self.parts.slowest.limit(self.parts.fixed), Mode::ForkServer);
        let submit = |job| dispatch.pool.submit_last(Task { job, mode, limit });
        let tickets: Vec<u64> = jobs.into_iter().map(submit).collect();
        let results: Result<Vec<JobResult>, Stop> = tickets.iter().map(|ticket| dispatch.result(*ticket)).collect();
        if results.is_err() {
            tickets.iter().for_each(|ticket| dispatch.pool.cancel(*ticket));
        }
        results
    }
}

/// Whether all Rust of a program is in one file.
fn is_one_file(program: &Program) -> bool {
    match (&program.layout, program.document()) {
        (None, _) => true,
        (Some(_), document) => document.is_some_and(|document| document.files.len() == 1),
    }
}

#[cfg(test)]
mod tests;
