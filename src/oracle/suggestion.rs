//! The oracle of a wrong suggestion: what a compiler suggests for a diagnostic is put into the program, which then does not compile
//! any more, or does something else.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use rustfix::{CodeFix, LinePosition, LineRange, Replacement, Snippet, Solution};

use super::compare::{Compare, Way};
use super::diagnostic::DiagnosticOracle;
use super::diagnostics::{Diagnostic, Span, Stderr};
use super::fingerprint::FailureId;
use super::judge::{Advice, Oracle, Properties};
use super::rustc::Rustc;
use super::verdict::Verdict;
use crate::exec::job::{Job, JobResult};
use crate::program::Program;

/// How rustc calls a suggestion that a tool may apply without asking.
const CERTAIN: &str = "MachineApplicable";

/// How sure a compiler has to be of a suggestion that is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// It calls it machine-applicable: tools apply it without asking.
    Certain,
    /// Any: it may be incorrect, or hold placeholders.
    Any,
}

/// Which of the suggestions of a diagnostic are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The one of this number, from 0.
    Only(usize),
    /// All of them.
    All,
}

/// What goes wrong once a suggestion is applied.
#[derive(Clone, Debug)]
pub enum Wrong {
    /// The program has this error, which it did not have before.
    Error(Box<DiagnosticOracle>),
    /// The program does something else.
    Behaviour(Compare),
}

/// Does the program still break when the suggestions of a diagnostic are applied? It is a condition of the oracle of that diagnostic.
#[derive(Clone, Debug)]
pub struct SuggestionOracle {
    /// Whose suggestions are applied: those of all diagnostics that it takes for the same.
    pub diagnostic: DiagnosticOracle,
    /// Which of them.
    pub choice: Choice,
    /// How sure the compiler has to be of them.
    pub certainty: Certainty,
    /// What goes wrong.
    pub wrong: Wrong,
}

/// A suggestion: what comes in the place of which bytes of the text of a program.
type Edits = Vec<(Range<usize>, String)>;

/// The suggestions of a diagnostic of `program`. One that changes files of others is none.
#[must_use]
pub fn suggestions(diagnostic: &Diagnostic, program: &Program, certainty: Certainty) -> Vec<Edits> {
    let is_applied = |span: &&Span| {
        let is_certain = span.suggestion_applicability.as_deref() == Some(CERTAIN);
        span.suggested_replacement.is_some() && (is_certain || certainty == Certainty::Any)
    };
    let edit = |span: &Span| {
        let bytes = program.range(Path::new(&span.file_name), span.byte_start..span.byte_end)?;
        Some((bytes, span.suggested_replacement.clone()?))
    };
    let edits = diagnostic.children.iter().filter_map(|child| {
        let edits: Edits = child.spans.iter().filter(is_applied).map(edit).collect::<Option<_>>()?;
        (!edits.is_empty()).then_some(edits)
    });
    edits.collect()
}

/// The program with these suggestions applied, but for those that contradict one before; none if none is left.
fn applied(program: &Program, suggestions: &[Edits]) -> Option<Program> {
    let mut fix = CodeFix::new(&program.text);
    for edits in suggestions {
        let place = LinePosition { line: 0, column: 0 };
        let replacements = edits.iter().map(|(range, text)| Replacement {
            snippet: Snippet {
                file_name: String::new(),
                line_range: LineRange { start: place, end: place },
                range: range.clone(),
            },
            replacement: text.clone(),
        });
        // What contradicts one before is not applied.
        let _ = fix.apply_solution(&Solution { message: String::new(), replacements: replacements.collect() });
    }
    let text = fix.finish().ok().filter(|_| fix.modified())?;
    (*text != *program.text).then(|| program.with_text(text))
}

impl SuggestionOracle {
    /// The program with the suggestions applied, where `result` came of a check of the diagnostic.
    ///
    /// # Errors
    /// When there is none, in words.
    pub fn fixed(&self, program: &Program, result: &JobResult) -> Result<Program, String> {
        let diagnostics = Stderr::read(&result.stderr).diagnostics;
        let said = self.diagnostic.same(&diagnostics, program);
        let chosen = said.into_iter().flat_map(|said| {
            let all = suggestions(said, program, self.certainty);
            match self.choice {
                Choice::Only(number) => all.into_iter().skip(number).take(1).collect(),
                Choice::All => all,
            }
        });
        applied(program, &chosen.collect::<Vec<_>>()).ok_or_else(|| "no suggestion that can be applied".to_owned())
    }

    /// The same by another way of running rustc.
    #[must_use]
    pub fn by(mut self, rustc: Rustc) -> Self {
        match &mut self.wrong {
            Wrong::Error(error) => error.rustc = rustc.clone(),
            Wrong::Behaviour(compare) => {
                let way = Way::Run(rustc.running());
                compare.ways = vec![way.clone(), way];
            }
        }
        self.diagnostic.rustc = rustc;
        self
    }

    /// What is run of the program and of the fixed one.
    #[must_use]
    pub fn job_of(&self, program: &Program, fixed: &Program) -> Job {
        match &self.wrong {
            Wrong::Error(error) => error.job(fixed),
            Wrong::Behaviour(compare) => compare.with_other(fixed).job(program),
        }
    }
}

impl Oracle for SuggestionOracle {
    /// That of the program as it is, which says nothing.
    fn job(&self, program: &Program) -> Job {
        self.diagnostic.job(program)
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        match &self.wrong {
            Wrong::Error(error) => error.verdict(result),
            Wrong::Behaviour(compare) => compare.verdict(result),
        }
    }

    fn failure(&self) -> FailureId {
        let words = match &self.wrong {
            Wrong::Error(error) => format!("with its suggestion applied: {}", error.failure().words),
            Wrong::Behaviour(_) => "with its suggestion applied, the program does something else".to_owned(),
        };
        words.into()
    }

    /// That of the diagnostic shows the suggestion.
    fn command(&self, _: &Program, _: &Path) -> String {
        String::new()
    }

    fn advice(&self) -> &dyn Advice {
        self
    }
}

impl Advice for SuggestionOracle {
    fn properties(&self) -> Properties {
        Properties { runs_candidates: matches!(self.wrong, Wrong::Behaviour(_)), ..Properties::default() }
    }

    fn job_after(&self, program: &Program, first: &JobResult) -> Option<Result<Job, String>> {
        Some(self.fixed(program, first).map(|fixed| self.job_of(program, &fixed)))
    }

    fn with_rustc(&self, rustc: Rustc) -> Option<Arc<dyn Oracle>> {
        Some(Arc::new(self.clone().by(rustc)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A suggestion of `text` for each of these places.
    fn child(places: &[(usize, usize, &str)], applicability: &str) -> Value {
        let spans = places.iter().map(|(start, end, text)| {
            json!({ "file_name": "a.rs", "byte_start": start, "byte_end": end, "line_start": 1, "line_end": 1, "column_start": 1,
                    "is_primary": true, "suggested_replacement": text, "suggestion_applicability": applicability })
        });
        json!({ "level": "help", "message": "try", "code": null, "spans": spans.collect::<Vec<_>>() })
    }

    #[track_caller]
    fn check(children: &[Value], certainty: Certainty, each: &[&str], all: Option<&str>) {
        let program = Program::new("a.rs", "fn f() { abc }");
        let value = json!({ "level": "warning", "message": "m", "code": null, "children": children });
        let diagnostic: Diagnostic = serde_json::from_value(value).expect("it is a diagnostic");
        let found = suggestions(&diagnostic, &program, certainty);
        let text = |edits: &[Edits]| applied(&program, edits).map(|fixed| fixed.text.to_string());
        let alone: Vec<_> = found.iter().filter_map(|edits| text(std::slice::from_ref(edits))).collect();
        assert_eq!(alone, each);
        assert_eq!(text(&found).as_deref(), all);
    }

    #[test]
    fn suggestions_are_applied_alone_and_together() {
        let (one, two) = (child(&[(9, 10, "x")], CERTAIN), child(&[(10, 11, "y"), (11, 12, "z")], CERTAIN));
        check(&[one.clone(), two], Certainty::Certain, &["fn f() { xbc }", "fn f() { ayz }"], Some("fn f() { xyz }"));
        let other = child(&[(9, 12, "d")], CERTAIN);
        check(&[one, other], Certainty::Certain, &["fn f() { xbc }", "fn f() { d }"], Some("fn f() { xbc }"));
    }

    #[test]
    fn what_is_not_certain_is_applied_only_if_that_is_asked_for() {
        let unsure = child(&[(9, 10, "x")], "MaybeIncorrect");
        check(std::slice::from_ref(&unsure), Certainty::Certain, &[], None);
        check(&[unsure], Certainty::Any, &["fn f() { xbc }"], Some("fn f() { xbc }"));
        check(&[child(&[(9, 12, "abc")], CERTAIN)], Certainty::Certain, &[], None);
    }
}
