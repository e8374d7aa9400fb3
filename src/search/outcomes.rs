//! Several candidates at once of which each outcome counts, and not only the first that fails.

use std::collections::VecDeque;

use super::checker::{Checker, Stop};
use super::workers::Way;
use crate::dd::outcome::Outcome;
use crate::event::Observer;
use crate::program::Program;
use crate::state::journal::Journal;

impl Checker {
    /// What is known of `program`.
    #[must_use]
    pub fn known(&self, program: &Program) -> Option<Outcome> {
        self.answers.verdict(program.hash())
    }

    /// How many checks run at once.
    #[must_use]
    pub fn jobs(&self) -> usize {
        self.workers.count()
    }

    /// What is said of `program`, without a shortcut: that it passes is to be as certain as that it fails.
    ///
    /// # Errors
    /// When the search is to stop; not where the answer is known.
    pub fn outcome(&mut self, program: &Program, observer: &mut dyn Observer) -> Result<Outcome, Stop> {
        if let Some(outcome) = self.known(program) {
            self.cache_hits += 1;
            return Ok(outcome);
        }
        self.learn(vec![program.clone()], observer)?;
        Ok(self.known(program).expect("it was just learned"))
    }

    /// Checks `programs`, all at once as far as there are workers, so that each of them is known afterwards.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn learn(&mut self, mut programs: Vec<Program>, observer: &mut dyn Observer) -> Result<(), Stop> {
        programs.retain(|program| self.known(program).is_none());
        let jobs: Vec<_> = programs.iter().map(|program| (program.hash(), self.oracle.job(program))).collect();
        self.proceed()?;
        let mut running: VecDeque<_> = VecDeque::new();
        for (hash, job) in jobs {
            let task = self.task(job, Way::Plain);
            running.push_back((self.workers.submit(task), hash));
        }
        while let Some((ticket, hash)) = running.pop_front() {
            let result = self.wait(ticket);
            if result.is_err() {
                running.iter().for_each(|(ticket, _)| self.workers.cancel(*ticket));
            }
            self.judge(hash, Way::Plain, &result?, Journal::has_checked, observer);
        }
        Ok(())
    }
}
