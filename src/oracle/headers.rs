//! The headers of rustc's own test suite: `//@ compile-flags: ..` and its kin, comments that say how a file is compiled.
//! Source: rustc-dev-guide, "Compiletest directives".
//!
//! They are text of a file that somebody else may have written. So only those are followed that are known to run, load and
//! write nothing; who trusts the file can have all of them followed.

mod flags;
mod rewrite;
mod variables;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;
use std::ops::Range;

pub use rewrite::rewrite;

use super::rustc_args;
use super::shell::visible;

/// Headers that change what is compiled in a way that a lone file cannot follow: other crates.
const OTHER_CRATES: [&str; 4] = ["add-minicore", "aux-bin", "aux-codegen-backend", "build-aux-docs"];

/// Headers that tell the test suite what to expect and when to run; rustc never sees them. A hyphen at the end stands for all
/// that begin so.
const EXPECTATIONS: [&str; 45] = [
    "assembly-output",
    "assert-",
    "build-fail",
    "build-pass",
    "check-fail",
    "check-pass",
    "check-run-results",
    "check-stdout",
    "compare-output-by-lines",
    "dont-",
    "error-pattern",
    "exact-",
    "exec-env",
    "failure-status",
    "filecheck-flags",
    "forbid-output",
    "force-host",
    "ignore-",
    "known-bug",
    "llvm-cov-flags",
    "max-",
    "min-",
    "minicore-compile-flags",
    "needs-",
    "no-auto-check-cfg",
    "no-prefer-dynamic",
    "normalize-",
    "only-",
    "pp-exact",
    "pretty-",
    "reference",
    "regex-error-pattern",
    "remap-src-base",
    "run-crash",
    "run-fail",
    "run-fail-or-crash",
    "run-flags",
    "run-pass",
    "run-rustfix",
    "rustfix-only-",
    "should-fail",
    "should-ice",
    "stderr-per-bitwidth",
    "unset-exec-env",
    "unused-revision-names",
];

/// Which headers are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trust {
    /// Those that are known to run, load and write nothing.
    #[default]
    AllowList,
    /// All.
    Everything,
}

/// What a header asks for that is not allowed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Refused {
    /// The number of its line, from 1.
    pub line: usize,
    /// The name of the header.
    pub name: String,
    /// The option, variable or revision.
    pub what: String,
}

/// A crate that a file needs: `aux-build`, `aux-crate`, `proc-macro`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Auxiliary {
    /// Its file, in the folder `auxiliary` beside the file that needs it.
    pub file: String,
    /// The name by which it is given to the compiler, if it is.
    pub name: Option<String>,
    /// Whether it is one of procedural macros.
    pub is_proc_macro: bool,
}

impl Auxiliary {
    fn of(header: &str, value: &str) -> Option<Self> {
        let value = value.split_whitespace().next()?;
        let stem = |file: &str| file.rsplit('/').next().unwrap_or(file).trim_end_matches(".rs").replace('-', "_");
        let (file, name) = match header {
            "aux-build" => (value, None),
            "proc-macro" => (value, Some(stem(value))),
            "aux-crate" => {
                let (name, file) = value.split_once('=')?;
                (file, Some(name.rsplit(':').next().unwrap_or(name).to_owned()))
            }
            _ => return None,
        };
        Some(Self { file: file.to_owned(), name, is_proc_macro: header == "proc-macro" })
    }
}

/// What the headers of a file ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers {
    /// Arguments of rustc.
    pub args: Vec<OsString>,
    /// Variables to set, or to unset.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// Other crates that are to be compiled before.
    pub crates: Vec<Auxiliary>,
    /// Names of headers that ask for other crates in a way that nobody follows here.
    pub unsupported: BTreeSet<String>,
    /// Names of headers that nobody knows.
    pub unknown: BTreeSet<String>,
    /// What they ask for that is not allowed, and not among the above.
    pub refused: BTreeSet<Refused>,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: `//@ {}`: `{}`", self.line, self.name, visible(&self.what))
    }
}

impl Headers {
    /// Reads the headers of a file, which may stand on any line: what each of its revisions asks for, in order. A file
    /// without revisions has one.
    #[must_use]
    pub fn revisions(text: &str, trust: Trust) -> Vec<Self> {
        let revisions = lines(text).filter(|line| line.name == "revisions");
        let names: Vec<(usize, &str)> =
            revisions.flat_map(|line| line.value.split_whitespace().map(move |name| (line.number, name))).collect();
        if names.is_empty() {
            return vec![Self::of(text, None, trust)];
        }
        names.into_iter().map(|name| Self::of(text, Some(name), trust)).collect()
    }

    /// What the headers ask for in the first revision, as far as it is allowed.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        Self::revisions(text, Trust::AllowList).swap_remove(0)
    }

    /// What they ask for in a revision, which is named on a line.
    fn of(text: &str, revision: Option<(usize, &str)>, trust: Trust) -> Self {
        let mut headers = Self::default();
        if let Some((line, name)) = revision {
            // What begins otherwise is an option to some reader, or names a file with arguments.
            if trust == Trust::Everything || name.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
                // As the suite names it to rustc.
                headers.args.extend(["--cfg".into(), name.to_lowercase().replace('-', "_").into()]);
            } else {
                headers.refuse(line, "revisions", name);
            }
        }
        let revision = revision.map(|(_, name)| name);
        for line in lines(text).filter(|line| line.is_in(revision)) {
            headers.add(&line, text, trust);
        }
        headers
    }

    /// The arguments of rustc, those that belong to a program each in one word, so that it can go without the others; none where
    /// one is no text.
    #[must_use]
    pub fn separate_args(&self) -> Option<Vec<String>> {
        let (of_program, others) = rustc_args::split(&self.args);
        let others = others.into_iter().map(|argument| argument.into_string().ok());
        of_program.into_iter().map(Some).chain(others).collect()
    }

    /// Adds what a line of the program `text` asks for.
    fn add(&mut self, line: &Line<'_>, text: &str, trust: Trust) {
        match line.name {
            "compile-flags" => {
                let words = words(line.value);
                if trust == Trust::Everything {
                    self.args.extend(words);
                    return;
                }
                let (allowed, refused) = flags::sort(&words);
                self.args.extend(allowed);
                refused.iter().for_each(|option| self.refuse(line.number, line.name, option));
            }
            "edition" => self.args.push(format!("--edition={}", edition(line.value)).into()),
            "incremental" => self.args.push("-Cincremental=incremental".into()),
            "rustc-env" => {
                if let Some((name, value)) = line.value.split_once('=') {
                    let is_allowed = trust == Trust::Everything || variables::is_allowed(name, Some(value), text);
                    self.add_variable(line, (name, Some(value)), is_allowed);
                }
            }
            "unset-rustc-env" => {
                let is_allowed = trust == Trust::Everything || variables::is_allowed(line.value, None, text);
                self.add_variable(line, (line.value, None), is_allowed);
            }
            "revisions" => {}
            "aux-build" | "aux-crate" | "proc-macro" => self.crates.extend(Auxiliary::of(line.name, line.value)),
            name if OTHER_CRATES.contains(&name) => _ = self.unsupported.insert(name.to_owned()),
            name if is_expectation(name) => {}
            name => _ = self.unknown.insert(name.to_owned()),
        }
    }

    fn add_variable(&mut self, line: &Line<'_>, (name, value): (&str, Option<&str>), is_allowed: bool) {
        if is_allowed {
            self.env.push((name.into(), value.map(OsString::from)));
        } else {
            self.refuse(line.number, line.name, line.value);
        }
    }

    fn refuse(&mut self, line: usize, name: &str, what: &str) {
        self.refused.insert(Refused { line, name: name.to_owned(), what: what.to_owned() });
    }
}

/// A header: `//@[revisions] name: value`.
struct Line<'a> {
    /// From 1.
    number: usize,
    /// The revisions that it is for; none: all.
    revisions: Option<&'a str>,
    name: &'a str,
    value: &'a str,
}

impl Line<'_> {
    fn is_in(&self, revision: Option<&str>) -> bool {
        self.revisions.is_none_or(|names| revision.is_some_and(|name| names.split(',').any(|it| it.trim() == name)))
    }
}

fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    text.lines().zip(1..).filter_map(|(line, number)| {
        let header = line.trim_start().strip_prefix("//@")?.trim_start();
        let (revisions, header) = match header.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((names, header)) => (Some(names), header),
            None => (None, header),
        };
        let (name, value) = header.split_once(':').unwrap_or_else(|| {
            let header = header.trim_start();
            header.split_once(char::is_whitespace).unwrap_or((header, ""))
        });
        // A comment that begins like a header and goes on in words is none.
        let name = name.trim();
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        (!name.is_empty() && name.chars().all(is_name)).then(|| Line { number, revisions, name, value: value.trim() })
    })
}

/// The value of the first header of this name, if there is one.
#[must_use]
pub(super) fn value_of<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    lines(text).find(|line| line.name == name && !line.value.is_empty()).map(|line| line.value)
}

/// The headers that are for all revisions: the name of each, and all behind the sign.
pub(super) fn plain(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(move |line| {
        let header = lines(line).next().filter(|header| header.revisions.is_none())?;
        Some((header.name, line.trim_start().strip_prefix("//@")?.trim()))
    })
}

/// The bytes of each line that is a header.
pub(super) fn ranges(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let all = text.split_inclusive('\n').map(|line| {
        start += line.len();
        (start - line.len()..start, lines(line).next().is_some())
    });
    all.filter(|(_, is_header)| *is_header).map(|(range, _)| range).collect()
}

fn is_expectation(name: &str) -> bool {
    EXPECTATIONS.iter().any(|known| if known.ends_with('-') { name.starts_with(known) } else { name == *known })
}

/// The words of a line, in which single quotes keep spaces together.
#[must_use]
pub fn words(line: &str) -> Vec<OsString> {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(number, part)| match number % 2 {
        0 => part.split_whitespace().map(OsString::from).collect(),
        _ => vec![OsString::from(part)],
    });
    words.collect()
}

/// An edition, or the first one of a range such as `2018..2024`.
fn edition(value: &str) -> &str {
    let value = value.split_whitespace().next().unwrap_or_default();
    match value.split_once("..") {
        Some(("", last)) => last.trim_start_matches('='),
        Some((first, _)) => first,
        None => value,
    }
}

#[cfg(test)]
mod tests;
