//! Does the unreduced program fail, and always in the same way? Does a check that accepts it accept anything? Does the result
//! still fail each time?

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::time::Duration;

use mcve_transforms::{Source, Understanding};

use crate::dd::outcome::Outcome;
use crate::event::{Event, Observer};
use crate::exec::job::{End, JobResult};
use crate::oracle::Verdict;
use crate::program::Program;
use crate::state::journal::Journal;
use crate::state::record::Teller;

use super::checker::{Checker, Course, Stop};
use super::workers::{Task, Way};

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

/// The timeout of the first of these checks: nothing is known of how long they take.
const TIMEOUT: Duration = Duration::from_secs(3600);

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
    checker: &mut Checker,
    program: &Program,
    runs: Runs,
    next: Option<Course>,
    observer: &mut dyn Observer,
) -> Result<(), Refusal> {
    let verdicts = checker.check(program, runs.times, next, observer).map_err(Refusal::Stop)?;
    let Some(other) = verdicts.iter().find(|verdict| verdict.outcome != Outcome::Fail) else { return Ok(()) };
    let reason = other.reason.clone();
    let times = verdicts.iter().filter(|verdict| verdict.outcome == Outcome::Fail).count();
    if times > 0 {
        let runs_made = verdicts.len();
        if !runs.accept_flaky {
            return Err(Refusal::Flaky { times, runs: runs_made, reason });
        }
        let message = format!("the failure is there in {times} of {runs_made} runs only: {reason}");
        observer.event(&Event::Warning { message });
        checker.answers.record_verdict(program.hash(), Outcome::Fail, Duration::ZERO);
        return Ok(());
    }
    let timed_out = End::TimedOut.to_string();
    if verdicts.iter().all(|verdict| verdict.reason == timed_out) {
        return Err(Refusal::TimedOut(checker.limits.timeout.unwrap_or(TIMEOUT)));
    }
    let hash = program.hash();
    let first = checker.answers.told(Teller::Check, hash).or_else(|| checker.journal.told(Teller::Check, hash));
    Err(Refusal::NotFailing(reason, first.map(Box::new)))
}

/// Checks programs that hold nothing. None may fail.
///
/// # Errors
/// When one does, or the search is to stop.
pub fn refuse_trivial(checker: &mut Checker, program: &Program, observer: &mut dyn Observer) -> Result<(), Refusal> {
    let is_rust = Source::parse(&*program.text).understanding() == Understanding::Full;
    let texts = TRIVIAL.iter().filter(|text| (is_rust || text.is_empty()) && text.trim() != program.text.trim());
    for text in texts {
        let trivial = program.with_text(*text);
        let mut candidates = std::iter::once(Some((trivial.clone(), ())));
        if checker.first(&mut candidates, observer).map_err(Refusal::Stop)?.is_some() {
            let result = checker.run(&trivial, Way::Plain).map_err(Refusal::Stop)?;
            // By a shortcut only: that is for the shortcut to be held against.
            if checker.oracle.verdict(&result).outcome == Outcome::Fail {
                return Err(Refusal::Trivial(text, Box::new(result)));
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
    checker: &mut Checker,
    program: &Program,
    observer: &mut dyn Observer,
) -> Result<(usize, usize), Stop> {
    let times = NonZeroUsize::new(LAST_RUNS);
    let verdicts = checker.check(program, times, None, observer)?;
    Ok((verdicts.iter().filter(|verdict| verdict.outcome == Outcome::Fail).count(), verdicts.len()))
}

impl Checker {
    /// Runs the check of a program several times whatever the cache says, at once as far as there are workers and without a
    /// shortcut, and remembers the verdicts. Where `times` says nothing it is [`RUNS`], or [`MORE_RUNS`] where a run is cheap
    /// and may depend on more than the program. What `next` asks is begun before the last of them ends.
    ///
    /// # Errors
    /// When the search is to stop.
    pub(super) fn check(
        &mut self,
        program: &Program,
        times: Option<NonZeroUsize>,
        mut next: Option<Course>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Verdict>, Stop> {
        let hash = program.hash();
        let (fixed, may_vary) = (times.map(NonZeroUsize::get), self.oracle.runs_candidates());
        let runs_after = |wall| fixed.unwrap_or(if may_vary && wall < CHEAP { MORE_RUNS } else { RUNS });
        let mut runs = fixed.unwrap_or(RUNS);
        let mut verdicts = Vec::new();
        while verdicts.len() < runs
            && let Some(judged) = self.journal.baseline(hash)
        {
            self.recall(&judged);
            if verdicts.is_empty() {
                runs = runs_after(judged.wall());
            }
            verdicts.push(judged.verdict());
        }
        let is_known = !self.answers.slowest().is_zero();
        let timeout = if is_known { self.timeout() } else { self.limits.timeout.unwrap_or(TIMEOUT) };
        let mut tickets = VecDeque::new();
        while verdicts.len() < runs {
            while verdicts.len() + tickets.len() < runs {
                let task = Task { timeout, ..self.task(self.oracle.job(program), Way::Plain) };
                tickets.push_back(self.workers.submit(task));
            }
            let Some(ticket) = tickets.pop_front() else { break };
            let result = self.wait(ticket)?;
            if self.answers.told(Teller::Check, hash).is_none() {
                // What it says of the program need not be asked again.
                self.has_told(Teller::Check, hash, &result);
            }
            let verdict = self.judge(hash, Way::Plain, &result, Journal::has_checked_baseline, observer);
            // Not before: how long a check may take depends on the first.
            if let Some(course) = next.take_if(|_| verdict.outcome == Outcome::Fail) {
                self.announce(|| course);
            }
            if verdicts.is_empty() {
                runs = runs_after(result.wall);
            }
            verdicts.push(verdict);
        }
        Ok(verdicts)
    }
}
