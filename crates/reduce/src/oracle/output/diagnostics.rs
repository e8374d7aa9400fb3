//! Reads what rustc writes to standard error under `--error-format=json`: a JSON object a line for each diagnostic, and
//! between them the plain lines of a panic, its query stack and notes.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use serde::Deserialize;

use super::normalise;
use crate::program::Program;

/// The standard error of rustc.
#[derive(Clone, Debug, Default)]
pub struct Stderr {
    /// The diagnostics, in order.
    pub diagnostics: Vec<Diagnostic>,
    /// The other lines, in order.
    pub plain: Vec<String>,
}

/// A diagnostic, or one of its notes.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Diagnostic {
    /// The message, without level and code.
    pub message: String,
    /// The error code or the lint's name.
    pub code: Option<Code>,
    /// `error`, `warning`, `error: internal compiler error` and others.
    pub level: String,
    /// Where in the source.
    #[serde(default)]
    pub spans: Vec<Span>,
    /// Notes and helps.
    #[serde(default)]
    pub children: Vec<Diagnostic>,
    /// The text as a user sees it.
    pub rendered: Option<String>,
}

/// An error code or a lint's name.
#[derive(Clone, Debug, Deserialize)]
pub struct Code {
    /// Such as `E0277` or `unused_variables`.
    pub code: String,
}

/// A part of the source.
#[derive(Clone, Debug, Deserialize)]
pub struct Span {
    /// The file as it was named to rustc.
    pub file_name: String,
    /// The first byte.
    pub byte_start: usize,
    /// Behind the last byte.
    pub byte_end: usize,
    /// The line of the first byte, from 1.
    pub line_start: usize,
    /// The line of the last byte.
    #[serde(default)]
    pub line_end: usize,
    /// Whether the diagnostic is about it, rather than naming it too.
    pub is_primary: bool,
    /// The label.
    #[serde(default)]
    pub label: Option<String>,
    /// The text that a suggestion puts in its place.
    pub suggested_replacement: Option<String>,
    /// How sure the compiler is of the suggestion.
    pub suggestion_applicability: Option<String>,
    /// The macro that made it, if one did.
    #[serde(default)]
    pub expansion: Option<Box<Expansion>>,
}

/// A macro's expansion that made a part of the source.
#[derive(Clone, Debug, Deserialize)]
pub struct Expansion {
    /// The call of the macro.
    pub span: Span,
    /// Its name, such as `vec!` or `#[derive(Clone)]`; or what rustc made something else of, such as `desugaring of ..`.
    #[serde(default)]
    pub macro_decl_name: String,
}

/// The end of the message about a procedural macro that panicked: `proc-macro derive panicked`, `custom attribute panicked`.
const MACRO_PANICKED: &str = " panicked";

/// The word before the message of that panic, in a note.
const OF_PANIC: &str = "message: ";

const ICE: &str = "error: internal compiler error";

impl Stderr {
    /// Reads the bytes. What is not a diagnostic is a plain line, even if it looks like the beginning of one.
    pub fn read(bytes: &[u8]) -> Self {
        let mut stderr = Self::default();
        for line in String::from_utf8_lossy(bytes).lines() {
            let diagnostic = line.starts_with('{').then(|| serde_json::from_str(line).ok()).flatten();
            match diagnostic {
                Some(diagnostic) => stderr.diagnostics.push(diagnostic),
                None => stderr.plain.push(line.to_owned()),
            }
        }
        stderr
    }

    /// The errors in the program.
    pub(crate) fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.is_user_error())
    }

    /// The first error in one line. An error about the options of rustc counts too, although it is plain text.
    pub(crate) fn first_error_line(&self) -> Option<String> {
        let error = self.errors().next().map(Diagnostic::headline);
        error.or_else(|| self.plain.iter().find(|line| line.starts_with("error")).cloned())
    }
}

impl Span {
    /// Whether a tool may apply its suggestion without asking.
    pub(crate) fn is_certain(&self) -> bool {
        self.suggestion_applicability.as_deref() == Some("MachineApplicable")
    }

    /// Its bytes in the text of `program`, if its file is one of that.
    pub(crate) fn range(&self, program: &Program) -> Option<Range<usize>> {
        program.range(Path::new(&self.file_name), self.byte_start..self.byte_end)
    }
}

impl Diagnostic {
    /// All of its texts: its message, its labels, its suggestions, and those of its notes.
    pub fn texts(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        let spans = self.spans.iter().flat_map(|span| [span.label.as_deref(), span.suggested_replacement.as_deref()]);
        let own = std::iter::once(self.message.as_str()).chain(spans.flatten());
        Box::new(own.chain(self.children.iter().flat_map(Self::texts)))
    }

    /// The parts of the source that it is about.
    pub(crate) fn primary(&self) -> impl Iterator<Item = &Span> {
        self.spans.iter().filter(|span| span.is_primary)
    }

    /// The error code or the name of the lint.
    pub(crate) fn code_or_lint(&self) -> Option<&str> {
        self.code.as_ref().map(|code| &*code.code)
    }

    /// One line: its level, its code and the first line of its message.
    pub(crate) fn headline(&self) -> String {
        let code = self.code_or_lint().map_or_else(String::new, |code| format!(" {code}"));
        format!("{}{code}: {}", self.level, self.said().lines().next().unwrap_or_default())
    }

    /// Its level, code and message, without what depends on the program.
    pub(crate) fn shape(&self) -> String {
        let code = self.code_or_lint().unwrap_or_default();
        format!("{} {code} {}", self.level, normalise::message(&self.message))
    }

    /// Its message, with that of the panic if a procedural macro panicked.
    pub(crate) fn said(&self) -> Cow<'_, str> {
        let is_panic = self.message.ends_with(MACRO_PANICKED);
        let mut notes = self.children.iter().filter(|_| is_panic);
        match notes.find_map(|note| note.message.strip_prefix(OF_PANIC)) {
            Some(panic) => format!("{}: {panic}", self.message).into(),
            None => self.message.as_str().into(),
        }
    }

    /// The file and the line that it is about.
    pub(crate) fn line(&self) -> Option<(&str, usize)> {
        self.primary().next().map(|span| (&*span.file_name, span.line_start))
    }

    pub(crate) fn has_suggestion(&self) -> bool {
        self.children.iter().flat_map(|child| &child.spans).any(|span| span.suggested_replacement.is_some())
    }

    /// Whether it is an error in the program, and not the closing count. The same words by `compile_error!` have a place.
    pub(crate) fn is_user_error(&self) -> bool {
        let is_count = self.code.is_none() && self.spans.is_empty() && self.message.starts_with("aborting due to ");
        self.level == "error" && !is_count
    }

    /// Whether the compiler says that it is itself to blame.
    pub(crate) fn is_ice(&self) -> bool {
        self.level == ICE
    }

    /// The place in the compiler's source, if it was delayed and reported because no error followed. The last note names it: a
    /// program can add earlier ones by `#[diagnostic::on_unimplemented]`.
    pub(crate) fn delayed_at(&self) -> Option<&str> {
        let place = self.children.iter().rev().find_map(|child| child.message.strip_prefix("delayed at "))?;
        // A backtrace may follow, or a note that there is none.
        let place = place.lines().next().unwrap_or_default();
        Some(place.split_once(" - ").map_or(place, |(place, _)| place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ERROR: &str = r#"{"$message_type":"diagnostic","message":"mismatched types","code":{"code":"E0308","explanation":"Long."},"level":"error","spans":[{"file_name":"a.rs","byte_start":11,"byte_end":12,"line_start":1,"line_end":1,"column_start":12,"column_end":13,"is_primary":true,"text":[],"label":null,"suggested_replacement":null,"suggestion_applicability":null,"expansion":null}],"children":[],"rendered":"error[E0308]"}"#;
    const COUNT: &str = r#"{"$message_type":"diagnostic","message":"aborting due to 2 previous errors","code":null,"level":"error","spans":[],"children":[],"rendered":""}"#;
    const DELAYED: &str = r#"{"message":"it broke","code":null,"level":"error: internal compiler error","children":[{"message":"delayed at compiler/rustc_x/src/y.rs:1:2 - disabled backtrace","code":null,"level":"note","rendered":null}],"rendered":null}"#;

    /// For each diagnostic: its code or message, whether it is a user's error, whether the compiler's, and where delayed.
    #[track_caller]
    fn check(bytes: &[u8], diagnostics: &[(&str, bool, bool, Option<&str>)], plain: &[&str]) {
        let stderr = Stderr::read(bytes);
        let found = stderr.diagnostics.iter().map(|diagnostic| {
            let name = diagnostic.code.as_ref().map_or(&diagnostic.message, |code| &code.code);
            (name.as_str(), diagnostic.is_user_error(), diagnostic.is_ice(), diagnostic.delayed_at())
        });
        assert_eq!(found.collect::<Vec<_>>(), diagnostics);
        assert_eq!(stderr.plain, plain);
    }

    #[test]
    fn diagnostics_and_plain_lines_are_told_apart() {
        check(b"", &[], &[]);
        check(ERROR.as_bytes(), &[("E0308", true, false, None)], &[]);
        check(COUNT.as_bytes(), &[("aborting due to 2 previous errors", false, false, None)], &[]);
        check(DELAYED.as_bytes(), &[("it broke", false, true, Some("compiler/rustc_x/src/y.rs:1:2"))], &[]);
        let mixed = format!("one\n{ERROR}\n\ntwo\n{COUNT}");
        let found = [("E0308", true, false, None), ("aborting due to 2 previous errors", false, false, None)];
        check(mixed.as_bytes(), &found, &["one", "", "two"]);
    }

    #[test]
    fn what_the_program_says_is_not_what_the_compiler_says() {
        let count = ERROR.replace("mismatched types", "aborting due to 2 previous errors");
        let count = count.replace(r#"{"code":"E0308","explanation":"Long."}"#, "null");
        check(count.as_bytes(), &[("aborting due to 2 previous errors", true, false, None)], &[]);
        let note = r#""children":[{"message":"delayed at compiler/fake.rs:1:2 - no","code":null,"level":"note"},"#;
        let delayed = DELAYED.replace(r#""children":["#, note);
        check(delayed.as_bytes(), &[("it broke", false, true, Some("compiler/rustc_x/src/y.rs:1:2"))], &[]);
    }

    #[test]
    fn what_is_not_a_diagnostic_is_a_plain_line() {
        check(b"{\"artifact\":\"a\"}\n{ x\n\xff{", &[], &["{\"artifact\":\"a\"}", "{ x", "\u{fffd}{"]);
        check(&ERROR.as_bytes()[..40], &[], &[&ERROR[..40]]);
    }

    #[test]
    fn a_span_says_where() {
        let stderr = Stderr::read(ERROR.as_bytes());
        let span = &stderr.diagnostics[0].spans[0];
        assert_eq!((span.file_name.as_str(), span.byte_start, span.byte_end), ("a.rs", 11, 12));
        assert_eq!((span.line_start, span.is_primary), (1, true));
    }
}
