//! The kinds of likely errors, and the difference of the errors of two files.

use std::collections::BTreeSet;

/// A kind of error.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum LikelyError {
    /// The first name of a path is not defined.
    Name,
    /// A name after a `::` is not defined.
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
    /// Undefined names, each with its place.
    missed: BTreeSet<(LikelyError, String, String)>,
    pub(super) known: BTreeSet<String>,
}

impl LikelyErrors {
    /// The kinds of the errors that `base` does not have. A missing name counts only if `base` defines it: the compiler knows
    /// the others.
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
