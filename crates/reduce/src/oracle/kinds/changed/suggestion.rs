//! Applies the suggestions of a diagnostic.

use std::ops::Range;

use rustfix::{CodeFix, LinePosition, LineRange, Replacement, Snippet, Solution};

use crate::oracle::output::diagnostics::{Diagnostic, Span};
use crate::program::Program;

/// How sure a compiler has to be of a suggestion that is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// It calls it machine-applicable: tools apply it without asking.
    Certain,
    /// Any: it may be incorrect, or hold placeholders.
    Any,
}

/// Which suggestions of a diagnostic are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The one of this number, from 0.
    Only(usize),
    /// All of them.
    All,
}

/// A suggestion: what comes in the place of which bytes of the text of a program.
pub(crate) type Edits = Vec<(Range<usize>, String)>;

/// The suggestions of a diagnostic of `program`. One that changes files of others is none.
pub fn suggestions(diagnostic: &Diagnostic, program: &Program, certainty: Certainty) -> Vec<Edits> {
    let is_applied =
        |span: &&Span| span.suggested_replacement.is_some() && (certainty == Certainty::Any || span.is_certain());
    let edit = |span: &Span| Some((span.range(program)?, span.suggested_replacement.clone()?));
    let edits = diagnostic.children.iter().filter_map(|child| {
        let edits: Edits = child.spans.iter().filter(is_applied).map(edit).collect::<Option<_>>()?;
        (!edits.is_empty()).then_some(edits)
    });
    edits.collect()
}

/// The program with these suggestions applied, but for those that contradict one before; none if none is left.
pub(crate) fn applied(program: &Program, suggestions: &[Edits]) -> Option<Program> {
    let mut fix = CodeFix::new(&program.text);
    for edits in suggestions {
        let place = LinePosition { line: 0, column: 0 };
        let line_range = LineRange { start: place, end: place };
        let replacements = edits.iter().map(|(range, text)| Replacement {
            snippet: Snippet { file_name: String::new(), line_range, range: range.clone() },
            replacement: text.clone(),
        });
        // What contradicts one before is not applied.
        let _ = fix.apply_solution(&Solution { message: String::new(), replacements: replacements.collect() });
    }
    let text = fix.finish().ok().filter(|_| fix.modified())?;
    (*text != *program.text).then(|| program.with_text(text))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    const CERTAIN: &str = "MachineApplicable";

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
