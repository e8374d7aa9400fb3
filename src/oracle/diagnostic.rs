//! The oracle of one diagnostic among several: rustc still says what was asked for.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use regex::Regex;

use super::diagnostics::{Diagnostic, Stderr};
use super::failure::Failure;
use super::fingerprint::OtherFailure;
use super::recognise::name;
use super::rustc::Rustc;
use super::ui_test::Form;
use super::{Oracle, Verdict, hints, layout};
use crate::dd::outcome::Outcome;
use crate::exec::job::{End, Job, JobResult};
use crate::program::Program;

/// What rustc has to say: each of these in some diagnostic.
#[derive(Clone, Debug, Default)]
pub struct WantedDiagnostics {
    /// Error codes and names of lints.
    pub codes: Vec<String>,
    /// What a message matches.
    pub messages: Vec<Regex>,
}

/// Does rustc still say what was asked for?
#[derive(Clone, Debug)]
pub struct DiagnosticOracle {
    /// How rustc is run.
    pub rustc: Rustc,
    /// What it has to say.
    pub wanted: WantedDiagnostics,
    /// The errors that the unreduced program has, by their codes or messages. Candidates have no others.
    pub errors: BTreeSet<String>,
    /// Whether they may have others.
    pub allow_errors: bool,
    /// Whether the compiler runs procedural macros of the program.
    pub has_proc_macros: bool,
}

impl WantedDiagnostics {
    /// Whether nothing was asked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty() && self.messages.is_empty()
    }

    /// The first of it that a run of rustc does not say, in words.
    #[must_use]
    pub fn missing(&self, result: &JobResult) -> Option<String> {
        let diagnostics = Stderr::read(&result.stderr).diagnostics;
        let has_code =
            |code: &String| diagnostics.iter().any(|said| said.code.as_ref().is_some_and(|own| own.code == *code));
        let has_message = |regex: &Regex| diagnostics.iter().any(|said| regex.is_match(&said.message));
        let code = self.codes.iter().find(|code| !has_code(code)).map(|code| format!("no {code}"));
        code.or_else(|| {
            let message = self.messages.iter().find(|message| !has_message(message));
            message.map(|message| format!("no message that matches `{message}`"))
        })
    }
}

/// The errors that rustc found, by their codes, or messages where they have none.
#[must_use]
pub fn errors(result: &JobResult) -> BTreeSet<String> {
    Stderr::read(&result.stderr).diagnostics.iter().filter(|said| is_error(said)).map(name).collect()
}

fn is_error(said: &Diagnostic) -> bool {
    said.is_user_error() || said.is_ice()
}

impl Oracle for DiagnosticOracle {
    fn job(&self, program: &Program) -> Job {
        self.rustc.job(program)
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        if !matches!(result.end, End::Exited(_)) {
            return Verdict::new(Outcome::Unresolved, result.end.to_string());
        }
        let missing = self.wanted.missing(result);
        let errors = errors(result);
        match (missing, errors.difference(&self.errors).next()) {
            (None, Some(error)) if !self.allow_errors => {
                Verdict::new(Outcome::Unresolved, format!("new error {error}"))
            }
            (None, _) => Verdict::new(Outcome::Fail, "rustc says the same"),
            (Some(why), _) if result.end == End::Exited(0) => Verdict::new(Outcome::Pass, why),
            (Some(why), _) => Verdict::new(Outcome::Unresolved, why),
        }
    }

    fn runs_candidates(&self) -> bool {
        self.has_proc_macros
    }

    fn hints(&self, program: &Program) -> Option<Job> {
        Some(hints::job(&self.rustc, program))
    }

    fn layout(&self, program: &Program) -> Option<Job> {
        Some(layout::job(&self.rustc, program))
    }

    fn as_ui_test(&self) -> Option<(&Rustc, Form)> {
        Some((&self.rustc, Form::Diagnostics))
    }

    fn with_rustc(&self, rustc: Rustc) -> Option<Arc<dyn Oracle>> {
        Some(Arc::new(Self { rustc, ..self.clone() }))
    }

    fn failure(&self) -> String {
        let messages = self.wanted.messages.iter().map(|message| format!("a message that matches `{message}`"));
        let words: Vec<String> = self.wanted.codes.iter().cloned().chain(messages).collect();
        format!("rustc says {}", words.join(" and "))
    }

    fn other_failure(&self, result: &JobResult) -> Option<OtherFailure> {
        OtherFailure::of_compiler(&Failure::recognise(result)?)
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        self.rustc.command(program, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::headers::Headers;

    #[track_caller]
    fn check(end: i32, said: &[(&str, &str, &str)], outcome: Outcome, reason: &str) {
        let line = |(level, code, message): &(&str, &str, &str)| {
            format!(
                "{{\"level\":\"{level}\",\"code\":{{\"code\":\"{code}\"}},\"message\":\"{message}\",\"rendered\":null}}\n"
            )
        };
        let stderr: String = said.iter().map(line).collect();
        let result = JobResult { stderr: stderr.into(), ..JobResult::ended(End::Exited(end)) };
        let wanted = WantedDiagnostics {
            codes: vec!["E0499".to_owned()],
            messages: vec![Regex::new("twice").expect("it is a regular expression")],
        };
        let rustc = Rustc::new("rustc".into(), &Headers::default(), &[], Path::new("/"));
        let errors = ["E0499".to_owned(), "E0308".to_owned()].into();
        let oracle = DiagnosticOracle { rustc, wanted, errors, allow_errors: false, has_proc_macros: false };
        assert_eq!(oracle.verdict(&result), Verdict::new(outcome, reason));
        assert_eq!(oracle.failure(), "rustc says E0499 and a message that matches `twice`");
    }

    #[test]
    fn all_that_was_asked_for_has_to_be_said_and_no_other_error() {
        let borrowed = ("error", "E0499", "borrowed twice");
        check(1, &[borrowed], Outcome::Fail, "rustc says the same");
        check(1, &[borrowed, ("error", "E0308", "mismatch")], Outcome::Fail, "rustc says the same");
        check(1, &[borrowed, ("error", "E0425", "nothing")], Outcome::Unresolved, "new error E0425");
        check(1, &[("error", "E0499", "borrowed")], Outcome::Unresolved, "no message that matches `twice`");
        check(1, &[("error", "E0308", "twice")], Outcome::Unresolved, "no E0499");
        check(0, &[("warning", "x", "twice")], Outcome::Pass, "no E0499");
    }
}
