//! Finds the likely errors of a file.

use super::found::Flaws;
use super::known::Known;
use super::{agreement, calls, items, names};
use crate::syntax::source::Source;
use crate::syntax::tree::Tree;

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
}
