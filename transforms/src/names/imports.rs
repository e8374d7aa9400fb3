//! Imports: what takes their leaves away.

use syn::UseTree;

use crate::syntax::generics::inside;
use crate::syntax::list::List;
use crate::syntax::tree::{Node, Syntax};
use crate::text::edit::Edit;

/// What takes a leaf of an import away: its place in the group around it, or the whole import.
pub(crate) fn without_leaf(leaf: Node<'_>) -> Vec<Edit> {
    for node in leaf.ancestors() {
        match node.syntax() {
            Syntax::UseTree(UseTree::Group(group)) if group.items.len() > 1 => {
                let list = List::new(node, &group.items, inside(group.brace_token.span));
                let index = list.elements.iter().position(|element| element.contains(&leaf.range().start));
                return index.map(|index| list.without(index)).unwrap_or_default();
            }
            Syntax::Item(_) => return vec![Edit::delete(node.range())],
            _ => {}
        }
    }
    Vec::new()
}
