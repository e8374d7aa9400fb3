//! The best program is written and told once it is certain.
//!
//! Of three or four candidates of a small program one fails, and to confirm each would cost more than the fork server saves for
//! all of them. So only the last of several steps is confirmed, which holds all the others. A large gain is confirmed at once.

use crate::check::limits::Stop;
use crate::event::Event;
use crate::program::Program;

use super::engine::Search;

/// After so many answers the best program is confirmed.
const ANSWERS: usize = 32;

/// It is as soon as it has so many tokens less, and this share of them in percent: that is worth more than a check.
const TOKENS: usize = 1000;
const SHARE: usize = 25;

/// What was accepted since the best program was certain.
pub(super) struct Unconfirmed {
    /// The best program that is certain.
    certain: Program,
    /// How many tokens it has.
    tokens: usize,
    /// What will be told.
    events: Vec<Event>,
    /// How many answers there had been when it became certain.
    answers: usize,
}

impl Unconfirmed {
    /// Nothing since `certain`.
    pub(super) fn since(certain: Program) -> Self {
        Self { tokens: certain.measure().tokens, certain, events: Vec::new(), answers: 0 }
    }
}

impl Search<'_> {
    /// Takes what is to be told of the new best program, and sees to it that it is written and told in time.
    pub(super) fn publish(&mut self, gain: Event) -> Result<(), Stop> {
        // A replica writes and tells nothing.
        if self.checks.is_replica() {
            return Ok(());
        }
        self.unconfirmed.events.push(gain);
        self.confirm_in_time()
    }

    /// Tells that a pass is at its end, behind the gains that are to be told before.
    pub(super) fn end_pass(&mut self, pass: &'static str) -> Result<(), Stop> {
        let ((measure, lines), checks) = (self.best().size(), self.checks.tally.checks);
        let end = Event::PassEnded { pass, measure, lines, checks };
        if self.unconfirmed.events.is_empty() {
            self.observer.event(&end);
            return Ok(());
        }
        self.unconfirmed.events.push(end);
        self.confirm_in_time()
    }

    /// How many candidates were run or are known from a run that was cut short: as many in both.
    fn answers(&self) -> usize {
        self.checks.tally.checks + self.checks.tally.recalled
    }

    fn confirm_in_time(&mut self) -> Result<(), Stop> {
        let certain = self.unconfirmed.tokens;
        let gained = certain.saturating_sub(self.measure().tokens);
        let is_much = gained >= TOKENS && gained * 100 >= certain * SHARE;
        let is_due = is_much || self.answers() >= self.unconfirmed.answers + ANSWERS;
        if is_due || self.checks.is_certain(self.best()) { self.confirm() } else { Ok(()) }
    }

    /// Makes the best program certain, which is then written and told.
    ///
    /// # Errors
    /// When the search has to stop, or to go on from the last one that is certain.
    pub fn confirm(&mut self) -> Result<(), Stop> {
        if self.unconfirmed.events.is_empty() {
            return Ok(());
        }
        let best = self.best().clone();
        if !self.checks.confirm(&best, self.observer)? {
            return Err(Stop::Refuted);
        }
        if self.checks.journal().record_best(best.result_hash()) {
            (self.keep)(&best).map_err(Stop::Output)?;
        }
        self.unconfirmed.events.drain(..).for_each(|event| self.observer.event(&event));
        self.unconfirmed = Unconfirmed { answers: self.answers(), ..Unconfirmed::since(best) };
        Ok(())
    }

    /// Ends a search that was stopped: what was found last is confirmed all the same, which takes no longer than a check.
    /// What is not confirmed then is given up.
    pub fn conclude(&mut self) {
        self.checks.lift_limits();
        // Where it cannot be written, neither can what is certain, which is tried next.
        let _ = self.confirm();
        self.fall_back();
    }

    /// Makes the last certain program the best one again, and forgets what was learned since.
    pub fn fall_back(&mut self) {
        if !self.unconfirmed.events.is_empty() {
            self.unconfirmed.events.clear();
            self.replace(self.unconfirmed.certain.clone());
            self.state.forget_candidates();
        }
    }
}

#[cfg(test)]
mod tests;
