//! The headers of rustc's own test suite, comments such as `//@ compile-flags: ..` that say how a file is compiled.
//! Source: rustc-dev-guide, "Compiletest directives".
//!
//! Somebody else may have written the file. So mcve follows only headers that are known to run, load and write nothing, unless
//! the user trusts the file.

mod flags;
mod line;
mod rewrite;
mod variables;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;

pub use flags::takes_value;
pub use line::words;
use line::{Line, edition, lines};
pub(crate) use line::{plain, ranges, value_of};
pub(crate) use rewrite::rewrite;

use super::rustc_args;
use crate::visible::visible_line;

/// Headers that change what is compiled in a way that a lone file cannot follow: other crates.
const OTHER_CRATES: [&str; 4] = ["add-minicore", "aux-bin", "aux-codegen-backend", "build-aux-docs"];

/// Headers that only the test suite reads: what to expect, when to run. A hyphen at the end stands for all that begin so.
const EXPECTATIONS: &str = "\
    assembly-output assert- build-fail build-pass check-fail check-pass check-run-results check-stdout \
    compare-output-by-lines dont- error-pattern exact- exec-env failure-status filecheck-flags forbid-output \
    force-host ignore- known-bug llvm-cov-flags max- min- minicore-compile-flags needs- no-auto-check-cfg \
    no-prefer-dynamic normalize- only- pp-exact pretty- reference regex-error-pattern remap-src-base run-crash \
    run-fail run-fail-or-crash run-flags run-pass run-rustfix rustfix-only- should-fail should-ice stderr-per-bitwidth \
    unset-exec-env unused-revision-names";

/// Which headers are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trust {
    /// Those that are known to run, load and write nothing.
    #[default]
    AllowList,
    /// All.
    Everything,
}

/// A header that is not allowed.
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

/// The headers of a file, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers {
    /// Arguments of rustc.
    pub args: Vec<OsString>,
    /// Variables to set, or to unset.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// Other crates that must be compiled first.
    pub crates: Vec<Auxiliary>,
    /// Names of headers that need other crates in a way that mcve does not support.
    pub unsupported: BTreeSet<String>,
    /// Names of unknown headers.
    pub unknown: BTreeSet<String>,
    /// Other headers that are not allowed.
    pub refused: BTreeSet<Refused>,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: `//@ {}`: `{}`", self.line, self.name, visible_line(&self.what))
    }
}

impl Headers {
    /// Reads the headers of a file, on any lines, for each revision in order. A file without revisions has one.
    pub fn revisions(text: &str, trust: Trust) -> Vec<Self> {
        let of_each: Vec<Self> = revisions(text).map(|revision| Self::of(text, Some(revision), trust)).collect();
        if of_each.is_empty() { vec![Self::of(text, None, trust)] } else { of_each }
    }

    /// The headers that are for all revisions.
    pub fn of_all(text: &str, trust: Trust) -> Self {
        Self::of(text, None, trust)
    }

    /// The `--cfg` of each revision in order, as the suite names it to rustc.
    pub fn cfgs(text: &str) -> Vec<String> {
        revisions(text).map(|(_, name)| cfg_of(name)).collect()
    }

    /// The allowed headers of the first revision.
    pub fn parse(text: &str) -> Self {
        Self::revisions(text, Trust::AllowList).swap_remove(0)
    }

    /// The headers of a revision, which is named on a line.
    fn of(text: &str, revision: Option<(usize, &str)>, trust: Trust) -> Self {
        let mut headers = Self::default();
        if let Some((line, name)) = revision {
            // What begins otherwise is an option to some reader, or names a file with arguments.
            if trust == Trust::Everything || name.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
                headers.args.extend(["--cfg".into(), cfg_of(name).into()]);
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

    /// The arguments of rustc; each that belongs to the program is one word, to be removed alone. None if one is not UTF-8.
    pub(crate) fn separate_args(&self) -> Option<Vec<String>> {
        let (of_program, others) = rustc_args::split(&self.args);
        let others = others.into_iter().map(|argument| argument.into_string().ok());
        of_program.into_iter().map(Some).chain(others).collect()
    }

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

/// Whether a header only speaks to the test suite.
fn is_expectation(name: &str) -> bool {
    EXPECTATIONS.split(' ').any(|known| if known.ends_with('-') { name.starts_with(known) } else { name == known })
}

/// The names of the revisions, each with the number of its line.
fn revisions(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = lines(text).filter(|line| line.name == "revisions");
    lines.flat_map(|line| line.value.split_whitespace().map(move |name| (line.number, name)))
}

/// The option that a revision sets, as the suite names it to rustc.
fn cfg_of(revision: &str) -> String {
    revision.to_lowercase().replace('-', "_")
}

#[cfg(test)]
mod tests;
