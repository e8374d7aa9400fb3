//! The condition that a changed program goes wrong, judged on a copy of the candidate, which is made from the diagnostic that
//! the candidate shows.

pub mod effect;
pub mod reason;
pub mod suggestion;

use std::path::Path;

use self::reason::LACKING;
use self::suggestion::{Certainty, Choice, applied, suggestions};
use super::compare::{Compare, CompilerConfig};
use super::diagnostic::DiagnosticOracle;
use crate::exec::job::{End, Job, JobResult};
use crate::oracle::WORKS;
use crate::oracle::output::diagnostics::Stderr;
use crate::oracle::rustc::Rustc;
use crate::oracle::{Condition, Oracle, Properties, shell};
use crate::program::Program;
use mcve_dd::outcome::Outcome;

/// How the program is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Suggestions of the diagnostic are applied.
    Suggestions(Choice, Certainty),
    /// The future that the error is about is sent to another thread, so that rustc says why it cannot be.
    SendFuture,
    /// The code that a lint marks loses its effect, or ends the program.
    TakeEffect,
    /// A type in the error gets an implementation, by the number of both, with which the program compiles.
    Implement(usize),
}

/// The failure of the changed program.
#[derive(Clone, Debug)]
pub(crate) enum Wrong {
    /// It has this error, which the program does not have.
    Error(Box<DiagnosticOracle>),
    /// It does something else than the program.
    Behaviour(Box<Compare>),
}

/// Does the changed program still go wrong? It is a condition of the oracle of the diagnostic.
#[derive(Clone, Debug)]
pub(crate) struct FailsChanged {
    /// Which diagnostics lead to the change: those that this oracle takes for the same.
    pub diagnostic: DiagnosticOracle,
    pub change: Change,
    pub wrong: Wrong,
}

impl FailsChanged {
    /// The changed program, where `result` is that of the check of the diagnostic. The error says why nothing can be changed.
    pub(crate) fn changed(&self, program: &Program, result: &JobResult) -> Result<Program, String> {
        let diagnostics = Stderr::read(&result.stderr).diagnostics;
        let mut said = self.diagnostic.same(&diagnostics, program).into_iter();
        match self.change {
            Change::SendFuture | Change::Implement(_) => {
                let lacking = if let Change::Implement(number) = self.change { Some(number) } else { None };
                let asked = said.find_map(|said| reason::asked(program, &said.message, lacking));
                asked.ok_or_else(|| "the error is about nothing to ask".to_owned())
            }
            Change::TakeEffect => {
                let without = said.find_map(|said| effect::without_effect(program, said));
                without.ok_or_else(|| "the lint does not say that code has no effect".to_owned())
            }
            Change::Suggestions(choice, certainty) => {
                let chosen = said.flat_map(|said| {
                    let all = suggestions(said, program, certainty);
                    match choice {
                        Choice::Only(number) => all.into_iter().skip(number).take(1).collect(),
                        Choice::All => all,
                    }
                });
                let fixed = applied(program, &chosen.collect::<Vec<_>>());
                fixed.ok_or_else(|| "no suggestion that can be applied".to_owned())
            }
        }
    }

    /// A copy that runs rustc in another way.
    pub(crate) fn by(mut self, rustc: Rustc) -> Self {
        match &mut self.wrong {
            Wrong::Error(error) => error.rustc = rustc.clone(),
            Wrong::Behaviour(compare) => {
                let config = CompilerConfig::Rustc(rustc.running());
                compare.configs = vec![config.clone(), config];
            }
        }
        self.diagnostic.rustc = rustc;
        self
    }

    /// The job that shows what goes wrong.
    pub(crate) fn job_of(&self, program: &Program, changed: &Program) -> Job {
        match &self.wrong {
            Wrong::Error(error) => error.job(changed),
            Wrong::Behaviour(compare) => compare.with_other(changed).job(program),
        }
    }
}

impl Condition for FailsChanged {
    fn job(&self, program: &Program, first: &JobResult) -> Result<Job, String> {
        self.changed(program, first).map(|changed| self.job_of(program, &changed))
    }

    fn broken(&self, result: &JobResult, _: &JobResult) -> Option<String> {
        let verdict = match &self.wrong {
            Wrong::Error(_) if matches!(self.change, Change::Implement(_)) => {
                return (result.end != End::Exited(0)).then(|| "the error has another reason".to_owned());
            }
            Wrong::Error(error) => error.verdict(result),
            Wrong::Behaviour(compare) => compare.verdict(result),
        };
        match (verdict.outcome, self.change) {
            (Outcome::Fail, _) => None,
            (Outcome::Pass, Change::Suggestions(..)) => Some(WORKS.to_owned()),
            _ => Some(verdict.reason),
        }
    }

    fn properties(&self) -> Properties {
        let runs_candidates = if let Wrong::Error(error) = &self.wrong { error.has_proc_macros } else { true };
        Properties { runs_candidates, ..Properties::default() }
    }

    fn words(&self) -> String {
        let wrong = match &self.wrong {
            Wrong::Error(error) => error.failure().words,
            Wrong::Behaviour(_) => "the program does something else".to_owned(),
        };
        match (self.change, &self.wrong) {
            (Change::SendFuture, _) => format!("the reason: {wrong}"),
            (Change::TakeEffect, _) => "without what it marks, the program does something else".to_owned(),
            (Change::Implement(number), _) => format!("the reason: {}", LACKING[number % LACKING.len()].0),
            (Change::Suggestions(..), Wrong::Error(_)) => format!("with its suggestion applied: {wrong}"),
            (Change::Suggestions(..), Wrong::Behaviour(_)) => format!("with its suggestion applied, {wrong}"),
        }
    }

    /// The program with the suggestion, made by the shell.
    fn command_after(&self, program: &Program, path: &Path, first: &JobResult) -> String {
        let is_meant = matches!(self.change, Change::Suggestions(..) | Change::TakeEffect) && program.is_lone();
        let changed = self.changed(program, first).ok().filter(|_| is_meant);
        changed.map_or_else(String::new, |changed| match &self.wrong {
            Wrong::Error(error) => shell::edited(program, &changed, path, &error.rustc.command(program, path)),
            Wrong::Behaviour(compare) => compare.with_other(&changed).command(program, path),
        })
    }
}
