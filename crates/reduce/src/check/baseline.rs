//! Checks before and after the search: the unreduced program fails, a trivial program does not, and the result still fails.

use std::num::NonZeroUsize;
use std::str::FromStr;
use std::sync::Arc;

use mcve_transforms::{Source, Understanding};

use crate::event::{Event, Observer};
use crate::exec::job::{End, JobResult};
use crate::program::Program;
use mcve_dd::outcome::Outcome;

use super::checks::{Checks, Continuation};
use super::flaky::{hold_rate, is_too_seldom, rate, repeat_runs, run_on, turns_out_flaky};
use super::limits::Stop;
use super::refusal::Refusal;
use super::request::{Key, Reply};
use super::rerun::{count, repeat};
use super::sequential::Rule;

/// The number of runs of the result at the end.
const LAST_RUNS: usize = 3;

/// Programs that show hardly any failure: a check that accepts one accepts anything.
const TRIVIAL: [&str; 2] = ["", "fn main() {}\n"];

/// The runs of the unreduced program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Runs {
    /// The number of runs, and how many have to fail.
    pub times: Times,
    /// Whether to refuse a failure that shows in some of the runs only, where `times` is measured.
    pub refuse_flaky: bool,
    /// Whether to accept a failure that shows in some of the runs only.
    pub accept_flaky: bool,
    /// Whether to accept a failure that a trivial program shows.
    pub accept_trivial: bool,
}

/// How often a program is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Times {
    /// A few times; the unreduced program more often if it does not fail each time.
    #[default]
    Measured,
    /// This number of times, and it has to fail each time.
    Each(NonZeroUsize),
    /// It fails if so many of so many runs fail; the same holds for each candidate.
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

/// Runs the unreduced program several times. All runs must fail, or as many as `runs` says; without a number it is run on where not all
/// fail, and one has to. If the first one fails, the jobs of `next` are begun.
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
    let mut replies = repeat(checks, program, times, next, observer)?;
    if runs.times == Times::Measured && !runs.refuse_flaky {
        run_on(checks, program, &mut replies, observer)?;
    }
    let (times, reason) = count(&replies);
    let reason = reason.map(str::to_owned);
    checks.input = Some((program.clone(), Arc::clone(checks.oracle())));
    if times == 0 {
        return Err(not_failing(checks, &replies, reason));
    }
    let refusal = |reason: String| Refusal::Flaky { times, runs: replies.len(), reason };
    match (runs.times, reason) {
        (Times::Share { needed, .. }, Some(reason)) if times < needed && !runs.accept_flaky => Err(refusal(reason)),
        (Times::Share { needed, runs }, _) => {
            repeat_runs(checks, program, Rule::Share { needed, runs }, &replies);
            Ok(())
        }
        (_, None) => Ok(()),
        (Times::Measured, Some(_)) if !runs.refuse_flaky && (runs.accept_flaky || !is_too_seldom(&replies)) => {
            hold_rate(checks, program, &replies, observer);
            Ok(())
        }
        (_, Some(reason)) if !runs.accept_flaky => Err(refusal(reason)),
        (_, Some(reason)) => {
            let message = format!("the failure is there in {times} of {} runs only: {reason}", replies.len());
            observer.event(&Event::Warning { message });
            let failing = replies.iter().filter(|reply| reply.outcome() == Outcome::Fail);
            failing.for_each(|reply| checks.parts.known.record(Key::verdict(program), reply));
            Ok(())
        }
    }
}

fn not_failing(checks: &Checks, replies: &[Reply], reason: Option<String>) -> Refusal {
    let timed_out = End::TimedOut.to_string();
    if replies.iter().all(|reply| reply.verdict.as_ref().is_some_and(|verdict| verdict.reason == timed_out)) {
        return Refusal::TimedOut(checks.parts.limit());
    }
    let first = replies[0].result.as_deref().cloned();
    let reason = format!("{} ({} runs)", reason.unwrap_or_default(), replies.len());
    Refusal::NotFailing(reason, first.map(Box::new))
}

/// Checks trivial programs. None may fail.
pub(crate) fn refuse_trivial(
    checks: &mut Checks,
    program: &Program,
    observer: &mut dyn Observer,
) -> Result<(), Refusal> {
    let is_rust = Source::parse(&*program.text).understanding() == Understanding::Full;
    let texts = TRIVIAL.iter().filter(|text| (is_rust || text.is_empty()) && text.trim() != program.text.trim());
    for text in texts {
        let trivial = program.with_text(*text);
        checks.proceed()?;
        if checks.outcome(&trivial, observer)? == Outcome::Fail {
            let result = checks.result(&trivial)?;
            // By the fork server only: that is for the fork server to be held against. One of several runs says nothing.
            if checks.flaky().is_some() || checks.oracle().verdict(&result).outcome == Outcome::Fail {
                return Err(Refusal::Trivial(text, Box::new(JobResult::clone(&result))));
            }
        }
    }
    Ok(())
}

/// Runs the result again, more often if the failure shows only sometimes. Returns how many runs failed, and their number.
pub(crate) fn check_again(
    checks: &mut Checks,
    program: &Program,
    observer: &mut dyn Observer,
) -> Result<(usize, usize), Stop> {
    if checks.parts.repetition.is_none() {
        let replies = repeat(checks, program, NonZeroUsize::new(LAST_RUNS), None, observer)?;
        let (times, runs) = (count(&replies).0, replies.len());
        if times == runs || !turns_out_flaky(checks, observer)? {
            return Ok((times, runs));
        }
    }
    rate(checks, program)
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
