//! Shortcuts of an executor: what was found by one is confirmed without it before it is written or told.
//!
//! Of three or four candidates of a small program one fails, and its confirmation costs more than the shortcut spares for
//! all of them. So it is only the last of several steps that is confirmed, which holds all the others.

use super::checker::{Checker, Limits, Stop};
use super::engine::Search;
use super::tried::Tried;
use super::workers::Way;
use crate::dd::outcome::Outcome;
use crate::event::{Event, Observer};
use crate::exec::shortcut::Shortcut;
use crate::program::Program;

/// For so many checks steps may stay unconfirmed.
const CHECKS: usize = 32;

/// What was accepted by a shortcut since the best program was certain.
pub(super) struct Unconfirmed {
    /// The best program that is certain.
    certain: Program,
    /// What will be told.
    events: Vec<Event>,
    /// How many checks had been made when it became certain.
    checks: usize,
}

impl Unconfirmed {
    /// Nothing since `certain`.
    pub(super) fn since(certain: Program) -> Self {
        Self { certain, events: Vec::new(), checks: 0 }
    }
}

impl Search<'_> {
    /// Takes what is to be told of the new best program, and sees to it that it is written and told in time.
    pub(super) fn gained(&mut self, gain: Event) -> Result<(), Stop> {
        // What runs ahead writes and tells nothing.
        if self.checker.ahead.is_some() {
            return Ok(());
        }
        self.unconfirmed.events.push(gain);
        self.confirm_in_time()
    }

    /// Tells that a pass is at its end, behind the gains that are to be told before.
    pub(super) fn ended(&mut self, pass: &'static str) -> Result<(), Stop> {
        let (measure, lines, checks) = (self.measure(), self.lines(), self.checker.checks);
        let end = Event::PassEnded { pass, measure, lines, checks };
        if self.unconfirmed.events.is_empty() {
            self.observer.event(&end);
            return Ok(());
        }
        self.unconfirmed.events.push(end);
        self.confirm_in_time()
    }

    fn confirm_in_time(&mut self) -> Result<(), Stop> {
        let is_due = self.checker.checks >= self.unconfirmed.checks + CHECKS;
        if is_due || self.checker.is_certain(self.best()) { self.confirm() } else { Ok(()) }
    }

    /// Makes the best program certain, which is then written and told.
    ///
    /// # Errors
    /// When the search is to stop, or to go on from the last one that is certain.
    pub fn confirm(&mut self) -> Result<(), Stop> {
        if self.unconfirmed.events.is_empty() {
            return Ok(());
        }
        let best = self.best().clone();
        if !self.checker.confirm(&best, self.observer)? {
            return Err(Stop::Refuted);
        }
        if self.checker.journal.keeps(best.hash()) {
            (self.keep)(&best).map_err(Stop::Output)?;
        }
        self.unconfirmed.events.drain(..).for_each(|event| self.observer.event(&event));
        (self.unconfirmed.certain, self.unconfirmed.checks) = (best, self.checker.checks);
        Ok(())
    }

    /// Ends a search that was stopped: what was found last is confirmed all the same, which takes no longer than a check.
    /// What is not confirmed then is given up.
    pub fn conclude(&mut self) {
        let timeout = self.checker.limits.timeout;
        self.checker.limits = Limits { timeout, ..Limits::default() };
        // Where it cannot be written, neither can what is certain, which is tried next.
        let _ = self.confirm();
        self.fall_back();
    }

    /// Makes the last certain program the best one again, and forgets what was learnt since.
    pub fn fall_back(&mut self) {
        if !self.unconfirmed.events.is_empty() {
            self.unconfirmed.events.clear();
            self.replace(self.unconfirmed.certain.clone());
            (self.state.tried, self.state.proves) = (Tried::default(), false);
        }
    }
}

impl Checker {
    /// Closes the executor's shortcut, if it has one, unless it serves `program`, which fails, and that fails by it as well: no
    /// candidate would.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn try_shortcut(&mut self, program: &Program, observer: &mut dyn Observer) -> Result<(), Stop> {
        if self.has_shortcut() {
            let result = self.run(program, Way::Quick)?;
            let verdict = self.oracle.verdict(&result);
            if verdict.outcome != Outcome::Fail {
                self.close_shortcut(format!("the failure is not the same there: {}", verdict.reason));
            } else if !self.executor.shortcut().is_some_and(Shortcut::was_taken) {
                self.close_shortcut("a check has no use for it".to_owned());
            }
        }
        self.tell(observer);
        Ok(())
    }

    /// Whether what is known of `program` is so without a shortcut.
    pub(super) fn is_certain(&self, program: &Program) -> bool {
        !self.uncertain.contains(&program.hash())
    }

    /// Whether `program`, which was seen to fail, fails without a shortcut. If not, the shortcut is closed and all verdicts
    /// are forgotten.
    ///
    /// It is no check of its own: the same are counted where there is no shortcut.
    fn confirm(&mut self, program: &Program, observer: &mut dyn Observer) -> Result<bool, Stop> {
        if self.is_certain(program) {
            return Ok(true);
        }
        let result = self.run(program, Way::Plain)?;
        let verdict = self.oracle.verdict(&result);
        self.journal.has_checked(program.hash(), &verdict, &result);
        if verdict.outcome == Outcome::Fail {
            self.uncertain.remove(&program.hash());
            return Ok(true);
        }
        self.close_shortcut(format!("a candidate failed there only: {}", verdict.reason));
        self.tell(observer);
        self.answers.forget_verdicts();
        self.workers.board.forget();
        self.uncertain.clear();
        Ok(false)
    }

    /// Whether checks are to be run by a shortcut.
    pub(super) fn has_shortcut(&self) -> bool {
        self.hurries && self.executor.shortcut().is_some_and(Shortcut::is_open)
    }

    fn close_shortcut(&self, why: String) {
        if let Some(shortcut) = self.executor.shortcut() {
            shortcut.close(why);
        }
    }

    /// Tells once that the shortcut was closed, by whomever.
    pub(super) fn tell(&mut self, observer: &mut dyn Observer) {
        if !self.told
            && let Some(reason) = self.executor.shortcut().and_then(Shortcut::closed)
        {
            self.told = true;
            observer.event(&Event::ShortcutClosed { reason: reason.to_owned() });
        }
    }
}

#[cfg(test)]
mod tests;
