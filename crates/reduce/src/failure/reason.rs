//! Looks for the hidden reason of an error, and requires it of candidates as well.

use super::error::FailureError;
use super::held::{Found, FoundOracle, Held};
use super::lookup::Lookup;
use super::note::Note;
use crate::exec::cancel::Cancel;
use crate::oracle::Oracle;
use crate::oracle::changed::{Change, ChangedOracle, Wrong, reason};
use crate::oracle::diagnostic::{self, DiagnosticOracle};
use crate::oracle::diagnostics::Stderr;
use crate::oracle::wanted::Wanted;

impl Lookup<'_> {
    /// The failure, with the condition that rustc still gives the same reason, if it gives one on request.
    pub(super) fn with_reason(&self, mut found: Found, cancel: &Cancel) -> Result<Found, FailureError> {
        let FoundOracle::Diagnostic(error) = &found.oracle else { return Ok(found) };
        let asked =
            reason::asked(&found.program, &error.failure().words).filter(|_| error.advice().properties().is_question);
        let Some(asked) = asked else { return Ok(found) };
        let result = self.result_of(&error.job(&asked), cancel)?;
        let diagnostics = Stderr::read(&result.stderr).diagnostics;
        let new = error.new_errors(&diagnostics, &asked);
        if let [answer] = new[..]
            && reason::is_answer(answer)
        {
            let held = diagnostic::Held::of_chosen(&[answer], &diagnostics, &asked);
            let answer = DiagnosticOracle { held, wanted: Wanted::default(), ..error.clone() };
            let wrong = Wrong::Error(Box::new(answer));
            let oracle = ChangedOracle { diagnostic: error.clone(), change: Change::SendFuture, wrong };
            found.notes.push(Note::Reason(oracle.failure().words));
            found.conditions.push(Held {
                config: None,
                oracle: FoundOracle::Changed(Box::new(oracle)),
                is_negated: false,
            });
        }
        Ok(found)
    }
}
