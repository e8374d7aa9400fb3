//! Finds the likely errors of a file.

use super::found::LikelyErrors;
use super::{agreement, calls, items, names};
use crate::names::Analysis;
use crate::names::definitions::Kind;
use crate::syntax::{Source, Tree};

impl LikelyErrors {
    /// The errors of a source, none if it does not parse. Linear in its size except for sorting, for the depth
    /// of its syntax, and for names that are defined and used many times: each use looks at all definitions of its name.
    pub fn of(source: &Source) -> Self {
        let tree = Tree::new(source);
        let names = Analysis::of(&tree);
        let mut errors = Self::default();
        for node in tree.nodes() {
            names::check(node, &names, &mut errors);
            calls::check(node, &names, &mut errors);
        }
        items::find(&names, &mut errors);
        agreement::find(&names, &mut errors);
        let is_known = |kind| !matches!(kind, Kind::Argument | Kind::Label);
        let known = names.definitions().all.iter().filter(|own| is_known(own.kind));
        errors.known = known.map(|own| own.key().to_owned()).collect();
        errors
    }
}
