//! Does the unreduced program fail, and always in the same way? Does a check that accepts it accept anything? Does the result
//! still fail each time?

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use mcve_transforms::{Source, Understanding};

use crate::dd::outcome::Outcome;
use crate::event::{Event, Observer};
use crate::exec::job::{End, JobResult};
use crate::program::Program;

use super::checks::{Checks, request};
use super::limited::FIRST;
use super::limits::Stop;
use super::request::{About, Key, Query, Reply, Request, Source as From};
use super::speculation::Continuation;

/// How often the unreduced program is run where nothing is said.
pub const RUNS: usize = 3;

/// How often where a run is cheap and may depend on more than the program: a script, a program that is run.
const MORE_RUNS: usize = 5;

/// A run that takes longer is not cheap.
const CHEAP: Duration = Duration::from_secs(1);

/// How often the result is run at the end.
const LAST_RUNS: usize = 3;

/// What hardly shows any failure, so that a check that accepts it accepts anything.
const TRIVIAL: [&str; 2] = ["", "fn main() {}\n"];

/// Why a program cannot be reduced.
#[derive(Debug)]
pub enum Refusal {
    /// The failure is not there, in any of the runs: why, as the oracle said, and what came of the first run.
    NotFailing(String, Option<Box<JobResult>>),
    /// No run ended within this time.
    TimedOut(Duration),
    /// The failure is there in some of the runs only.
    Flaky {
        /// In how many.
        times: usize,
        /// Of how many.
        runs: usize,
        /// Why not in the others, as the oracle said.
        reason: String,
    },
    /// The failure is there for a program that holds nothing: that program, and what came of its check.
    Trivial(&'static str, Box<JobResult>),
    /// No verdict could be had.
    Stop(Stop),
}

/// How the baseline is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Runs {
    /// How often the unreduced program is run; none: as often as it is worth while.
    pub times: Option<NonZeroUsize>,
    /// Whether a failure that is there in some of the runs will do.
    pub accept_flaky: bool,
    /// Whether one will do that a program shows that holds nothing.
    pub accept_trivial: bool,
}

/// Runs the unreduced program several times; each must fail. If the first does, it will most likely go on by `next`.
///
/// # Errors
/// When it does not fail, or not always.
pub fn baseline(
    checks: &mut Checks,
    program: &Program,
    runs: Runs,
    next: Option<Continuation>,
    observer: &mut dyn Observer,
) -> Result<(), Refusal> {
    let replies = checks.repeat(program, runs.times, next, observer).map_err(Refusal::Stop)?;
    let Some(other) = replies.iter().find(|reply| reply.outcome() != Outcome::Fail) else { return Ok(()) };
    let reason = |reply: &Reply| reply.verdict.as_ref().map(|verdict| verdict.reason.clone()).unwrap_or_default();
    let times = replies.iter().filter(|reply| reply.outcome() == Outcome::Fail).count();
    if times > 0 {
        let (runs_made, reason) = (replies.len(), reason(other));
        if !runs.accept_flaky {
            return Err(Refusal::Flaky { times, runs: runs_made, reason });
        }
        let message = format!("the failure is there in {times} of {runs_made} runs only: {reason}");
        observer.event(&Event::Warning { message });
        let key = Key { text: program.hash(), about: About::Verdict };
        replies
            .iter()
            .filter(|reply| reply.outcome() == Outcome::Fail)
            .for_each(|reply| checks.parts.known.record(key, reply));
        return Ok(());
    }
    let timed_out = End::TimedOut.to_string();
    if replies.iter().all(|reply| reason(reply) == timed_out) {
        return Err(Refusal::TimedOut(checks.parts.fixed.unwrap_or(FIRST)));
    }
    let first = replies[0].result.as_deref().cloned();
    Err(Refusal::NotFailing(reason(other), first.map(Box::new)))
}

/// Checks programs that hold nothing. None may fail.
///
/// # Errors
/// When one does, or the search is to stop.
pub fn refuse_trivial(checks: &mut Checks, program: &Program, observer: &mut dyn Observer) -> Result<(), Refusal> {
    let is_rust = Source::parse(&*program.text).understanding() == Understanding::Full;
    let texts = TRIVIAL.iter().filter(|text| (is_rust || text.is_empty()) && text.trim() != program.text.trim());
    for text in texts {
        let trivial = program.with_text(*text);
        let mut candidates = std::iter::once(Some((trivial.clone(), ())));
        if checks.first(&mut candidates, observer).map_err(Refusal::Stop)?.is_some() {
            let job = checks.parts.oracle.job(&trivial);
            let reply = checks.output(Query::Check, &trivial, &job).map_err(Refusal::Stop)?;
            let result = reply.result.expect("who asks for an output gets one");
            // By the fork server only: that is for the fork server to be held against.
            if checks.oracle().verdict(&result).outcome == Outcome::Fail {
                return Err(Refusal::Trivial(text, Box::new(JobResult::clone(&result))));
            }
        }
    }
    Ok(())
}

/// Runs the result again: how often it failed, and of how many runs.
///
/// # Errors
/// When the search is to stop.
pub fn check_again(
    checks: &mut Checks,
    program: &Program,
    observer: &mut dyn Observer,
) -> Result<(usize, usize), Stop> {
    let replies = checks.repeat(program, NonZeroUsize::new(LAST_RUNS), None, observer)?;
    Ok((replies.iter().filter(|reply| reply.outcome() == Outcome::Fail).count(), replies.len()))
}

impl Checks {
    /// Runs the check of a program several times whatever is known, at once as far as there are workers and in fresh processes.
    /// Where `times` says nothing it is [`RUNS`], or [`MORE_RUNS`] where a run is cheap and may depend on more than the program.
    /// What `next` asks is begun before the last of them ends.
    ///
    /// # Errors
    /// When the search has to stop.
    pub(super) fn repeat(
        &mut self,
        program: &Program,
        times: Option<NonZeroUsize>,
        mut next: Option<Continuation>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Reply>, Stop> {
        let (fixed, may_vary) = (times.map(NonZeroUsize::get), self.oracle().runs_candidates());
        let runs_after = |wall| fixed.unwrap_or(if may_vary && wall < CHEAP { MORE_RUNS } else { RUNS });
        let oracle = Arc::clone(&self.parts.oracle);
        let (text, job) = (program.hash(), || oracle.job(program));
        let key = |run| Key { text, about: About::Run(run) };
        let mut runs = fixed.unwrap_or(RUNS);
        let mut replies: Vec<Reply> = Vec::new();
        let mut is_news = !self.journal().has_baseline();
        while replies.len() < runs {
            // Known answers come first.
            if let Some(board) = self.speculates().filter(|_| is_news) {
                (replies.len()..runs).for_each(|run| self.expect_job(&board, key(run), &job));
            }
            let reply = self.ask(&Request { is_aside: true, ..request(key(replies.len()), &job) })?;
            self.note(&reply, observer);
            is_news = reply.source == From::Run;
            // Not before: how long a check may take depends on the first.
            if let Some(next) = next.take_if(|_| is_news && reply.outcome() == Outcome::Fail) {
                self.set_continuation(|| next);
            }
            if replies.is_empty() {
                runs = runs_after(reply.wall);
            }
            replies.push(reply);
        }
        Ok(replies)
    }
}
