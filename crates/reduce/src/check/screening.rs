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
use shares::TRIES;

use super::checks::Checks;
use super::dispatch::result;
use super::limits::Stop;
use super::pool::Task;
use super::request::{About, Key, Reply, Source};
use super::speculation::workers;
use crate::exec::job::{End, Job, JobResult, Trust};
use crate::oracle::CompilerJob;
use crate::oracle::Verdict;
use crate::program::{ContentHash, Program};
use mcve_dd::outcome::Outcome;

/// The output of a rejected candidate is kept up to so many bytes: other failures are recognised by it.
const KEPT: usize = 16 * 1024;

/// The number of next candidates to screen, where `best` is the best program; 0 where that does not pay.
pub(crate) fn screening_size(checks: &Checks, best: &Program) -> usize {
    let can_be = checks.least_trust() == Trust::Likely && checks.parts.layers.screening && is_one_file(best);
    let Some(pool) = checks.pool.as_ref().filter(|_| can_be) else { return 0 };
    checks.shares.size(best.text.len()) * pool.board.count
}

/// Compiles `candidates`, variants of `best`, in as many batches as there are workers, and runs those that the compiler accepts. Does
/// nothing where the oracle knows no job that shows errors.
pub(crate) fn screen(checks: &mut Checks, best: &Program, candidates: &[Program]) -> Result<(), Stop> {
    let (shares, workers) = (checks.shares, workers(checks));
    let mut batches = Batches { checks, best };
    let new: Vec<&Program> = candidates.iter().filter(|candidate| !batches.is_known(candidate)).collect();
    let size = new.len().div_ceil(workers).max(1);
    let lists: Vec<&[&Program]> = new.chunks(size).filter(|list| shares.should_compile(list.len())).collect();
    let accepted = batches.compile(&lists)?;
    batches.run(&accepted)
}

/// Batches of variants of the best program.
struct Batches<'c> {
    checks: &'c mut Checks,
    best: &'c Program,
}

impl Batches<'_> {
    fn is_known(&self, candidate: &Program) -> bool {
        let (key, parts) = (Key::verdict(candidate), &self.checks.parts);
        let is_known = parts.known.get(key).is_some() || parts.rejected.get(key).is_some();
        is_known || parts.journal.verdict(key.text, Trust::Likely).is_some()
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
            programs.iter().map(|program| self.checks.oracle().compiler_job(CompilerJob::Errors, program)).collect();
        let Some(jobs) = jobs else {
            self.checks.shares.not_compiled = TRIES;
            return Ok(Vec::new());
        };
        let results = self.run_all(jobs)?;
        let mut accepted = Vec::new();
        for (((candidates, batch), program), result) in candidates.iter().zip(&batches).zip(&programs).zip(results) {
            let refused = jobs::refused(batch, program, &result);
            if refused.contains_key(&batch.original()) || !matches!(result.end, End::Exited(0 | 1)) {
                self.checks.shares.not_compiled += 1;
                continue;
            }
            self.checks.shares.not_compiled = 0;
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
        if self.checks.parts.repetition.is_some() {
            return Ok(());
        }
        let oracle = Arc::clone(self.checks.oracle());
        let single = |program: &Program| Single::of(&*oracle, program);
        let lists: Vec<BatchJobs> = candidates
            .iter()
            .filter(|candidates| self.checks.shares.should_run(candidates.len()))
            .filter_map(|candidates| BatchJobs::of(single(self.best)?, candidates.iter().map(|one| single(one))))
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
                self.checks.shares.not_run = 0;
                running.extend(jobs.candidates().map(|number| (jobs, number)));
            } else if refused.is_empty() {
                self.checks.shares.not_run += 1;
            }
        }
        let results = self.run_all(running.iter().map(|(jobs, number)| jobs.job(*number)).collect())?;
        for ((jobs, number), result) in running.into_iter().zip(results) {
            let result = jobs.translated(number, result);
            let verdict = oracle.verdict(&result);
            if verdict.outcome != Outcome::Fail {
                self.reject(jobs.program(number), verdict, result);
            }
        }
        Ok(())
    }

    fn reject_refused(&self, candidate: ContentHash, error: &str, wall: Duration) {
        let verdict = Verdict::unresolved(format!("new {error}"));
        let result = JobResult { failed_step: Some(0), wall, ..JobResult::ended(End::Exited(1)) };
        self.reject(candidate, verdict, result);
    }

    /// Records that a candidate does not fail.
    fn reject(&self, text: ContentHash, verdict: Verdict, mut result: JobResult) {
        for output in [&mut result.stdout, &mut result.stderr] {
            output.truncate(KEPT);
            output.shrink_to_fit();
        }
        let reply = Reply::of(result, Some(verdict), Trust::Likely, Source::Screening);
        self.checks.parts.rejected.insert(Key { text, about: About::Verdict }, reply);
    }

    /// Runs jobs, as many at once as there are workers.
    fn run_all(&self, jobs: Vec<Job>) -> Result<Vec<JobResult>, Stop> {
        let checks = &*self.checks;
        checks.clock.resume();
        let (limit, trust) = (checks.parts.limit(), Trust::Likely);
        let submit = |job| checks.pool().submit_last(Task { job, trust, limit });
        let tickets: Vec<u64> = jobs.into_iter().map(submit).collect();
        let results: Result<Vec<JobResult>, Stop> = tickets.iter().map(|ticket| result(checks, *ticket)).collect();
        if results.is_err() {
            tickets.iter().for_each(|ticket| checks.pool().cancel(*ticket));
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
