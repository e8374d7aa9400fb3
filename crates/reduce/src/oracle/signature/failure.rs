//! The identity of a failure of rustc, and its description.

use std::collections::BTreeSet;
use std::fmt;

use super::identity::name;
use crate::exec::job::End;
use crate::oracle::output::diagnostics::Diagnostic;
use crate::oracle::output::normalise;

/// The identity of a failure: [`is_same`](Self::is_same) decides whether two runs show the same failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind of failure.
    pub kind: Kind,
    /// The message, with `_` for what depends on the program. Empty where there is none.
    pub message: String,
    /// The message as it was written, for people.
    pub said: String,
    /// Where in the compiler: `compiler/rustc_x/src/y.rs:123:4`.
    pub place: Option<String>,
    /// The kind of the query that was being answered, such as `typeck`.
    pub query: Option<String>,
    /// Of a stack overflow: the return addresses that recurred, relative to their libraries.
    pub recursion: BTreeSet<String>,
    /// The errors in the program: codes, names of denied lints, and the messages of errors that have no code.
    pub codes: BTreeSet<String>,
}

/// The kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// An internal compiler error.
    Ice,
    /// An internal compiler error that was delayed, and reported because no error followed.
    DelayedBug,
    /// The compiler recursed too deeply.
    StackOverflow,
    /// A signal ended the compiler.
    Signal(i32),
    /// LLVM gave up.
    Llvm,
    /// Errors in the program.
    Errors,
}

impl Failure {
    pub(crate) fn of_error(error: &Diagnostic) -> Self {
        let (place, query, recursion) = Default::default();
        let message = normalise::message(&error.said());
        let said = normalise::line(&error.said());
        Self { kind: Kind::Errors, message, said, place, query, recursion, codes: [name(error)].into() }
    }

    /// Whether the same query is on top of the stack, or a frame of the recursion is the same.
    pub(crate) fn has_same_stack(&self, other: &Self) -> bool {
        let recursion = self.recursion.is_empty() && other.recursion.is_empty()
            || self.recursion.intersection(&other.recursion).next().is_some();
        self.query == other.query && recursion
    }

    /// The first error of the other one that this one does not come with.
    pub(crate) fn new_error<'a>(&self, other: &'a Self) -> Option<&'a str> {
        other.codes.iter().find(|code| !self.codes.contains(*code)).map(String::as_str)
    }

    /// Whether it is the program that is wrong and not the compiler.
    pub(crate) fn is_in_program(&self) -> bool {
        self.kind == Kind::Errors
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Ice => f.write_str("internal compiler error")?,
            Kind::DelayedBug => f.write_str("internal compiler error, delayed")?,
            Kind::StackOverflow => f.write_str("stack overflow of the compiler")?,
            Kind::Signal(signal) => write!(f, "crash of the compiler by {}", End::Signalled(signal))?,
            Kind::Llvm => f.write_str("LLVM error")?,
            Kind::Errors => {
                // The name of an error without a code is its message, which follows.
                let mut names: Vec<&str> = self.codes.iter().map(String::as_str).collect();
                names.retain(|name| *name != self.message);
                f.write_str(if names.len() > 1 { "errors" } else { "error" })?;
                if !names.is_empty() {
                    write!(f, " {}", names.join(", "))?;
                }
            }
        }
        if let Some(place) = &self.place {
            write!(f, " at {place}")?;
        }
        if !self.said.is_empty() {
            write!(f, ": {}", self.said)?;
        }
        if let Some(query) = &self.query {
            write!(f, " (while {query})")?;
        }
        Ok(())
    }
}
