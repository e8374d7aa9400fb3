//! Does the unreduced program fail, and always in the same way?

use std::time::Duration;

use crate::dd::outcome::Outcome;
use crate::event::Observer;
use crate::oracle::Verdict;
use crate::program::Program;
use crate::state::journal::Journal;
use crate::state::record::Teller;

use super::checker::{Checker, Course, Stop};
use super::workers::{Task, Way};

/// How often the unreduced program is run.
pub const RUNS: usize = 3;

/// The timeout of these checks: nothing is known of how long they take.
const TIMEOUT: Duration = Duration::from_secs(3600);

/// Why a program cannot be reduced.
#[derive(Debug)]
pub enum Refusal {
    /// The failure is not there, in any of the runs: why, as the oracle said.
    NotFailing(String),
    /// The failure is there in so many of [`RUNS`] runs only: why not in the others, as the oracle said.
    Flaky(usize, String),
    /// No verdict could be had.
    Stop(Stop),
}

/// Runs the unreduced program [`RUNS`] times; each must fail. If the first does, it will most likely go on by `next`.
///
/// # Errors
/// When it does not fail, or not always.
pub fn baseline(
    checker: &mut Checker,
    program: &Program,
    next: Option<Course>,
    observer: &mut dyn Observer,
) -> Result<(), Refusal> {
    let mut failed = 0;
    let mut reason = None;
    for verdict in checker.check(program, RUNS, next, observer).map_err(Refusal::Stop)? {
        match verdict.outcome {
            Outcome::Fail => failed += 1,
            Outcome::Pass | Outcome::Unresolved => reason = Some(verdict.reason),
        }
    }
    match reason {
        None => Ok(()),
        Some(reason) if failed == 0 => Err(Refusal::NotFailing(reason)),
        Some(reason) => Err(Refusal::Flaky(failed, reason)),
    }
}

impl Checker {
    /// Runs the check of the unreduced program so many times whatever the cache says, at once as far as there are workers and
    /// without a shortcut, and remembers the verdict. What `next` asks is begun before the last of them ends.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn check(
        &mut self,
        program: &Program,
        times: usize,
        mut next: Option<Course>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Verdict>, Stop> {
        let hash = program.hash();
        let mut verdicts = Vec::new();
        while verdicts.len() < times
            && let Some(judged) = self.journal.baseline(hash)
        {
            self.recall(&judged);
            verdicts.push(judged.verdict());
        }
        let timeout = self.limits.timeout.unwrap_or(TIMEOUT);
        let mut tickets = Vec::new();
        for _ in verdicts.len()..times {
            let task = Task { timeout, ..self.task(self.oracle.job(program), Way::Plain) };
            tickets.push(self.workers.submit(task));
        }
        for ticket in tickets {
            let result = self.wait(ticket)?.result;
            if self.answers.told(Teller::Check, hash).is_none() {
                // What it says of the program need not be asked again.
                self.has_told(Teller::Check, hash, &result);
            }
            let verdict = self.judge(hash, Way::Plain, &result, Journal::has_checked_baseline, observer);
            // Not before: how long a check may take depends on the first.
            if let Some(course) = next.take_if(|_| verdict.outcome == Outcome::Fail) {
                self.announce(|| course);
            }
            verdicts.push(verdict);
        }
        Ok(verdicts)
    }
}
