//! Traits of a file: the items of their impls, and where associated items are named.

use syn::{Item, ItemTrait};

use super::references::Reference;
use crate::syntax::generics::qself;
use crate::syntax::{Node, Occurrence, Syntax, range};

/// A trait of the file.
pub(crate) struct Trait<'t> {
    node: Node<'t>,
    pub(crate) name: &'t str,
}

impl<'t> Trait<'t> {
    /// The trait around the item `node` of one.
    pub(crate) fn around(node: Node<'t>) -> Option<Self> {
        let node = node.parent()?;
        let Syntax::Item(Item::Trait(ItemTrait { ident, .. })) = node.syntax() else { return None };
        Some(Self { node, name: node.text_at(range(ident)) })
    }

    /// The items of its impls, each with the impl.
    pub(crate) fn impl_items(&self) -> impl Iterator<Item = (Node<'t>, Node<'t>)> {
        let impls = self.node.tree().occurrences(self.name).filter_map(|occurrence| match Reference::of(&occurrence) {
            Some(Reference::Impl(node)) => Some(node),
            _ => None,
        });
        impls.flat_map(|home| home.children().map(move |item| (home, item)))
    }
}

/// The type that `occurrence` is an associated item of, by way of the trait `home` if one is named.
pub(crate) fn base<'t>(occurrence: &Occurrence<'t>, home: Option<&str>) -> Option<&'t str> {
    let (path, syntax, index) = occurrence.path()?;
    let before = syntax.segments.iter().nth(index.checked_sub(1)?)?;
    let owner = path.parent()?;
    let Some(qself) = qself(owner.syntax()) else {
        return Some(path.text_at(path.range().start..range(before).end));
    };
    let is_own = home.is_none_or(|home| path.text_at(range(&before.ident)) == home);
    (is_own && index == qself.position).then(|| path.text_at(range(&*qself.ty)))
}
