//! Screening: compiles and runs several of the next candidates as one program, each as a module of it.
//!
//! Where a program has to compile before it can fail, most candidates are refused, and a compiler spends most of its time on
//! what they share: the standard library. So it compiles all of them at once, and those that it accepts become one program that
//! is run as each of them. Candidates that are rejected so need no check of their own; the others are checked as usual. The fewer
//! candidates fail, the more of the next ones are in a batch.
//!
//! This is mutant schemata of mutation testing (Untch, Offutt and Harrold, 1993), with modules in the place of switches.

mod jobs;
pub(super) mod shares;

use std::sync::Arc;
use std::time::Duration;

use mcve_transforms::Batch;

use jobs::{BatchJobs, Single};
use shares::{Shares, TRIES};

use super::checks::Checks;
use super::dispatch::Dispatch;
use super::layers::Parts;
use super::limits::Stop;
use super::pool::{Mode, Task};
use super::request::{About, Key};
use crate::exec::job::{End, Job, JobResult, Trust};
use crate::oracle::CompilerJob;
use crate::oracle::Verdict;
use crate::program::{ContentHash, Program};
use mcve_dd::outcome::Outcome;

/// The number of next candidates to screen, where `best` is the best program; 0 where that does not pay.
pub(crate) fn screening_size(checks: &Checks, best: &Program) -> usize {
    let can_be = checks.least_trust() == Trust::Likely && checks.parts.layers.screening && is_one_file(best);
    let Some(pool) = checks.pool.as_ref().filter(|_| can_be) else { return 0 };
    checks.shares.size(best.text.len()) * pool.board.count
}

/// Compiles `candidates`, variants of `best`, in as many batches as there are workers, and runs those that the compiler accepts. Does
/// nothing where the oracle knows no job that shows errors.
pub(crate) fn screen(checks: &mut Checks, best: &Program, candidates: &[Program]) -> Result<(), Stop> {
    let Some(pool) = checks.pool.clone() else { return Ok(()) };
    let count = pool.board.count;
    let dispatch = Dispatch { modes: checks.parts.modes.clone(), pool, clock: checks.clock.clone() };
    let mut batches = Batches { parts: &checks.parts, dispatch, shares: &mut checks.shares, best };
    let new: Vec<&Program> = candidates.iter().filter(|candidate| !batches.is_known(candidate)).collect();
    let shares = *batches.shares;
    let size = new.len().div_ceil(count).max(1);
    let lists: Vec<&[&Program]> = new.chunks(size).filter(|list| shares.should_compile(list.len())).collect();
    let accepted = batches.compile(&lists)?;
    batches.run(&accepted)
}

/// Batches of variants of the best program.
struct Batches<'c> {
    parts: &'c Parts,
    dispatch: Dispatch,
    shares: &'c mut Shares,
    best: &'c Program,
}

impl Batches<'_> {
    fn is_known(&self, candidate: &Program) -> bool {
        let key = Key { text: candidate.hash(), about: About::Verdict };
        let is_known = self.parts.known.get(key).is_some() || self.parts.rejected.reply(key).is_some();
        is_known || self.parts.journal.verdict(key.text, Trust::Likely).is_some()
    }

    /// Compiles each list of candidates as one program, and returns those that the compiler accepts.
    fn compile<'p>(&mut self, candidates: &[&[&'p Program]]) -> Result<Vec<Vec<&'p Program>>, Stop> {
        let (original, lists) = self.best.text.split_at(self.best.lists());
        // Those with other lists have nothing that is common to all.
        let rust = |candidate: &&'p Program| candidate.text.strip_suffix(lists);
        let batches: Vec<Batch> =
            candidates.iter().map(|candidates| Batch::of(original, candidates.iter().map(rust)).checkable()).collect();
        let programs: Vec<Program> =
            batches.iter().map(|batch| self.best.with_text(format!("{}{lists}", batch.text))).collect();
        let jobs: Option<Vec<Job>> =
            programs.iter().map(|program| self.parts.oracle.compiler_job(CompilerJob::Errors, program)).collect();
        let Some(jobs) = jobs else {
            self.shares.not_compiled = TRIES;
            return Ok(Vec::new());
        };
        let results = self.run_all(jobs)?;
        let mut accepted = Vec::new();
        for (((candidates, batch), program), result) in candidates.iter().zip(&batches).zip(&programs).zip(results) {
            let refused = jobs::refused(batch, program, &result);
            if refused.contains_key(&batch.original()) || !matches!(result.end, End::Exited(0 | 1)) {
                self.shares.not_compiled += 1;
                continue;
            }
            self.shares.not_compiled = 0;
            let wall = result.wall / u32::try_from(candidates.len()).unwrap_or(u32::MAX);
            for (&index, error) in &refused {
                if let Some((_, error)) = error {
                    self.reject_refused(candidates[index].hash(), error, wall);
                }
            }
            let is_accepted = |(index, _): &(usize, _)| !refused.contains_key(index) && batch.has(*index);
            accepted.push(candidates.iter().enumerate().filter(is_accepted).map(|(_, candidate)| *candidate).collect());
        }
        Ok(accepted)
    }

    /// Runs each list of candidates as one program.
    fn run(&mut self, candidates: &[Vec<&Program>]) -> Result<(), Stop> {
        // What fails in some of its runs only is not rejected after one.
        if self.parts.repetition.is_some() {
            return Ok(());
        }
        let oracle = Arc::clone(&self.parts.oracle);
        let single = |program: &Program| Single::of(&*oracle, program);
        let lists: Vec<BatchJobs> = candidates
            .iter()
            .filter(|candidates| self.shares.should_run(candidates.len()))
            .filter_map(|candidates| {
                BatchJobs::of(single(self.best)?, candidates.iter().map(|candidate| single(candidate)))
            })
            .collect();
        // The first run of each has it compiled.
        let originals = self.run_all(lists.iter().map(|jobs| jobs.job(jobs.original())).collect())?;
        let mut running = Vec::new();
        for (jobs, result) in lists.iter().zip(originals) {
            let refused = jobs.refused(&result);
            for &(candidate, ref error) in &refused {
                self.reject_refused(candidate, error, Duration::ZERO);
            }
            let original = oracle.verdict(&jobs.translated(jobs.original(), result));
            if original.outcome == Outcome::Fail {
                self.shares.not_run = 0;
                running.extend(jobs.candidates().map(|number| (jobs, number)));
            } else if refused.is_empty() {
                self.shares.not_run += 1;
            }
        }
        let results = self.run_all(running.iter().map(|(jobs, number)| jobs.job(*number)).collect())?;
        for ((jobs, number), result) in running.into_iter().zip(results) {
            let result = jobs.translated(number, result);
            let verdict = oracle.verdict(&result);
            if verdict.outcome != Outcome::Fail {
                self.parts.rejected.add(jobs.program(number), verdict, result);
            }
        }
        Ok(())
    }

    fn reject_refused(&self, candidate: ContentHash, error: &str, wall: Duration) {
        let verdict = Verdict::new(Outcome::Unresolved, format!("new {error}"));
        let result = JobResult { failed_step: Some(0), wall, ..JobResult::ended(End::Exited(1)) };
        self.parts.rejected.add(candidate, verdict, result);
    }

    /// Runs jobs, as many at once as there are workers.
    fn run_all(&self, jobs: Vec<Job>) -> Result<Vec<JobResult>, Stop> {
        let dispatch = &self.dispatch;
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
