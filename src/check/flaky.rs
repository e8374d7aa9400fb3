//! A failure that is there in some of the runs only: how often, and whether it still is.
//!
//! A verdict by a sequential test is wrong now and then, and a search makes hundreds. So what the search builds on is tested once
//! more, with other runs, every few answers and at the end, as what the fork server said is.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::checks::Checks;
use super::limits::Stop;
use super::refusal::Refusal;
use super::repeated::Repetition;
use super::request::{About, Key, Reply};
use super::sequential::{Rule, SELDOM};
use crate::dd::outcome::Outcome;
use crate::event::{Event, Observer};
use crate::oracle::Verdict;
use crate::program::Program;

/// How often the unreduced program is run where the failure is there in some of the runs only, and the result at the end.
pub(super) const RATE_RUNS: usize = 20;

/// How often a failure shows that is there in some of the runs only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flaky {
    /// In how many of how many runs the unreduced program failed.
    pub input: (usize, usize),
    /// How many runs all checks took.
    pub runs: usize,
}

/// How often of these answers the failure was there, and why not in the first other one.
pub(super) fn count(replies: &[Reply]) -> (usize, Option<&str>) {
    let times = replies.iter().filter(|reply| reply.outcome() == Outcome::Fail).count();
    let other = replies.iter().find(|reply| reply.outcome() != Outcome::Fail);
    (times, other.and_then(|reply| reply.verdict.as_ref()).map(|verdict| &*verdict.reason))
}

/// Measures how often `program` fails, of which these runs were made, and goes by that rate.
///
/// # Errors
/// When it is less than a fifth, unless that was `accepted`; or the search is to stop.
pub(super) fn measure(
    checks: &mut Checks,
    program: &Program,
    mut replies: Vec<Reply>,
    accepted: bool,
    observer: &mut dyn Observer,
) -> Result<(), Refusal> {
    while replies.len() < RATE_RUNS {
        let reply = checks.run_again(program, replies.len(), RATE_RUNS).map_err(Refusal::Stop)?;
        checks.note(&reply, observer);
        replies.push(reply);
    }
    let (times, reason) = count(&replies);
    let (runs, reason) = (replies.len(), reason.unwrap_or_default().to_owned());
    let rate = times as f64 / runs as f64;
    if rate < SELDOM && !accepted {
        return Err(Refusal::Flaky { times, runs, reason });
    }
    let message = format!(
        "the failure is there in {times} of {runs} runs ({reason}): a candidate counts if it fails nearly as often, by a sequential test"
    );
    observer.event(&Event::Note { message });
    checks.repeat_runs(program, Rule::Ratio(rate), &replies);
    Ok(())
}

impl Checks {
    /// Has each check be as many runs as `rule` takes, from now on. The unreduced program failed in these runs.
    pub(super) fn repeat_runs(&mut self, program: &Program, rule: Rule, replies: &[Reply]) {
        let (input, runs) = ((count(replies).0, replies.len()), Arc::new(AtomicUsize::new(replies.len())));
        self.parts.repetition = Some(Repetition { rule, input, runs });
        // What compiles in the process of another compiler may have its addresses, and with them its luck.
        self.demand_certainty();
        // The workers are for the runs of one check now.
        if let Some(board) = self.speculates() {
            board.forget();
        }
        self.put_layers_again();
        let failing = replies.iter().find(|reply| reply.outcome() == Outcome::Fail);
        failing.iter().for_each(|reply| self.parts.known.record(verdict_on(program), reply));
        self.rechecked.insert(program.hash());
    }

    /// How often the failure shows, where it does not in each run.
    #[must_use]
    pub fn flaky(&self) -> Option<Flaky> {
        let Repetition { input, runs, .. } = self.parts.repetition.as_ref()?;
        Some(Flaky { input: *input, runs: runs.load(Ordering::Relaxed) })
    }

    /// Whether `program`, which was seen to fail, does so in other runs. If not, what was built on since the last time counts no more.
    ///
    /// # Errors
    /// When the search has to stop.
    pub(super) fn recheck(&mut self, rule: Rule, program: &Program, observer: &mut dyn Observer) -> Result<bool, Stop> {
        if self.rechecked.contains(&program.hash()) {
            return Ok(true);
        }
        let mut replies = Vec::new();
        let fails = loop {
            let (times, runs) = (count(&replies).0, replies.len());
            if let Some(fails) = rule.decide(times, runs).filter(|_| runs > 0) {
                break fails;
            }
            // It is a run of a check that was counted.
            replies.push(self.run_again(program, runs, runs + rule.least_left(times, runs))?);
            self.parts.repetition.iter().for_each(|repetition| _ = repetition.runs.fetch_add(1, Ordering::Relaxed));
        };
        let (times, runs) = (count(&replies).0, replies.len());
        let last = replies.pop().expect("there was a run");
        if fails {
            self.rechecked.insert(program.hash());
            let verdict = Some(Verdict::new(Outcome::Fail, "the same failure"));
            self.parts.known.record(verdict_on(program), &Reply { verdict, ..last });
            return Ok(true);
        }
        let reason = format!("it fails in {times} of {runs} runs");
        let message = format!("the best program was run again, and {reason}: the search goes back");
        observer.event(&Event::Note { message });
        self.parts.known.forget_failing(&self.rechecked);
        let verdict = Some(Verdict::new(Outcome::Unresolved, reason));
        self.parts.known.record(verdict_on(program), &Reply { verdict, ..last });
        Ok(false)
    }
}

fn verdict_on(program: &Program) -> Key {
    Key { text: program.hash(), about: About::Verdict }
}

#[cfg(test)]
mod tests;
