//! What a compiler is sure to refuse, as far as the syntax of a file tells: names that nothing defines, calls with too few
//! arguments, functions without the value that they promise.
//!
//! Nothing here knows types, expands macros or looks out of the file, so what is found in one file alone says little. What a
//! file has, and the one that it was made of has not, was most likely broken on the way.

mod agreement;
mod calls;
mod items;
mod known;
mod names;

use std::collections::BTreeSet;

use crate::source::Source;
use crate::tree::Tree;
use known::Known;

/// What kind of flaw it is.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Flaw {
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
    /// A function that returns something ends without it.
    Value,
    /// A reference that must have a lifetime has none.
    Elided,
    /// A name is defined twice.
    Twice,
    /// An impl does not agree with its trait.
    Impl,
}

/// The flaws of a file.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Flaws {
    found: BTreeSet<(Flaw, String)>,
    /// Names that mean nothing, each with where that is.
    missed: BTreeSet<(Flaw, String, String)>,
    /// Names that mean something.
    known: BTreeSet<String>,
}

impl Flaws {
    /// The flaws of a source, none where it does not parse. Linear in its size but for sorting and for the depth of its syntax.
    #[must_use]
    pub fn of(source: &Source) -> Self {
        let tree = Tree::new(source);
        let known = Known::of(&tree);
        let mut flaws = Self::default();
        for node in tree.nodes() {
            names::judge(node, &known, &mut flaws);
            calls::judge(node, &known, &mut flaws);
        }
        items::find(&tree, &mut flaws);
        agreement::find(&tree, &mut flaws);
        flaws.known = known.into_names();
        flaws
    }

    /// The kinds of those that `base` has not. That a name is missed counts only where `base` knows it: others are known to
    /// the compiler.
    #[must_use]
    pub fn beyond(&self, base: &Self) -> BTreeSet<Flaw> {
        let found = self.found.difference(&base.found).map(|(flaw, _)| *flaw);
        let missed = self.missed.difference(&base.missed).filter(|(_, name, _)| base.known.contains(name));
        found.chain(missed.map(|(flaw, ..)| *flaw)).collect()
    }

    fn find(&mut self, flaw: Flaw, what: impl Into<String>) {
        self.found.insert((flaw, what.into()));
    }

    fn miss(&mut self, flaw: Flaw, name: impl Into<String>, place: impl Into<String>) {
        self.missed.insert((flaw, name.into(), place.into()));
    }
}

#[cfg(test)]
mod tests;
