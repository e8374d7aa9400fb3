//! Names of a part that comes into another program.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use mcve_dd::random::Random;
use mcve_transforms::{Edit, Node, Syntax, Tree, covers, edited};

use super::parts::is_capitalized;

/// New names for those that a part mentions and its own program defines elsewhere.
#[derive(Default)]
pub(super) struct Names(BTreeMap<String, String>);

impl Names {
    /// Draws a name of `tree` of the same kind for each name of the part that the part's own program defines outside of it.
    pub(super) fn adapt(tree: &Tree<'_>, part: Node<'_>, random: &mut Random) -> Self {
        let at_home: BTreeSet<&str> = defined(part.tree(), |range| !covers(&part.range(), range)).collect();
        let here: BTreeSet<&str> = defined(tree, |_| true).collect();
        let mentioned: BTreeSet<&str> = part.descendants().filter_map(name).collect();
        let mut names = BTreeMap::new();
        for name in mentioned.intersection(&at_home).filter(|name| !here.contains(**name)) {
            let alike: Vec<&&str> = here.iter().filter(|other| class(other) == class(name)).collect();
            if !alike.is_empty() {
                names.insert((*name).to_owned(), (**alike[random.index(alike.len())]).to_owned());
            }
        }
        Self(names)
    }

    /// The text of a range of the part, with the new names.
    pub(super) fn rename(&self, part: Node<'_>, range: Range<usize>) -> String {
        let renamed = |node: Node<'_>| Some(Edit::replace(node.range(), self.0.get(name(node)?)?));
        let mut edits: Vec<Edit> = part.descendants().filter_map(renamed).collect();
        edits.sort_by_key(|edit| edit.range.start);
        edited(part.source_text(), range, &edits)
    }
}

/// The words of a text that begin with a letter.
pub(super) fn words(text: &str) -> BTreeSet<&str> {
    let words = text.split(|character: char| !character.is_alphanumeric() && character != '_');
    words.filter(|word| word.starts_with(char::is_alphabetic)).collect()
}

/// Lifetimes, names like those of types, and others do not stand for each other.
fn class(name: &str) -> (bool, bool) {
    (name.starts_with('\''), is_capitalized(name))
}

/// The name or the lifetime that the node is.
fn name(node: Node<'_>) -> Option<&str> {
    match node.syntax() {
        Syntax::Ident(_) if !node.parent().is_some_and(|parent| matches!(parent.syntax(), Syntax::Lifetime(_))) => {
            Some(node.text())
        }
        Syntax::Lifetime(_) => Some(node.text()),
        _ => None,
    }
}

/// The names that are defined in places for which `is_wanted` holds.
fn defined<'t>(tree: &'t Tree<'t>, is_wanted: impl Fn(&Range<usize>) -> bool) -> impl Iterator<Item = &'t str> {
    tree.nodes().filter(move |node| is_wanted(&node.range())).filter(|node| is_definition(*node)).filter_map(name)
}

fn is_definition(node: Node<'_>) -> bool {
    node.parent().is_some_and(|parent| {
        matches!(
            parent.syntax(),
            Syntax::Item(_)
                | Syntax::ForeignItem(_)
                | Syntax::ImplItem(_)
                | Syntax::TraitItem(_)
                | Syntax::Signature(_)
                | Syntax::Variant(_)
                | Syntax::GenericParam(_)
                | Syntax::Pat(_)
        )
    })
}
