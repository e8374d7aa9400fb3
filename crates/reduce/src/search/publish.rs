//! The best program is written and reported once it is certain.
//!
//! Of three or four candidates of a small program one fails, and to confirm each would cost more than the fork server saves for
//! all of them. So only the last of several steps is confirmed, which holds all the others. A large gain is confirmed at once.

use super::best::Best;
use crate::check::checks::{Checks, Tally};
use crate::check::confirm::confirm;
use crate::check::limits::Stop;
use crate::event::{Event, Observer};
use crate::program::Program;

/// Takes each new best program: writes it where the user wants it.
pub(crate) type Keep<'a> = dyn FnMut(&Program) -> std::io::Result<()> + 'a;

/// After so many answers the best program is confirmed.
const ANSWERS: usize = 32;

/// A gain of so many tokens, and of this share of the program in percent, is confirmed at once: it is worth more than a check.
const TOKENS: usize = 1000;
const SHARE: usize = 25;

/// The gains since the best program was certain.
pub(super) struct Unconfirmed {
    certain: Program,
    /// The number of its tokens.
    tokens: usize,
    /// The events to send once the best program is certain.
    pub(super) events: Vec<Event>,
    /// How many answers there had been when it became certain.
    answers: usize,
}

impl Unconfirmed {
    pub(super) fn since(certain: &Best) -> Self {
        let (tokens, certain) = (certain.measure.tokens, certain.program.clone());
        Self { certain, tokens, events: Vec::new(), answers: 0 }
    }

    /// Whether the best program is certain.
    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Whether to confirm a best program of so many tokens now.
    pub(super) fn is_due(&self, tokens: usize, tally: &Tally) -> bool {
        let gained = self.tokens.saturating_sub(tokens);
        let is_much = gained >= TOKENS && gained * 100 >= self.tokens * SHARE;
        is_much || answers(tally) >= self.answers + ANSWERS
    }

    /// Makes the best program certain, keeps it, sends the events. Stops if the search has to go back to the last certain one.
    pub(super) fn confirm(
        &mut self,
        best: &Best,
        checks: &mut Checks,
        observer: &mut dyn Observer,
        keep: &mut Keep<'_>,
    ) -> Result<(), Stop> {
        if self.is_empty() {
            return Ok(());
        }
        if !confirm(checks, &best.program, observer)? {
            return Err(Stop::Refuted);
        }
        if checks.journal().record_best(best.program.result_hash(), best.measure.tokens) {
            keep(&best.program).map_err(Stop::Output)?;
        }
        self.events.drain(..).for_each(|event| observer.event(&event));
        *self = Self { answers: answers(&checks.tally), ..Self::since(best) };
        Ok(())
    }

    /// Gives up what is not certain, and returns the last program that is; none if the best program is.
    pub(super) fn give_up(&mut self) -> Option<Program> {
        let is_certain = self.is_empty();
        self.events.clear();
        (!is_certain).then(|| self.certain.clone())
    }
}

/// The number of candidates that were run, here or in an earlier run whose journal is known.
fn answers(tally: &Tally) -> usize {
    tally.checks + tally.recalled
}

#[cfg(test)]
mod tests;
