//! Reads from lints and suggestions of rustc what can be removed. It is asked for the best program, not for candidates.

use mcve_transforms::{Edit, Hint};

use super::diagnostics::{Diagnostic, Span, Stderr};
use crate::program::Program;

/// The hints in what rustc wrote about `program` to standard error.
pub fn read(stderr: &[u8], program: &Program) -> Vec<Hint> {
    Stderr::read(stderr).diagnostics.iter().flat_map(|diagnostic| hints(diagnostic, program)).collect()
}

/// The hints of one diagnostic: one for each place that it is about, and one for each suggestion.
fn hints(diagnostic: &Diagnostic, program: &Program) -> Vec<Hint> {
    // The suggestions of an error are about how to get rid of it.
    let Some(lint) = diagnostic.code_or_lint().filter(|_| diagnostic.level == "warning") else { return Vec::new() };
    let hint = |site, edits| Hint { lint: lint.to_owned(), site, edits };
    let places = diagnostic.primary().filter_map(|span| span.range(program));
    let mut hints: Vec<Hint> = places.map(|range| hint(range, Vec::new())).collect();
    for child in &diagnostic.children {
        let edit = |span: &Span| {
            let new = span.suggested_replacement.clone().filter(|_| span.is_certain())?;
            Some(Edit::replace(span.range(program)?, new))
        };
        // Half of a suggestion is none.
        let edits: Option<Vec<Edit>> = child.spans.iter().map(edit).collect();
        let Some(edits) = edits else { continue };
        let (start, end) =
            (edits.iter().map(|edit| edit.range.start).min(), edits.iter().map(|edit| edit.range.end).max());
        if let Some((start, end)) = start.zip(end) {
            hints.push(hint(start..end, edits));
        }
    }
    hints
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use std::time::Duration;

    use super::*;
    use crate::exec::job::Executor;
    use crate::exec::limits::Memory;
    use crate::exec::process::{Cancel, Processes};
    use crate::exec::programs;
    use crate::oracle::compiler_job::CompilerJob;
    use crate::oracle::headers::Headers;
    use crate::oracle::rustc::Rustc;

    /// Checks the hints of the real rustc on `text`: the lint and the place, and what is put where in its opinion.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let program = Program::new("a.rs", text);
        let compiler = programs::rustc(None, None).expect("the tests are compiled by one");
        let rustc = Rustc::guess(compiler, &program, &Headers::parse(text), Path::new("/"));
        let processes = Processes::new(Memory::default(), None).expect("a temporary folder can be made");
        let never = Duration::from_secs(1000);
        let result =
            processes.run(&CompilerJob::Hints.by(&rustc, &program), never, &Cancel::default()).expect("it is there");
        let words = |hint: &Hint| {
            let edit = |edit: &Edit| format!(", `{}` to `{}`", &text[edit.range.clone()], edit.text);
            let edits: String = hint.edits.iter().map(edit).collect();
            format!("{}: {}{edits}", hint.lint, &text[hint.site.clone()])
        };
        assert_eq!(read(&result.stderr, &program).iter().map(words).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn lints_are_hints_even_where_they_are_allowed() {
        check("fn f() {} fn main() {}", &["dead_code: f"]);
        check("#![allow(dead_code)] struct S { } fn main() {}", &["dead_code: S"]);
    }

    #[test]
    fn suggestions_are_hints_with_edits() {
        check(
            "fn main() { if (true) {} }",
            &["unused_parens: (", "unused_parens: )", "unused_parens: (true), `(` to ``, `)` to ` `"],
        );
    }

    #[test]
    fn a_program_without_main_is_a_library_and_tests_are_roots() {
        check("pub fn f() {} fn g() {}", &["dead_code: g"]);
        check("fn f() {} fn g() {} #[test] fn h() { g() }", &["dead_code: f"]);
    }

    #[test]
    fn a_program_that_says_nothing_gives_no_hints() {
        check("pub fn f() {}", &[]);
        check("fn f(", &[]);
        check("pub fn f() -> u8 { () }", &[]);
    }

    #[test]
    fn what_is_not_of_the_program_is_no_hint() {
        let span = |file: &str, end: usize| {
            format!(
                r#"{{"message":"m","code":{{"code":"l"}},"level":"warning","spans":[{{"file_name":"{file}","byte_start":1,"byte_end":{end},"line_start":1,"column_start":1,"is_primary":true}}]}}"#
            )
        };
        let read = |stderr: String| super::read(stderr.as_bytes(), &Program::new("a.rs", "fn f() {}")).len();
        assert_eq!(read(span("a.rs", 2)), 1);
        assert_eq!(read(span("b.rs", 2)), 0);
        assert_eq!(read(span("a.rs", 20)), 0);
        assert_eq!(read("{ no JSON".to_owned()), 0);
    }
}
