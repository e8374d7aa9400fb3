//! Which names in two diagnostics are the same. A name that the program chose itself is followed by where it comes from, so that
//! it may be changed; every other one stays as it is.

use std::collections::HashSet;

use mcve_transforms::{Analysis, Source, Tree};

use crate::program::Program;

/// Tells which names of a program are those of the unreduced one.
pub(super) struct Names<'a> {
    /// The names that the unreduced program chose.
    pub(super) own: &'a HashSet<String>,
    /// The program whose names are compared with them; none where names do not change.
    pub(super) seen: Option<&'a Program>,
}

impl Names<'_> {
    /// Whether `seen` is what `held` was in the unreduced program.
    pub(super) fn are_same(&self, held: &str, seen: &str) -> bool {
        match self.seen.filter(|_| self.own.contains(held)) {
            Some(program) => program.words_behind(seen).contains(held),
            None => held == seen,
        }
    }
}

/// The names that a program chose itself.
pub(super) fn own_names(program: &Program) -> HashSet<String> {
    let source = Source::parse(&*program.text);
    let tree = Tree::new(&source);
    Analysis::of(&tree).chosen_names().map(str::to_owned).collect()
}
