//! A tree with the meaning of its names: each part is computed on first use, once for all transforms.

use std::cell::OnceCell;
use std::ops::{Deref, Range};

use super::accesses::Accesses;
use super::captured::Captured;
use super::definitions::{Definition, Definitions};
use super::functions::{Function, Home, function};
use super::items::Items;
use super::mentions::{Mention, mentions};
use super::modules::Modules;
use super::own_names::OwnNames;
use super::variants::{EnumVariant, variants};
use crate::document::Document;
use crate::syntax::{Node, Tree};

/// The meaning of the names of a tree. It dereferences to the tree.
pub struct Analysis<'t> {
    tree: &'t Tree<'t>,
    parts: Parts<'t>,
}

#[derive(Default)]
struct Parts<'t> {
    definitions: OnceCell<Definitions<'t>>,
    functions: OnceCell<Vec<Function<'t>>>,
    variants: OnceCell<Vec<EnumVariant<'t>>>,
    accesses: OnceCell<Accesses<'t>>,
    own_names: OnceCell<OwnNames<'t>>,
    items: OnceCell<Items<'t>>,
    modules: OnceCell<Modules<'t>>,
    mentions: OnceCell<Vec<(usize, Mention<'t>)>>,
    captured: OnceCell<Captured<'t>>,
    document: OnceCell<Option<Document>>,
}

impl<'t> Analysis<'t> {
    /// The analysis of `tree`, of which nothing is computed yet.
    pub fn of(tree: &'t Tree<'t>) -> Self {
        Self { tree, parts: Parts::default() }
    }

    /// The tree that it analyses.
    pub fn tree(&self) -> &'t Tree<'t> {
        self.tree
    }

    pub(crate) fn definitions(&self) -> &Definitions<'t> {
        self.parts.definitions.get_or_init(|| Definitions::of(self.tree))
    }

    pub(crate) fn types(&self) -> impl Iterator<Item = &Definition<'t>> {
        self.definitions().all.iter().filter(|own| own.is_type())
    }

    pub(crate) fn traits(&self) -> impl Iterator<Item = &Definition<'t>> {
        self.definitions().all.iter().filter(|own| own.is_trait())
    }

    pub(crate) fn functions(&self) -> &[Function<'t>] {
        self.parts.functions.get_or_init(|| self.tree.nodes().filter_map(function).collect())
    }

    /// The functions directly in an impl or trait.
    pub(crate) fn functions_in(&self, home: Node<'_>) -> Vec<&Function<'t>> {
        let is_in = |function: &&Function<'_>| function.node.parent().is_some_and(|parent| parent.row() == home.row());
        self.functions().iter().filter(is_in).collect()
    }

    /// The names of the functions that no impl or trait holds.
    pub(crate) fn free_functions(&self) -> impl Iterator<Item = String> {
        self.functions().iter().filter(|function| function.home == Home::Module).map(Function::name)
    }

    /// All variants of enums, in source order.
    pub(crate) fn variants(&self) -> &[EnumVariant<'t>] {
        self.parts.variants.get_or_init(|| variants(self.tree))
    }

    pub(crate) fn accesses(&self) -> &Accesses<'t> {
        self.parts.accesses.get_or_init(|| Accesses::of(self.tree))
    }

    pub(crate) fn own_names(&self) -> &OwnNames<'t> {
        self.parts.own_names.get_or_init(|| OwnNames::of(self.tree, self.definitions()))
    }

    /// The names that the file chooses itself and could change, each with the bytes of its first definition: none that a
    /// foreign trait or a path into another crate needs.
    pub fn chosen_names(&self) -> impl Iterator<Item = (&str, Range<usize>)> {
        let own = self.own_names();
        own.all.iter().map(|own| (own.name, own.range.clone())).filter(|(name, _)| !own.is_foreign(name))
    }

    /// The parts that can be deleted on their own, with the names that go with them.
    pub(crate) fn items(&self) -> &Items<'t> {
        self.parts.items.get_or_init(|| Items::of(self.tree))
    }

    pub(crate) fn modules(&self) -> &Modules<'t> {
        self.parts.modules.get_or_init(|| Modules::of(self.tree))
    }

    /// The mention of each word, with its first byte, in source order.
    pub(crate) fn mentions(&self) -> &[(usize, Mention<'t>)] {
        self.parts.mentions.get_or_init(|| mentions(self.tree, self.modules()))
    }

    /// Where format strings name variables.
    pub(crate) fn captured(&self) -> &Captured<'t> {
        self.parts.captured.get_or_init(|| Captured::of(self.tree))
    }

    /// The document that the source is, if it has marks. Where its root file is matters only for where modules are looked for.
    pub(crate) fn document(&self) -> Option<&Document> {
        let read = || {
            let text = self.tree.source().text();
            if text.contains(Document::SIGN) { Document::read(text, "") } else { None }
        };
        self.parts.document.get_or_init(read).as_ref()
    }
}

impl<'t> Deref for Analysis<'t> {
    type Target = Tree<'t>;

    fn deref(&self) -> &Tree<'t> {
        self.tree
    }
}
