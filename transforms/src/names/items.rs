//! The parts that can be deleted on their own: the items of a file, of impls and traits, and the elements of imports.

use std::collections::HashMap;
use std::ops::Range;

use proc_macro2::Ident;
use syn::UseTree;

use super::definitions::defined;
use super::imports::{import_scope, imported};
use crate::syntax::{Node, Syntax, Tree, range};
use crate::text::lex::plain;

/// An item, an associated item, or an element of an import.
pub(crate) struct Item<'t> {
    pub(crate) node: Node<'t>,
    /// The names that go with it: its own, those of an enum's variants, those that an import brings into scope.
    pub(crate) idents: Vec<&'t Ident>,
    /// The scope of its names, if that is not everywhere.
    pub(crate) scope: Option<Range<usize>>,
}

impl<'t> Item<'t> {
    fn of(node: Node<'t>) -> Option<Self> {
        let idents = match node.syntax() {
            Syntax::Item(syn::Item::Use(_))
            | Syntax::UseTree(UseTree::Path(_) | UseTree::Name(_) | UseTree::Rename(_) | UseTree::Glob(_)) => {
                match imported(node) {
                    Some(UseTree::Name(leaf)) => vec![&leaf.ident],
                    Some(UseTree::Rename(leaf)) => vec![&leaf.rename],
                    _ => Vec::new(),
                }
            }
            syntax if syntax.is_item() => defined(node),
            _ => return None,
        };
        Some(Self { node, idents, scope: import_scope(node) })
    }

    /// The names that are gone with it, without `r#`.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'t str> {
        self.idents.iter().map(|ident| plain(self.node.text_at(range(*ident))))
    }

    pub(crate) fn is_import(&self) -> bool {
        matches!(self.node.syntax(), Syntax::Item(syn::Item::Use(_)) | Syntax::UseTree(_))
    }
}

/// All items of a file, in source order, outer ones before inner ones.
pub(crate) struct Items<'t> {
    pub(crate) all: Vec<Item<'t>>,
    at: HashMap<Range<usize>, usize>,
}

impl<'t> Items<'t> {
    pub(crate) fn of(tree: &'t Tree<'_>) -> Self {
        let all: Vec<Item<'t>> = tree.nodes().filter_map(Item::of).collect();
        let at = all.iter().enumerate().map(|(index, item)| (item.node.range(), index)).collect();
        Self { all, at }
    }

    /// The one with these bytes.
    pub(crate) fn at(&self, range: &Range<usize>) -> Option<&Item<'t>> {
        self.at.get(range).map(|&index| &self.all[index])
    }
}

/// Which of some nested ranges are open while a text is gone through, the innermost last.
#[derive(Default)]
pub(crate) struct Open(pub(crate) Vec<usize>);

impl Open {
    /// Closes the ranges that end before `byte`; returns the innermost open one.
    pub(crate) fn around(&mut self, ranges: &[Range<usize>], byte: usize) -> Option<usize> {
        while self.0.last().is_some_and(|&range| ranges[range].end <= byte) {
            self.0.pop();
        }
        self.0.last().copied()
    }

    /// Opens `index`, which begins at `byte`; returns the range around it.
    pub(crate) fn enter(&mut self, index: usize, ranges: &[Range<usize>], byte: usize) -> Option<usize> {
        let around = self.around(ranges, byte);
        self.0.push(index);
        around
    }
}
