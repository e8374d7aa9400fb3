//! Finds the diagnostic whose suggestion or claim is wrong, and what goes wrong when it is followed.

use std::collections::BTreeSet;
use std::ffi::OsString;

use super::error::{Cause, FailureError};
use super::held::{Found, FoundOracle, Held};
use super::lookup::{By, Lookup};
use crate::exec::job::JobResult;
use crate::oracle::changed::suggestion::{Certainty, Choice, suggestions};
use crate::oracle::changed::{Change, FailsChanged, Wrong};
use crate::oracle::compare::{Compare, Comparison};
use crate::oracle::diagnostic::{self, DiagnosticOracle};
use crate::oracle::diagnostics::{Diagnostic, Stderr};
use crate::oracle::run::Target;
use crate::oracle::wanted::Wanted;
use crate::oracle::{Condition, Oracle};

impl Lookup<'_> {
    /// The first requested diagnostic with a wrong suggestion: tries each suggestion alone, then all of them.
    pub(super) fn find_suggestion(
        &self,
        by: By<'_>,
        found: DiagnosticOracle,
        certainty: Certainty,
    ) -> Result<Found, FailureError> {
        let result = self.result(&found)?;
        let diagnostics = Stderr::read(&result.stderr).diagnostics;
        let (mut tried, mut reasons) = (0, BTreeSet::new());
        for said in found.wanted.all(&diagnostics) {
            let held = diagnostic::Held::of_chosen(&[said], &diagnostics, self.program);
            let oracle = DiagnosticOracle { held, ..found.clone() };
            let count = suggestions(said, self.program, certainty).len();
            tried += count;
            let choices = (0..count).map(Choice::Only).chain((count > 1).then_some(Choice::All));
            for choice in choices {
                let (change, wrong) = (Change::Suggestions(choice, certainty), self.wrong_suggestion(&oracle)?);
                match self.wrong(&oracle, change, wrong, &result)? {
                    Ok(wrong) => return Ok(self.found_wrong(wrong, Vec::new())),
                    Err(why) => _ = reasons.insert(why),
                }
            }
        }
        let unsure = match certainty {
            Certainty::Certain => " that is machine-applicable",
            Certainty::Any => "",
        };
        let what = reasons.into_iter().collect::<Vec<_>>().join(" or ");
        let why = match tried {
            0 => format!("{} has no suggestion{unsure}", found.wanted),
            1 => format!("with the suggestion applied, {what}"),
            count => format!("with each of the {count} suggestions applied, and with all of them, {what}"),
        };
        Err(self.refuse(by, Cause::Absent(why)))
    }

    /// The warning of a lint. If a run shows that the lint is wrong about code without effect, the result must show that too.
    pub(super) fn find_lint(&self, found: DiagnosticOracle) -> Result<Found, FailureError> {
        let has_suggestion = found.held.has_suggestion;
        if !has_suggestion && self.may_run && self.program.is_lone() && self.spec.target.is_none() {
            let result = self.result(&found)?;
            let wrong = self.wrong(&found, Change::TakeEffect, self.behaviour(&[])?, &result)?;
            if let Ok(wrong) = wrong {
                let note = format!("a run contradicts the lint: {}; so does the result", wrong.words());
                return Ok(self.found_wrong(wrong, vec![note]));
            }
        }
        let note = if has_suggestion {
            "the lint keeps the warning, right or wrong; to keep that its suggestion breaks the program: --suggestion fails"
        } else {
            "mcve cannot tell a right warning from a wrong one, and keeps the warning; to keep a wrong one, name a compiler that does not report it: --passes-with +NAME"
        };
        Ok(self.found(FoundOracle::Diagnostic(found), vec![note.to_owned()]))
    }

    fn found_wrong(&self, wrong: FailsChanged, notes: Vec<String>) -> Found {
        let oracle = FoundOracle::Diagnostic(wrong.diagnostic.clone());
        Found { conditions: vec![Held::Changed(Box::new(wrong))], ..self.found(oracle, notes) }
    }

    /// What goes wrong if a suggestion of the diagnostic of `oracle` is wrong: an error, or with `--run` another behaviour.
    fn wrong_suggestion(&self, oracle: &DiagnosticOracle) -> Result<Wrong, FailureError> {
        match &self.spec.target {
            Some(Target::Test(_)) => Err(FailureError::conflict(
                "a suggestion is judged by what `main` does, and not by a test",
                "--suggestion takes --run, and no --test-name",
            )),
            Some(Target::Main(_)) if !self.program.is_lone() => Err(FailureError::conflict(
                "a suggestion is judged by a run of a program of one file only",
                "--suggestion with --run takes one file",
            )),
            Some(Target::Main(args)) => self.behaviour(args),
            // The error is known once the program is compiled with the suggestion.
            None => Ok(Wrong::Error(Box::new(oracle.clone()))),
        }
    }

    /// Another behaviour of the changed program, where both get these arguments.
    fn behaviour(&self, args: &[OsString]) -> Result<Wrong, FailureError> {
        let compare = Compare::new(Vec::new()).within(self.limit());
        Ok(Wrong::Behaviour(Box::new(Compare { args: args.to_vec(), stdin: self.stdin()?, ..compare })))
    }

    /// How the program goes `wrong` when it is changed for the diagnostic of `oracle`, which `result` has; else why it does not.
    fn wrong(
        &self,
        oracle: &DiagnosticOracle,
        change: Change,
        wrong: Wrong,
        result: &JobResult,
    ) -> Result<Result<FailsChanged, String>, FailureError> {
        let diagnostic = oracle.clone();
        let suggestion = FailsChanged { diagnostic, change, wrong }.by(oracle.rustc.clone());
        let Ok(fixed) = suggestion.changed(self.program, result) else {
            return Ok(Err("it cannot be applied".to_owned()));
        };
        let ran = self.result_of(&suggestion.job_of(self.program, &fixed))?;
        let wrong = match &suggestion.wrong {
            Wrong::Error(_) => {
                let diagnostics: Vec<Diagnostic> = Stderr::read(&ran.stderr).diagnostics;
                let first = oracle.new_errors(&diagnostics, &fixed).into_iter().next();
                first.ok_or_else(|| "the program compiles".to_owned()).map(|first| {
                    let held = diagnostic::Held::of_chosen(&[first], &diagnostics, &fixed);
                    let wanted = Wanted::default();
                    Wrong::Error(Box::new(DiagnosticOracle { held, wanted, ..oracle.clone() }))
                })
            }
            Wrong::Behaviour(compare) => match compare.read(&ran) {
                Comparison::Different(_) => Ok(Wrong::Behaviour(Box::new(Compare::clone(compare).holding(&ran)))),
                Comparison::Same => Err("the program does the same".to_owned()),
                _ => Err(format!("the two programs cannot be compared: {}", compare.verdict(&ran).reason)),
            },
        };
        Ok(wrong.map(|wrong| FailsChanged { wrong, ..suggestion }))
    }
}
