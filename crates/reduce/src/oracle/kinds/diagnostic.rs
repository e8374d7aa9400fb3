//! The oracle of one diagnostic: rustc still reports it, and no other error than before.

use std::path::Path;
use std::sync::Arc;

use crate::exec::job::{End, Job, JobResult};
use crate::oracle::output::diagnostics::{Diagnostic, Stderr};
use crate::oracle::rustc::Rustc;
use crate::oracle::signature::failure::Failure;
use crate::oracle::signature::fingerprint::{Fingerprint, OtherFailure};
use crate::oracle::signature::identity::{Detail, Difference, Identity, Names, OwnNames, name};
use crate::oracle::signature::wanted::Wanted;
use crate::oracle::ui_test::Form;
use crate::oracle::{CompilerJob, FailureId, Oracle, Properties, Verdict};
use crate::program::Program;

/// Does rustc still report the same diagnostic?
#[derive(Clone, Debug)]
pub(crate) struct DiagnosticOracle {
    pub rustc: Rustc,
    pub wanted: Wanted,
    /// The diagnostics of the unreduced program.
    pub held: Held,
    /// How much of the diagnostic a candidate has to show.
    pub detail: Detail,
    /// Whether candidates may have errors that the unreduced program lacks.
    pub allow_errors: bool,
    /// Whether the compiler runs procedural macros of the program.
    pub has_proc_macros: bool,
}

/// The diagnostics of the unreduced program.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// The diagnostics that candidates must show; none if any that the user asked for will do.
    chosen: Vec<Identity>,
    /// The first of them, in words.
    words: Option<String>,
    fingerprint: Option<String>,
    /// The errors, and all diagnostics with the code or lint of a chosen one, each with its count.
    errors: Vec<(Identity, usize)>,
    /// All errors, a line each.
    shown: Vec<String>,
    /// Whether the compiler suggests what to write.
    pub(crate) has_suggestion: bool,
    own: OwnNames,
}

impl Held {
    /// Reads `result`, which is that of `program`. `wanted` says which diagnostic is the failure.
    ///
    /// # Errors
    /// If that diagnostic is missing: what is.
    pub fn of(result: &JobResult, program: &Program, wanted: &Wanted) -> Result<Self, String> {
        let diagnostics = Stderr::read(&result.stderr).diagnostics;
        let chosen = wanted.choose(&diagnostics)?;
        Ok(Self { shown: Failure::list(result), ..Self::of_chosen(&chosen, &diagnostics, program) })
    }

    /// As [`Self::of`], for diagnostics of `program` that are chosen already.
    pub(crate) fn of_chosen(chosen: &[&Diagnostic], diagnostics: &[Diagnostic], program: &Program) -> Self {
        let own = OwnNames::of(program);
        let names = own.seen_in(Some(program));
        let mut errors: Vec<(Identity, usize)> = Vec::new();
        let is_alike = |said: &&Diagnostic| is_error(said) || chosen.iter().any(|one| name(one) == name(said));
        for error in diagnostics.iter().filter(is_alike) {
            match errors.iter_mut().find(|(known, _)| known.has_message(error, &own.seen_in(None))) {
                Some((_, count)) => *count += 1,
                None => errors.push((Identity::of(error, &names), 1)),
            }
        }
        Self {
            words: chosen.first().map(|first| first.headline()),
            fingerprint: chosen.first().map(|first| Fingerprint::from(&Failure::of_error(first)).to_string()),
            chosen: chosen.iter().map(|said| Identity::of(said, &names)).collect(),
            errors,
            shown: Vec::new(),
            has_suggestion: chosen.iter().any(|said| said.has_suggestion()),
            own: own.clone(),
        }
    }
}

fn is_error(said: &Diagnostic) -> bool {
    said.is_user_error() || said.is_ice()
}

impl DiagnosticOracle {
    /// The diagnostics of `program` that are the same as a chosen one.
    pub(crate) fn same<'d>(&self, diagnostics: &'d [Diagnostic], program: &Program) -> Vec<&'d Diagnostic> {
        let names = self.held.own.seen_in(Some(program));
        let is_same =
            |said: &&Diagnostic| self.held.chosen.iter().any(|held| held.missing(said, &names, self.detail).is_none());
        diagnostics.iter().filter(is_same).collect()
    }

    /// A copy for each of the diagnostics in `result` that are asked for; itself alone if none is asked for, or several at once.
    pub(crate) fn each(&self, result: &JobResult, program: &Program) -> Vec<Self> {
        let diagnostics = Stderr::read(&result.stderr).diagnostics;
        if self.wanted.is_empty() || self.held.chosen.len() != 1 {
            return vec![self.clone()];
        }
        let held = |said| Held { shown: self.held.shown.clone(), ..Held::of_chosen(&[said], &diagnostics, program) };
        self.wanted.all(&diagnostics).into_iter().map(|said| Self { held: held(said), ..self.clone() }).collect()
    }

    /// The errors of `program` that the unreduced one lacks.
    pub(crate) fn new_errors<'d>(&self, diagnostics: &'d [Diagnostic], program: &Program) -> Vec<&'d Diagnostic> {
        let names = self.held.own.seen_in(Some(program));
        let is_known = |said: &Diagnostic| self.held.errors.iter().any(|(known, _)| known.has_message(said, &names));
        diagnostics.iter().filter(|said| said.is_user_error() && !is_known(said)).collect()
    }

    /// The chosen diagnostic that `other`, a job of the same program, reports in the same lines as often as `first`, if any.
    pub(crate) fn repeated(&self, other: &JobResult, first: &JobResult) -> Option<String> {
        let names = self.held.own.seen_in(first.subject.as_deref());
        let [other, first] = [other, first].map(|result| Stderr::read(&result.stderr).diagnostics);
        let repeated = self.held.chosen.iter().find(|held| {
            let chosen = || first.iter().filter(|said| held.missing(said, &names, self.detail).is_none());
            let is_at = |said: &&Diagnostic| held.name() == name(said) && chosen().any(|own| own.line() == said.line());
            other.iter().filter(is_at).count() >= chosen().count()
        });
        repeated.map(|held| format!("{} is reported there as well", held.name()))
    }

    /// Why the chosen diagnostic is not among `diagnostics`, and whether its cause may be gone; none if it is there.
    fn missing(&self, diagnostics: &[Diagnostic], names: &Names<'_>) -> Option<(String, bool)> {
        let anywhere = self.wanted.anywhere();
        // A line alone asks for nothing of a candidate but what stands there.
        let is_line_alone = self.wanted.at.is_some() && anywhere.is_empty();
        if let Err(missing) = anywhere.choose(diagnostics)
            && !is_line_alone
        {
            return Some((missing, true));
        }
        self.held.chosen.iter().find_map(|held| {
            let mut closest: Option<(Difference, &Diagnostic)> = None;
            for said in diagnostics {
                let difference = held.missing(said, names, self.detail)?;
                closest = closest.filter(|(other, _)| *other >= difference).or(Some((difference, said)));
            }
            let closest = closest.filter(|(difference, _)| *difference != Difference::Code);
            let none = || format!("no {}", held.name());
            let why = closest.map_or_else(none, |(difference, said)| held.difference(said, names, difference));
            Some((why, closest.is_none()))
        })
    }

    /// An error that is new, or one more. A warning of the same lint counts too, as it would need another answer.
    fn new_error(&self, diagnostics: &[Diagnostic], names: &Names<'_>) -> Option<String> {
        if self.allow_errors {
            return None;
        }
        let mut left: Vec<usize> = self.held.errors.iter().map(|(_, count)| *count).collect();
        let is_alike = |said: &&Diagnostic| {
            let is_held = || self.held.chosen.iter().any(|held| held.name() == name(said));
            is_error(said) || self.detail >= Detail::Labels && is_held()
        };
        diagnostics.iter().filter(is_alike).find_map(|error| {
            let mut known = self.held.errors.iter().enumerate();
            if self.detail < Detail::Labels {
                let is_known = known.any(|(_, (known, _))| known.name() == name(error));
                return (!is_known).then(|| format!("new {}", error.headline()));
            }
            match known.find(|(_, (known, _))| known.has_message(error, names)) {
                None => Some(format!("new {}", error.headline())),
                Some((index, _)) if left[index] == 0 => Some(format!("one more {}", name(error))),
                Some((index, _)) => {
                    left[index] -= 1;
                    None
                }
            }
        })
    }
}

impl Oracle for DiagnosticOracle {
    fn job(&self, program: &Program) -> Job {
        Job { subject: Some(Arc::new(program.clone())), ..self.rustc.job(program) }
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        if !matches!(result.end, End::Exited(_)) {
            return Verdict::unresolved(result.end.to_string());
        }
        let diagnostics = Stderr::read(&result.stderr).diagnostics;
        let names = self.held.own.seen_in(result.subject.as_deref());
        match self.missing(&diagnostics, &names) {
            Some((why, is_gone)) if is_gone && result.end == End::Exited(0) => {
                let how = self.held.words.as_ref().map(|words| match words.starts_with("warning") {
                    true => "the warning goes",
                    false => self.rustc.accepts(),
                });
                Verdict::pass(how.map_or(why, str::to_owned))
            }
            Some((why, is_gone)) => {
                let instead = diagnostics.iter().find(|said| is_gone && said.is_user_error());
                let instead = instead.map_or_else(String::new, |error| format!("; {}", error.headline()));
                Verdict::unresolved(why + &instead)
            }
            None => match self.new_error(&diagnostics, &names) {
                Some(error) => Verdict::unresolved(error),
                None => Verdict::fail("the same diagnostic"),
            },
        }
    }

    fn failure(&self) -> FailureId {
        let words = self.held.words.clone().unwrap_or_else(|| format!("rustc says {}", self.wanted));
        FailureId { words, fingerprint: self.held.fingerprint.clone() }
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        self.rustc.command(program, path)
    }

    fn properties(&self) -> Properties {
        let (runs_candidates, is_question) = (self.has_proc_macros, self.detail >= Detail::Labels);
        Properties { runs_candidates, is_question, passes_if_valid: true, ..Properties::default() }
    }

    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        matches!(which, CompilerJob::Hints | CompilerJob::Layout).then(|| which.by(&self.rustc, program))
    }

    fn as_ui_test(&self) -> Option<(&Rustc, Form)> {
        Some((&self.rustc, Form::Diagnostics))
    }

    fn with_rustc(&self, rustc: Rustc) -> Option<Arc<dyn Oracle>> {
        Some(Arc::new(Self { rustc, ..self.clone() }))
    }

    fn other_failure(&self, result: &JobResult) -> Option<OtherFailure> {
        OtherFailure::of_compiler(&Failure::recognise(result)?)
    }

    fn failures(&self) -> Vec<String> {
        self.held.shown.clone()
    }
}

#[cfg(test)]
mod tests;
