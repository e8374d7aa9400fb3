//! What an item, an associated item or an import makes known.

use std::ops::Range;

use proc_macro2::Ident;
use syn::{Item, ItemUse, UseTree, Visibility};

use super::definitions::Definition;
use crate::syntax::tree::{Node, Syntax};
use crate::text::lex::plain;

/// The crates that are there without a dependency.
const STANDARD: [&str; 5] = ["std", "core", "alloc", "proc_macro", "test"];

/// Whether a path that begins with `segment` leads into a crate that is there without a dependency.
pub(crate) fn is_standard(segment: &Ident) -> bool {
    STANDARD.iter().any(|name| segment == name)
}

pub(crate) fn word<'t>(text: &'t str, ident: &Ident) -> &'t str {
    plain(&text[ident.span().byte_range()])
}

pub(crate) fn is_part(node: Node<'_>) -> bool {
    matches!(
        node.syntax(),
        Syntax::Item(_)
            | Syntax::ImplItem(_)
            | Syntax::TraitItem(_)
            | Syntax::ForeignItem(_)
            | Syntax::UseTree(UseTree::Path(_) | UseTree::Name(_) | UseTree::Rename(_) | UseTree::Glob(_))
    )
}

pub(crate) fn own_trait<'t>(node: Node<'t>) -> Option<&'t Ident> {
    match node.syntax() {
        Syntax::Item(Item::Trait(item)) => Some(&item.ident),
        Syntax::Item(Item::TraitAlias(item)) => Some(&item.ident),
        _ => None,
    }
}

/// Whether it is an item of a trait or of an impl of a trait.
pub(crate) fn is_of_trait(node: Node<'_>) -> bool {
    let in_trait_impl =
        |parent: Node<'_>| matches!(parent.syntax(), Syntax::Item(Item::Impl(item)) if item.trait_.is_some());
    match node.syntax() {
        Syntax::TraitItem(_) => true,
        Syntax::ImplItem(_) => node.parent().is_some_and(in_trait_impl),
        _ => false,
    }
}

pub(crate) fn is_inside_macro(node: Node<'_>) -> bool {
    node.ancestors().any(|node| matches!(node.syntax(), Syntax::Macro(_)))
}

/// The import that a node is or belongs to.
fn import<'t>(node: Node<'t>) -> Option<&'t ItemUse> {
    std::iter::once(node).chain(node.ancestors()).find_map(|node| match node.syntax() {
        Syntax::Item(Item::Use(item)) => Some(item),
        _ => None,
    })
}

/// Where the names of an import are known, if that is not everywhere: in its module, if it is not public.
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

/// The names that a part defines.
pub(crate) fn idents<'t>(node: Node<'t>) -> Vec<&'t Ident> {
    match node.syntax() {
        Syntax::Item(Item::Use(_)) | Syntax::UseTree(_) => match imported(node) {
            Some(UseTree::Name(leaf)) => vec![&leaf.ident],
            Some(UseTree::Rename(leaf)) => vec![&leaf.rename],
            _ => Vec::new(),
        },
        _ => defined(node),
    }
}

/// The names that are gone with an item or associated item: its own, and those of an enum's variants.
pub(crate) fn defined<'t>(node: Node<'t>) -> Vec<&'t Ident> {
    let is_item =
        matches!(node.syntax(), Syntax::Item(_) | Syntax::ImplItem(_) | Syntax::TraitItem(_) | Syntax::ForeignItem(_));
    let own = Definition::of(node).filter(|definition| is_item && definition.ident != "_");
    let variants = match node.syntax() {
        Syntax::Item(Item::Enum(item)) => Some(item.variants.iter().map(|variant| &variant.ident)),
        _ => None,
    };
    own.map(|definition| definition.ident).into_iter().chain(variants.into_iter().flatten()).collect()
}

/// What an import or an element of one imports, if it is one thing or a glob.
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
