//! Staged checks: before a script or command is run on a candidate, a compiler is asked about it, which is cheaper. Where it
//! says the same as of a candidate on which the check was run and did not fail, and of none that failed, the check is spared.
//!
//! So nothing is assumed of what a script looks at: which compiler errors it minds, it shows itself. The proof runs every check.

use super::checker::{Checker, Stop};
use super::workers::{Answer, Screen};
use crate::dd::outcome::Outcome;
use crate::event::{Event, Observer};
use crate::exec::job::JobResult;
use crate::oracle::hints;
use crate::oracle::signature::Signature;
use crate::program::{ContentHash, Program};
use crate::state::record::Teller;

/// How many times as long as the compiler a check must take for it to be asked, where both see that a program is broken: half of
/// the candidates are spared their check, but the others take both.
const DEARER: u32 = 3;

/// So many broken programs must take that long.
const LOOKS: usize = 2;

impl Checker {
    /// Has a compiler asked before checks from now on, if one is known and checks in vain are dear: that of `program`, which
    /// fails, where it is broken.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn try_screening(&mut self, program: &Program) -> Result<(), Stop> {
        // A check that was held up once by something else is not dear.
        let is_dear = (1..=LOOKS).all(|look| {
            let broken = program.with_text(format!("{}\n{}", program.text, "}".repeat(look)));
            self.is_dear(&broken).unwrap_or(false)
        });
        if is_dear && let Some(signature) = self.complaint(program).as_ref().and_then(Signature::of) {
            self.answers.has_signature(signature, Outcome::Fail);
            self.screens = true;
        }
        self.proceed()
    }

    /// Whether the check of a program is dear.
    fn is_dear(&mut self, program: &Program) -> Option<bool> {
        let quick = self.complaint(program)?;
        let check = self.ask(Teller::Check, program, self.oracle.job(program))?;
        Some(quick.wall * DEARER <= check.wall)
    }

    /// What a compiler says of a program.
    fn complaint(&mut self, program: &Program) -> Option<JobResult> {
        let job = hints::plain(self.oracle.screen()?, program);
        self.ask(Teller::Screen, program, job)
    }

    /// What is run before the check of a candidate.
    pub(super) fn screen(&self, program: &Program) -> Option<Screen> {
        let rustc = self.oracle.screen().filter(|_| self.screens)?;
        Some(Screen { job: hints::plain(rustc, program), answers: self.answers.clone() })
    }

    /// What came of the check of a candidate means, as far as is known now.
    pub(super) fn outcome_of(&self, answer: &Answer) -> Outcome {
        if self.is_hopeless(answer.signature) {
            Outcome::Unresolved
        } else {
            self.oracle.verdict(&answer.result).outcome
        }
    }

    /// Whether a candidate is known to be not worth its check.
    pub(super) fn is_screened(&mut self, text: ContentHash) -> bool {
        if !self.screens {
            return false;
        }
        if self.answers.is_screened(text) {
            self.cache_hits += 1;
            return true;
        }
        let is_recalled = self.is_hopeless(self.journal.signature(text));
        if is_recalled && self.ahead.is_none() {
            self.recalled += 1;
            self.answers.has_screened(text);
        }
        is_recalled
    }

    /// Takes notice of what a compiler says of a candidate; whether that makes its check unnecessary.
    ///
    /// What was had of it earlier does not count then, so that it does not matter how early it was had.
    pub(super) fn screen_out(&mut self, text: ContentHash, answer: &Answer, observer: &mut dyn Observer) -> bool {
        let Some(signature) = answer.signature else { return false };
        self.journal.has_signature(text, signature);
        let is_hopeless = self.is_hopeless(Some(signature));
        if is_hopeless {
            self.screened += 1;
            self.answers.has_screened(text);
            observer.event(&Event::Screened);
        }
        is_hopeless
    }

    /// Learns from the outcome for a candidate of this signature.
    pub(super) fn learn_from(&mut self, signature: Option<Signature>, outcome: Outcome) {
        if let Some(signature) = signature.filter(|_| self.screens) {
            self.answers.has_signature(signature, outcome);
        }
    }

    fn is_hopeless(&self, signature: Option<Signature>) -> bool {
        self.screens && signature.is_some_and(|signature| self.answers.is_hopeless(signature))
    }
}

#[cfg(test)]
mod tests;
