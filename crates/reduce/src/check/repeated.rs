//! The layer of repeated runs: if the failure shows in some of the runs only, a check is as many runs as its verdict takes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::dispatch::Modes;
use super::limits::Stop;
use super::pool::Board;
use super::request::{About, Check, Key, Reply, Request};
use super::sequential::Rule;
use crate::exec::job::{End, Trust};
use crate::oracle::Verdict;
use mcve_dd::outcome::Outcome;

/// The repetition of runs. Clones share the count.
#[derive(Clone)]
pub(super) struct Repetition {
    /// The rule by which a program counts as failing.
    pub(super) rule: Rule,
    /// In how many of how many runs the unreduced program failed.
    pub(super) input: (usize, usize),
    /// Whether it passed in the others, so that a candidate has to, too.
    pub(super) passes_otherwise: bool,
    /// The number of runs so far.
    pub(super) runs: Arc<AtomicUsize>,
}

impl Repetition {
    /// How often the failure shows.
    pub(super) fn rate(&self) -> Flaky {
        Flaky { input: self.input, runs: self.runs.load(Ordering::Relaxed) }
    }
}

/// How often a failure shows that shows in some of the runs only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flaky {
    /// In how many of how many runs the unreduced program failed.
    pub input: (usize, usize),
    /// The number of runs of all checks.
    pub runs: usize,
}

/// Begins runs that are needed in any case, as far as there are workers.
pub(super) struct ParallelRuns {
    pub(super) board: Arc<Board>,
    pub(super) modes: Modes,
}

/// Asks for a verdict as often as it takes. All these runs are one check.
pub(super) struct Repeated {
    /// Answers for each run.
    pub(super) below: Box<dyn Check>,
    pub(super) repetition: Repetition,
    /// Begins runs before they are asked for; none where one job runs at once.
    pub(super) parallel: Option<ParallelRuns>,
}

impl Repeated {
    fn begin(&self, request: &Request<'_>, runs: std::ops::Range<usize>) {
        let Some(ParallelRuns { board, modes }) = &self.parallel else { return };
        for run in runs.take(board.count) {
            let request = run_of(request, run);
            board.expect(request.key, || modes.task(&request));
        }
    }

    /// Cancels the runs from `first` on, which are not needed.
    fn cancel(&self, request: &Request<'_>, first: usize) {
        let Some(ParallelRuns { board, .. }) = &self.parallel else { return };
        (first..first + board.count).for_each(|run| board.cancel(run_of(request, run).key));
    }
}

/// The question for one run, out of band.
fn run_of<'a>(request: &Request<'a>, run: usize) -> Request<'a> {
    let key = Key { about: About::Run(run), ..request.key };
    Request { key, trust: Trust::Certain, out_of_band: true, ..*request }
}

/// Whether no other run can fail: this one was not compiled or did not end, and that is not the failure.
fn is_hopeless(reply: &Reply) -> bool {
    let Some(result) = &reply.result else { return false };
    reply.outcome() != Outcome::Fail && (result.failed_step.is_some() || result.end == End::TimedOut)
}

impl Check for Repeated {
    fn ask(&mut self, request: &Request<'_>) -> Result<Reply, Stop> {
        if request.key.about != About::Verdict || request.given.is_some() {
            return self.below.ask(request);
        }
        let rule = self.repetition.rule;
        let (mut failing, mut other): (Option<Reply>, Option<Reply>) = (None, None);
        let mut times = 0;
        for run in 0.. {
            // Whether it is compiled at all is seen by the first.
            let needed = if run == 0 { 1 } else { rule.least_left(times, run) };
            self.begin(request, run..run + needed);
            let reply = self.below.ask(&run_of(request, run))?;
            self.repetition.runs.fetch_add(1, Ordering::Relaxed);
            let is_hopeless = times == 0 && is_hopeless(&reply);
            if reply.outcome() == Outcome::Fail {
                times += 1;
                // Limits are learned from the slowest.
                failing = failing.filter(|slowest| slowest.wall >= reply.wall).or(Some(reply));
            } else if other.as_ref().is_none_or(|other| other.outcome() == Outcome::Pass) {
                // A program passes if nothing else was said of it.
                other = Some(reply);
            }
            let decided = if is_hopeless { Some(false) } else { rule.decide(times, run + 1) };
            let Some(fails) = decided else { continue };
            self.cancel(request, run + 1);
            let is_other = |other: &Reply| self.repetition.passes_otherwise && other.outcome() != Outcome::Pass;
            let reason = match (fails, &other) {
                (true, Some(other)) if is_other(other) => Some("its other runs do not pass".to_owned()),
                (false, _) if times > 0 => Some(Rule::describe_rejection(times, run + 1)),
                _ => None,
            };
            let mut reply = if fails { failing.or(other) } else { other.or(failing) }.expect("there was a run");
            if let Some(reason) = reason {
                reply.verdict = Some(Verdict::new(Outcome::Unresolved, reason));
            }
            return Ok(reply);
        }
        unreachable!("a rule decides after a number of runs")
    }
}
