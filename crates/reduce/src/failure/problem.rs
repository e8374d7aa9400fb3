//! A program and the failure to keep: the input of every mode.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::error::{Cause, Class, FailureError};
use super::subject::Subject;
use crate::check::baseline::Runs;
use crate::check::refusal::Refusal;
use crate::event::{Event, Observer};
use crate::exec::job::Executor;
use crate::oracle::{FailureId, Oracle};
use crate::program::Program;
use crate::session::Session;

/// A program, the failure to keep, and how that is checked.
pub struct Problem {
    /// The unreduced program, with the compiler arguments that belong to it.
    pub program: Program,
    /// Judges candidates: the failure, with its conditions.
    pub oracle: Arc<dyn Oracle>,
    /// Runs checks: in forks of the compiler if that is all they run, and the session allows it.
    pub executor: Arc<dyn Executor>,
    /// How the program is checked at the start.
    pub runs: Runs,
    /// Notes on how the failure was found.
    pub notes: Vec<String>,
}

/// A refusal, and information that helps to understand it.
#[derive(Debug)]
pub struct Refused {
    /// The reason.
    pub refusal: Refusal,
    /// The file.
    pub file: PathBuf,
    /// The failure, in words.
    pub failure: String,
    /// The command that checks the program by hand.
    pub command: String,
    /// Whether candidates run in a sandbox, which may have denied them something.
    pub is_confined: bool,
}

impl Problem {
    /// Checks that candidates run only in a sandbox, and reports the notes.
    ///
    /// # Errors
    /// When candidates are to be run, and no sandbox keeps them from writing to the user's files.
    pub fn begin(&self, session: &Session, observer: &mut dyn Observer) -> Result<(), FailureError> {
        let runs_candidates = self.oracle.properties().runs_candidates;
        admit(session, runs_candidates)?;
        let notes = self.notes.iter().cloned().chain(session.lacking(runs_candidates));
        notes.for_each(|message| observer.event(&Event::Note { message }));
        Ok(())
    }

    /// Reports the failure, which the program has shown, and its size.
    pub fn report(&self, observer: &mut dyn Observer) {
        let FailureId { words: failure, fingerprint } = self.oracle.failure();
        let (size, shown) = (self.program.size(), self.oracle.failures());
        let (unit, program) = (self.program.language.unit(), self.program.clone());
        observer.event(&Event::Baseline { failure, fingerprint, shown, size, unit, program });
    }

    /// The refusal of the program, with information that helps to understand it.
    pub fn refused(&self, refusal: Refusal, subject: &Subject<'_>, session: &Session) -> Refused {
        Refused {
            refusal,
            file: subject.file.to_owned(),
            failure: self.oracle.failure().words,
            command: subject.by_hand(&|path| self.oracle.command(&self.program, path)),
            is_confined: session.held().is_some() && self.oracle.properties().runs_candidates,
        }
    }
}

/// Checks that candidates run only in a sandbox.
///
/// # Errors
/// When candidates are to be run, and no sandbox keeps them from writing to the user's files.
pub fn admit(session: &Session, runs_candidates: bool) -> Result<(), FailureError> {
    let is_held = session.held().is_none_or(|held| held.files);
    if runs_candidates && !is_held { Err(Cause::NoSandbox.into()) } else { Ok(()) }
}

impl Refused {
    /// The class of the error, by what the user can do.
    pub fn class(&self) -> Class {
        match &self.refusal {
            Refusal::NotFailing(..) | Refusal::TimedOut(_) => Class::NotFailing,
            Refusal::Flaky { .. } => Class::Flaky,
            Refusal::Trivial(..) | Refusal::FixedFails(_) => Class::Usage,
            Refusal::Stop(stop) => Class::of_stop(stop),
        }
    }
}

/// Without advice for the user of the command.
impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { refusal, file, failure, .. } = self;
        let file = file.display();
        match refusal {
            Refusal::NotFailing(reason, output) => {
                write!(f, "{file} does not show the failure ({failure}): {reason}")?;
                output.iter().try_for_each(|result| write!(f, "\nit printed:\n{}", result.excerpt()))
            }
            Refusal::TimedOut(limit) => {
                write!(f, "the check of {file} did not end in {}", humantime::format_duration(*limit))
            }
            Refusal::Flaky { times, runs, reason } => {
                write!(f, "{file} shows the failure ({failure}) in {times} of {runs} runs only: {reason}")
            }
            Refusal::Trivial(text, result) => {
                let what = if text.is_empty() { "an empty file" } else { "`fn main() {}`" };
                let printed = result.excerpt();
                write!(
                    f,
                    "the check accepts {what}, so that nothing of {file} would be left ({failure}); it printed:\n{printed}"
                )
            }
            Refusal::FixedFails(why) => write!(f, "the version that is said to be fixed: {why}"),
            Refusal::Stop(stop) => write!(f, "{stop}"),
        }
    }
}
