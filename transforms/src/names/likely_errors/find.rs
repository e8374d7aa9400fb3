//! Finds the likely errors of a file.

use super::found::LikelyErrors;
use super::known::KnownNames;
use super::{agreement, calls, items, names};
use crate::syntax::source::Source;
use crate::syntax::tree::Tree;

impl LikelyErrors {
    /// The errors of a source, none where it does not parse. Linear in its size but for sorting and for the depth of its syntax.
    #[must_use]
    pub fn of(source: &Source) -> Self {
        let tree = Tree::new(source);
        let known = KnownNames::of(&tree);
        let mut errors = Self::default();
        for node in tree.nodes() {
            names::check(node, &known, &mut errors);
            calls::check(node, &known, &mut errors);
        }
        items::find(&tree, &mut errors);
        agreement::find(&tree, &mut errors);
        errors.known = known.into_names();
        errors
    }
}
