//! Which names in two diagnostics are the same. A name that the program chose itself is followed by where it comes from, so that
//! it may be changed; every other one stays as it is.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;

use mcve_transforms::{Analysis, Source, Tree};

use crate::program::Program;

/// The names that the unreduced program chose.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnNames(HashSet<String>);

impl OwnNames {
    /// Those of `program`, without those of other crates that are parts of it.
    pub(crate) fn of(program: &Program) -> Self {
        let files = program.document().map_or_else(Vec::new, |document| document.files.clone());
        let crates: Vec<Range<usize>> =
            files.into_iter().filter(|file| file.arguments.is_some()).map(|file| file.range).collect();
        Self(chosen(&Source::parse(&*program.text), |place| !crates.iter().any(|range| range.contains(&place))))
    }

    /// Compares them with those of `program`; without one, names do not change.
    pub(crate) fn seen_in<'a>(&'a self, program: Option<&'a Program>) -> Names<'a> {
        let source = OnceCell::new();
        Names { own: self, program, source, chosen: OnceCell::new() }
    }
}

/// Tells which names of a program are those of the unreduced one.
pub struct Names<'a> {
    own: &'a OwnNames,
    /// The program whose names are compared.
    pub(crate) program: Option<&'a Program>,
    source: OnceCell<Source>,
    /// The names that it chose itself.
    chosen: OnceCell<HashSet<String>>,
}

impl Names<'_> {
    /// Whether `seen` is what `held` was in the unreduced program: not another item, and none of somebody else.
    pub(crate) fn are_same(&self, held: &str, seen: &str) -> bool {
        let Some(program) = self.program.filter(|_| self.is_own(held)) else { return held == seen };
        let is_chosen =
            || self.source().is_none_or(|source| self.chosen.get_or_init(|| chosen(source, |_| true)).contains(seen));
        let behind = program.words_behind(seen);
        // What a suggestion writes comes from nowhere.
        held == seen && behind.is_empty() || behind.contains(held) && (held == seen || is_chosen())
    }

    /// Whether the unreduced program chose a name.
    pub(crate) fn is_own(&self, held: &str) -> bool {
        self.own.0.contains(held)
    }

    /// The text of the program, parsed.
    pub(crate) fn source(&self) -> Option<&Source> {
        let program = self.program?;
        Some(self.source.get_or_init(|| Source::parse(&*program.text)))
    }
}

/// The names that a program chose itself, first at places of which this holds.
fn chosen(source: &Source, is_at: impl Fn(usize) -> bool) -> HashSet<String> {
    let tree = Tree::new(source);
    let names = Analysis::of(&tree);
    names.chosen_names().filter(|(_, range)| is_at(range.start)).map(|(name, _)| name.to_owned()).collect()
}
