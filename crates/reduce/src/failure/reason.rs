//! Looks for the hidden reason of an error, and requires it of candidates as well.

use super::error::FailureError;
use super::held::{Found, FoundOracle, Held};
use super::lookup::Lookup;
use crate::oracle::changed::{Change, FailsChanged, Wrong, reason};
use crate::oracle::diagnostic::{self, DiagnosticOracle};
use crate::oracle::diagnostics::Stderr;
use crate::oracle::wanted::Wanted;
use crate::oracle::{Condition, Oracle};

/// The words of an error about a trait.
const BOUND: &str = "the trait bound `";

/// The most questions about an error.
const MOST: usize = 40;

impl Lookup<'_> {
    /// The failure, with the condition that rustc still gives the same reason, if it gives one on request.
    pub(super) fn with_reason(&self, mut found: Found) -> Result<Found, FailureError> {
        let FoundOracle::Diagnostic(error) = &found.oracle else { return Ok(found) };
        if !error.properties().is_question || !error.failure().words.contains(BOUND) {
            return Ok(found);
        }
        let first = self.result(error)?;
        for change in std::iter::once(Change::SendFuture).chain((0..MOST).map(Change::Implement)) {
            let wrong = Wrong::Error(Box::new(error.clone()));
            let mut oracle = FailsChanged { diagnostic: error.clone(), change, wrong };
            let Ok(asked) = oracle.changed(&found.program, &first) else { continue };
            let result = self.result_of(&error.job(&asked))?;
            if change == Change::SendFuture {
                let diagnostics = Stderr::read(&result.stderr).diagnostics;
                let new = error.new_errors(&diagnostics, &asked);
                let Some(answer) = new.first().filter(|new| new.message.ends_with(reason::NOT_SEND)) else { continue };
                let held = diagnostic::Held::of_chosen(&[answer], &diagnostics, &asked);
                let answer = DiagnosticOracle { held, wanted: Wanted::default(), ..error.clone() };
                oracle.wrong = Wrong::Error(Box::new(answer));
            }
            if oracle.broken(&result, &result).is_none() {
                let reason = oracle.words();
                found.notes.push(format!("kept as well is {reason}, which rustc says once it is asked"));
                found.conditions.push(Held::Changed(Box::new(oracle)));
                break;
            }
        }
        Ok(found)
    }
}
