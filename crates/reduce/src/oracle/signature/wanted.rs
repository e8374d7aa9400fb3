//! Which diagnostic of several is the failure: the first error, or the one that was asked for.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use regex::Regex;

use crate::oracle::output::diagnostics::{Diagnostic, Span};

/// Which diagnostic is asked for: by default the first error.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Error codes and names of lints.
    pub codes: Vec<String>,
    /// Patterns that its message, a label, a note or a suggestion matches.
    pub messages: Vec<Regex>,
    /// The line that it is about.
    pub at: Option<At>,
}

/// A line of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// The end of the path of its file; none where any file will do.
    pub file: Option<PathBuf>,
    /// The line, from 1.
    pub line: usize,
}

impl FromStr for At {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (file, line) = match text.rsplit_once(':') {
            Some((file, line)) => (Some(PathBuf::from(file)), line),
            None => (None, text),
        };
        let line = line.parse().ok().filter(|line| *line > 0);
        let line =
            line.ok_or_else(|| format!("`{text}` is neither LINE nor FILE:LINE, such as `12` or `src/lib.rs:12`"))?;
        Ok(Self { file, line })
    }
}

impl std::fmt::Display for At {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{}:{}", file.display(), self.line),
            None => write!(f, "line {}", self.line),
        }
    }
}

impl At {
    fn is_of(&self, diagnostic: &Diagnostic) -> bool {
        let is_at = |span: &Span| {
            let is_file = self.file.as_ref().is_none_or(|file| Path::new(&span.file_name).ends_with(file));
            is_file && (span.line_start..=span.line_end.max(span.line_start)).contains(&self.line)
        };
        let in_call = |span: &Span| span.expansion.as_ref().is_some_and(|expansion| is_at(&expansion.span));
        diagnostic.primary().any(|span| is_at(span) || in_call(span))
    }
}

impl Wanted {
    /// Whether nothing is asked for, so that the first error counts.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty() && self.messages.is_empty() && self.at.is_none()
    }

    /// The first diagnostic with all of these; if there is none, the first for each code and message.
    ///
    /// # Errors
    /// If one of these is not there: which.
    pub fn choose<'d>(&self, diagnostics: &'d [Diagnostic]) -> Result<Vec<&'d Diagnostic>, String> {
        if self.is_empty() {
            let first = diagnostics.iter().find(|diagnostic| diagnostic.is_user_error());
            return first.map(|first| vec![first]).ok_or_else(|| "no error".to_owned());
        }
        let there: Vec<&Diagnostic> =
            diagnostics.iter().filter(|diagnostic| self.at.as_ref().is_none_or(|at| at.is_of(diagnostic))).collect();
        if let Some(at) = self.at.as_ref().filter(|_| there.is_empty()) {
            return Err(format!("nothing about {at}"));
        }
        if let Some(one) = there.iter().find(|said| self.is_all_of(said)).filter(|_| self.codes.len() < 2) {
            return Ok(vec![*one]);
        }
        let mut chosen = Vec::new();
        for code in &self.codes {
            chosen.push(*there.iter().find(|said| has_code(said, code)).ok_or_else(|| format!("no {code}"))?);
        }
        for regex in &self.messages {
            let found = there.iter().find(|said| has_text(said, regex));
            chosen.push(*found.ok_or_else(|| format!("nothing that matches `{regex}`"))?);
        }
        Ok(chosen)
    }

    /// All diagnostics with all of these.
    pub fn all<'d>(&self, diagnostics: &'d [Diagnostic]) -> Vec<&'d Diagnostic> {
        diagnostics.iter().filter(|said| self.is_all_of(said)).collect()
    }

    fn is_all_of(&self, said: &Diagnostic) -> bool {
        let codes = self.codes.is_empty() || self.codes.iter().any(|code| has_code(said, code));
        let is_at = self.at.as_ref().is_none_or(|at| at.is_of(said));
        codes && is_at && self.messages.iter().all(|regex| has_text(said, regex))
    }

    /// A copy for any line, as lines move while a program shrinks.
    pub fn anywhere(&self) -> Self {
        Self { at: None, ..self.clone() }
    }
}

impl std::fmt::Display for Wanted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let messages = self.messages.iter().map(|regex| format!("something that matches `{regex}`"));
        let words: Vec<String> = self.codes.iter().cloned().chain(messages).collect();
        f.write_str(&words.join(" and "))
    }
}

fn has_code(diagnostic: &Diagnostic, code: &str) -> bool {
    diagnostic.code_or_lint() == Some(code)
}

fn has_text(diagnostic: &Diagnostic, regex: &Regex) -> bool {
    diagnostic.texts().any(|text| regex.is_match(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagnostic(level: &str, code: &str, message: &str, line: usize, note: &str) -> Diagnostic {
        let text = format!(
            r#"{{"level":"{level}","code":{{"code":"{code}"}},"message":"{message}","spans":[{{"file_name":"src/a.rs","byte_start":0,"byte_end":1,"line_start":{line},"line_end":{line},"column_start":1,"is_primary":true,"label":"label of {code}"}}],"children":[{{"level":"note","message":"{note}","code":null}}],"rendered":null}}"#
        );
        serde_json::from_str(&text).expect("it is a diagnostic")
    }

    #[track_caller]
    fn check(codes: &[&str], messages: &[&str], at: Option<&str>, expected: Result<&[usize], &str>) {
        let all = [
            diagnostic("warning", "unused", "never read", 1, "nobody"),
            diagnostic("error", "E0001", "first", 2, "one"),
            diagnostic("error", "E0002", "second", 3, "two"),
            diagnostic("error", "E0002", "second again", 4, "three"),
        ];
        let codes = codes.iter().map(|code| (*code).to_owned()).collect();
        let messages = messages.iter().map(|regex| Regex::new(regex).expect("it is one")).collect();
        let at = at.map(|at| at.parse().expect("it is a line"));
        let chosen = Wanted { codes, messages, at }.choose(&all);
        let lines = chosen.map(|chosen| chosen.iter().map(|one| one.spans[0].line_start).collect::<Vec<_>>());
        assert_eq!(lines, expected.map(<[usize]>::to_vec).map_err(str::to_owned));
    }

    #[test]
    fn one_diagnostic_is_chosen() {
        check(&[], &[], None, Ok(&[2]));
        check(&["E0002"], &[], None, Ok(&[3]));
        check(&["unused"], &[], None, Ok(&[1]));
        check(&["E0002"], &["again"], None, Ok(&[4]));
        check(&[], &["second"], None, Ok(&[3]));
        check(&[], &[], Some("4"), Ok(&[4]));
        check(&[], &[], Some("a.rs:3"), Ok(&[3]));
        check(&[], &[], Some("b.rs:3"), Err("nothing about b.rs:3"));
        check(&["E0002"], &[], Some("2"), Err("no E0002"));
        check(&["E0003"], &[], None, Err("no E0003"));
    }

    #[test]
    fn all_that_a_compiler_prints_can_be_asked_for() {
        check(&[], &["^three$"], None, Ok(&[4]));
        check(&[], &["label of E0001"], None, Ok(&[2]));
    }

    #[test]
    fn where_no_diagnostic_is_all_of_it_there_are_several() {
        check(&["E0001", "E0002"], &[], None, Ok(&[2, 3]));
        check(&["E0001"], &["again"], None, Ok(&[2, 4]));
        check(&["E0001"], &["nobody said"], None, Err("nothing that matches `nobody said`"));
    }

    #[test]
    fn a_line_is_a_number_from_one() {
        for text in ["", "0", "x", "a.rs:", "a.rs:0"] {
            assert!(text.parse::<At>().is_err(), "{text}");
        }
    }
}
