//! Does the unreduced program fail, and always in the same way? Does a check that accepts it accept anything? Does the result
//! still fail each time?

use std::num::NonZeroUsize;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use mcve_transforms::{Source, Understanding};

use crate::dd::outcome::Outcome;
use crate::event::{Event, Observer};
use crate::exec::job::{End, JobResult};
use crate::program::Program;

use super::checks::{Checks, request};
use super::flaky::{RATE_RUNS, count, measure};
use super::limited::FIRST;
use super::limits::Stop;
use super::request::{About, Key, Query, Reply, Request, Source as From};
use super::sequential::Rule;
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
    /// How often the unreduced program is run, and in how many of these runs it has to fail.
    pub times: Times,
    /// Whether a failure that is there in some of the runs only is refused, where nothing is said of that.
    pub refuse_flaky: bool,
    /// Whether a failure that is there in some of the runs will do.
    pub accept_flaky: bool,
    /// Whether one will do that a program shows that holds nothing.
    pub accept_trivial: bool,
}

/// How often a program is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Times {
    /// As often as it is worth while; the unreduced program more often, if it does not fail each time.
    #[default]
    Measured,
    /// So often, and it has to fail each time.
    Each(NonZeroUsize),
    /// It fails if so many of so many runs fail, and so does each candidate.
    Share {
        /// How many have to fail.
        needed: usize,
        /// Of how many.
        runs: usize,
    },
}

impl FromStr for Times {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse::<NonZeroUsize>().map_err(|error| format!("`{text}`: {error}"));
        let Some((needed, runs)) = text.split_once('/') else { return number(text).map(Self::Each) };
        let (needed, runs) = (number(needed)?.get(), number(runs)?.get());
        if needed > runs {
            Err(format!("of {runs} runs, {needed} cannot fail"))
        } else {
            Ok(Self::Share { needed, runs })
        }
    }
}

/// Runs the unreduced program several times; each must fail, or so many as `runs` says. If the first does, it will most likely go on
/// by `next`.
///
/// # Errors
/// When it does not fail, or not often enough.
pub fn baseline(
    checks: &mut Checks,
    program: &Program,
    runs: Runs,
    next: Option<Continuation>,
    observer: &mut dyn Observer,
) -> Result<(), Refusal> {
    let times = match runs.times {
        Times::Measured => None,
        Times::Each(times) => Some(times),
        Times::Share { runs, .. } => NonZeroUsize::new(runs),
    };
    let replies = checks.repeat(program, times, next, observer).map_err(Refusal::Stop)?;
    let (times, reason) = count(&replies);
    let reason = reason.map(str::to_owned);
    if times == 0 {
        return Err(not_failing(checks, &replies, reason));
    }
    let refusal = |reason: String| Refusal::Flaky { times, runs: replies.len(), reason };
    match (runs.times, reason) {
        (Times::Share { needed, .. }, Some(reason)) if times < needed && !runs.accept_flaky => Err(refusal(reason)),
        (Times::Share { needed, runs }, _) => {
            checks.repeat_runs(program, Rule::Share { needed, runs }, &replies);
            Ok(())
        }
        (_, None) => Ok(()),
        (Times::Measured, Some(_)) if !runs.refuse_flaky => {
            measure(checks, program, replies, runs.accept_flaky, observer)
        }
        (_, Some(reason)) if !runs.accept_flaky => Err(refusal(reason)),
        (_, Some(reason)) => {
            let message = format!("the failure is there in {times} of {} runs only: {reason}", replies.len());
            observer.event(&Event::Warning { message });
            let key = Key { text: program.hash(), about: About::Verdict };
            let failing = replies.iter().filter(|reply| reply.outcome() == Outcome::Fail);
            failing.for_each(|reply| checks.parts.known.record(key, reply));
            Ok(())
        }
    }
}

/// Why a program cannot be reduced that failed in no run.
fn not_failing(checks: &Checks, replies: &[Reply], reason: Option<String>) -> Refusal {
    let timed_out = End::TimedOut.to_string();
    if replies.iter().all(|reply| reply.verdict.as_ref().is_some_and(|verdict| verdict.reason == timed_out)) {
        return Refusal::TimedOut(checks.parts.fixed.unwrap_or(FIRST));
    }
    let first = replies[0].result.as_deref().cloned();
    Refusal::NotFailing(reason.unwrap_or_default(), first.map(Box::new))
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
            // By the fork server only: that is for the fork server to be held against. One of several runs says nothing.
            if checks.flaky().is_some() || checks.oracle().verdict(&result).outcome == Outcome::Fail {
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
    let runs = if checks.flaky().is_some() { RATE_RUNS } else { LAST_RUNS };
    let replies = checks.repeat(program, NonZeroUsize::new(runs), None, observer)?;
    Ok((count(&replies).0, replies.len()))
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
        let (fixed, may_vary) = (times.map(NonZeroUsize::get), self.oracle().advice().properties().runs_candidates);
        let runs_after = |wall| fixed.unwrap_or(if may_vary && wall < CHEAP { MORE_RUNS } else { RUNS });
        let mut runs = fixed.unwrap_or(RUNS);
        let mut replies: Vec<Reply> = Vec::new();
        while replies.len() < runs {
            let reply = self.run_again(program, replies.len(), runs)?;
            self.note(&reply, observer);
            // Not before: how long a check may take depends on the first.
            let is_news = reply.source == From::Run;
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

    /// Runs the check of a program whatever is known: the one of this number. Those of other numbers up to `wanted` are begun
    /// meanwhile.
    ///
    /// # Errors
    /// When the search has to stop.
    pub(super) fn run_again(&mut self, program: &Program, number: usize, wanted: usize) -> Result<Reply, Stop> {
        let oracle = Arc::clone(&self.parts.oracle);
        let (text, job) = (program.hash(), || oracle.job(program));
        let key = |run| Key { text, about: About::Run(run) };
        // Known answers come first.
        if let Some(board) = self.speculates().filter(|_| !self.journal().has_baseline()) {
            (number..wanted).for_each(|run| self.expect_job(&board, key(run), &job));
        }
        self.ask(&Request { is_aside: true, ..request(key(number), &job) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_a_number_or_a_share() {
        let three = NonZeroUsize::new(3).expect("it is not zero");
        assert_eq!("3".parse(), Ok(Times::Each(three)));
        assert_eq!("3/5".parse(), Ok(Times::Share { needed: 3, runs: 5 }));
        for text in ["", "0", "0/5", "6/5", "3/", "/5", "a", "1/2/3"] {
            assert!(text.parse::<Times>().is_err(), "{text}");
        }
    }
}
