//! Imports: their targets, their scopes, and the deletion of their leaves.

use std::ops::Range;

use proc_macro2::Ident;
use syn::{Item, ItemUse, UseTree, Visibility};

use crate::syntax::{List, Node, Syntax};
use crate::text::Edit;

/// The crates that are there without a dependency.
const STANDARD: [&str; 5] = ["std", "core", "alloc", "proc_macro", "test"];

/// Whether a path that begins with `segment` leads into a crate that is there without a dependency.
pub(crate) fn is_standard(segment: &Ident) -> bool {
    STANDARD.iter().any(|name| segment == name)
}

/// The import that a node is or belongs to.
fn import<'t>(node: Node<'t>) -> Option<&'t ItemUse> {
    std::iter::once(node).chain(node.ancestors()).find_map(|node| match node.syntax() {
        Syntax::Item(Item::Use(item)) => Some(item),
        _ => None,
    })
}

/// The scope of the names of an import, if that is not everywhere: its module, if it is not public.
pub(crate) fn import_scope(node: Node<'_>) -> Option<Range<usize>> {
    matches!(import(node)?.vis, Visibility::Inherited).then(|| node.module().map(Node::range))?
}

/// Whether an import is from a crate that is always there.
pub(crate) fn is_foreign(node: Node<'_>) -> bool {
    import(node).is_some_and(|import| match &import.tree {
        UseTree::Path(path) => import.leading_colon.is_some() || is_standard(&path.ident),
        _ => false,
    })
}

/// The target of an import or an element of one, if it is a single name or a glob.
pub(crate) fn imported<'t>(node: Node<'t>) -> Option<&'t UseTree> {
    let mut tree = match node.syntax() {
        Syntax::Item(Item::Use(item)) => &item.tree,
        Syntax::UseTree(tree) => tree,
        _ => return None,
    };
    loop {
        tree = match tree {
            UseTree::Path(path) => &path.tree,
            UseTree::Group(group) if group.items.len() == 1 => &group.items[0],
            UseTree::Group(_) => return None,
            UseTree::Name(_) | UseTree::Rename(_) | UseTree::Glob(_) => return Some(tree),
        }
    }
}

/// The segment before an element of an import, if there is one.
pub(crate) fn before_leaf<'t>(leaf: Node<'t>) -> Option<&'t Ident> {
    let around = leaf.ancestors().map_while(|node| match node.syntax() {
        Syntax::UseTree(tree) => Some(tree),
        _ => None,
    });
    around.into_iter().find_map(|tree| match tree {
        UseTree::Path(path) => Some(&path.ident),
        _ => None,
    })
}

/// The edits that delete a leaf of an import: its place in the group around it, or the whole import.
pub(crate) fn without_leaf(leaf: Node<'_>) -> Vec<Edit> {
    for node in leaf.ancestors() {
        match node.syntax() {
            Syntax::UseTree(UseTree::Group(group)) if group.items.len() > 1 => {
                let list = List::delimited(node, &group.items, group.brace_token.span);
                let index = list.elements.iter().position(|element| element.contains(&leaf.range().start));
                return index.map(|index| list.without(index)).unwrap_or_default();
            }
            Syntax::Item(_) => return vec![Edit::delete(node.range())],
            _ => {}
        }
    }
    Vec::new()
}
