//! What is found: kinds of likely errors, and which of them one file has and another has not.

use std::collections::BTreeSet;

/// What kind of error it is.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum LikelyError {
    /// A name that a path begins with means nothing.
    Name,
    /// A name behind a `::` means nothing.
    Member,
    /// No struct has a field of that name.
    Field,
    /// There is no method of that name.
    Method,
    /// A lifetime is not declared.
    Lifetime,
    /// A call has another number of arguments than there are parameters.
    Arguments,
    /// A struct is made without some of its fields, or with others.
    Fields,
    /// A type has another number of arguments than it has parameters.
    TypeArguments,
    /// A type does not use one of its parameters.
    Unused,
    /// A function or a branch that has a value ends without it.
    Value,
    /// A reference that must have a lifetime has none.
    Elided,
    /// A name is defined twice.
    Twice,
    /// An impl does not agree with its trait.
    Impl,
}

/// The errors of a file.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct LikelyErrors {
    found: BTreeSet<(LikelyError, String)>,
    /// Names that mean nothing, each with where that is.
    missed: BTreeSet<(LikelyError, String, String)>,
    /// Names that mean something.
    pub(super) known: BTreeSet<String>,
}

impl LikelyErrors {
    /// The kinds of those that `base` has not. That a name is missed counts only where `base` knows it: others are known to
    /// the compiler.
    #[must_use]
    pub fn beyond(&self, base: &Self) -> BTreeSet<LikelyError> {
        let found = self.found.difference(&base.found).map(|(flaw, _)| *flaw);
        let missed = self.missed.difference(&base.missed).filter(|(_, name, _)| base.known.contains(name));
        found.chain(missed.map(|(flaw, ..)| *flaw)).collect()
    }

    pub(super) fn find(&mut self, flaw: LikelyError, what: impl Into<String>) {
        self.found.insert((flaw, what.into()));
    }

    pub(super) fn miss(&mut self, flaw: LikelyError, name: impl Into<String>, place: impl Into<String>) {
        self.missed.insert((flaw, name.into(), place.into()));
    }
}
