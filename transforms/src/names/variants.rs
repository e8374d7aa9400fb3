//! The variants of the enums of a file, and where they are named.

use std::rc::Rc;

use syn::{Item, ItemEnum, PathSegment, UseTree, Variant};

use crate::names::functions::self_name;
use crate::names::imports::before_leaf;
use crate::names::references::Reference;
use crate::syntax::generics::qself;
use crate::syntax::{Node, Occurrence, Syntax, Tree, range};

pub(crate) struct EnumVariant<'t> {
    pub(crate) node: Node<'t>,
    pub(crate) variant: &'t Variant,
    pub(crate) item: &'t ItemEnum,
    /// Where it is among the variants.
    pub(crate) index: usize,
    /// The leaves of imports that import all variants of its enum.
    pub(crate) globs: Rc<Vec<Node<'t>>>,
}

pub(crate) fn variants<'t>(tree: &'t Tree<'_>) -> Vec<EnumVariant<'t>> {
    // All variants of an enum have the same.
    let mut last: Option<(&str, Rc<Vec<Node<'t>>>)> = None;
    let variant = |node: Node<'t>| {
        let Syntax::Variant(variant) = node.syntax() else { return None };
        let Syntax::Item(Item::Enum(item)) = node.parent()?.syntax() else { return None };
        let index = item.variants.iter().position(|other| std::ptr::eq(other, variant))?;
        let name = node.text_at(range(&item.ident));
        let known = last.take().filter(|(known, _)| *known == name);
        let (_, globs) = last.insert(known.unwrap_or_else(|| (name, Rc::new(globs(tree, name)))));
        Some(EnumVariant { node, variant, item, index, globs: Rc::clone(globs) })
    };
    tree.nodes().filter_map(variant).collect()
}

impl<'t> EnumVariant<'t> {
    pub(crate) fn name(&self) -> &'t str {
        self.node.text_at(range(&self.variant.ident))
    }

    /// The occurrences of its name that mean it: after that of its enum, after `Self`, in an import and where it is imported.
    pub(crate) fn uses(&self) -> Vec<Occurrence<'t>> {
        let outside: Vec<_> = self.node.mentions_elsewhere(self.name()).collect();
        let is_imported = outside.iter().any(|occurrence| self.is_import(occurrence)) || !self.globs.is_empty();
        outside.into_iter().filter(|occurrence| self.is_meant(occurrence, is_imported)).collect()
    }

    fn is_meant(&self, occurrence: &Occurrence<'_>, is_imported: bool) -> bool {
        match Reference::of(occurrence) {
            Some(Reference::Import(_)) => self.is_import(occurrence),
            Some(Reference::Value(_) | Reference::Pattern(_)) => match before(occurrence) {
                Some((segment, node)) if segment.ident == "Self" => self.item.ident == self_name(node),
                Some((segment, _)) => self.item.ident == segment.ident,
                None => is_imported,
            },
            _ => false,
        }
    }

    /// Whether `occurrence` is a leaf of an import from its enum.
    fn is_import(&self, occurrence: &Occurrence<'_>) -> bool {
        let Some(Reference::Import(leaf)) = Reference::of(occurrence) else { return false };
        matches!(leaf.syntax(), Syntax::UseTree(UseTree::Name(_) | UseTree::Rename(_)))
            && before_leaf(leaf).is_some_and(|ident| *ident == self.item.ident)
    }
}

/// The leaves of imports that import all variants of the enum `name`.
fn globs<'t>(tree: &'t Tree<'_>, name: &str) -> Vec<Node<'t>> {
    let imports = tree.occurrences(name).filter_map(|occurrence| match Reference::of(&occurrence)? {
        Reference::Import(node) => Some(node),
        _ => None,
    });
    let leaves = imports.flat_map(Node::children);
    leaves.filter(|node| matches!(node.syntax(), Syntax::UseTree(UseTree::Glob(_)))).collect()
}

/// The segment before `occurrence` in its path, and the path.
pub(crate) fn before<'t>(occurrence: &Occurrence<'t>) -> Option<(&'t PathSegment, Node<'t>)> {
    let (path, syntax, index) = occurrence.path()?;
    let segment = syntax.segments.iter().nth(index.checked_sub(1)?)?;
    // In `<T as A>::B` it is another path.
    if qself(path.parent()?.syntax()).is_some_and(|qself| qself.position == index) {
        return None;
    }
    Some((segment, path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::source::Source;

    /// Checks where the first variant of `text` is meant: the texts from there to the end of the line.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let uses = variants(&tree)[0].uses();
        let found = uses.iter().map(|occurrence| text[occurrence.range.start..].lines().next().unwrap_or_default());
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_variant_follows_its_enum_or_self() {
        check("enum E { V }\nfn f() { g(E::V)\n; g(m::E::V(1))\n; g(F::V); V; }", &["V)", "V(1))"]);
        check("enum E { V }\nimpl E { fn f() { g(Self::V)\n} } impl F { fn f() { Self::V } }", &["V)"]);
        check("enum E { V }\nfn f(e: E) -> u8 { match e { E::V => 1\n} }", &["V => 1"]);
    }

    #[test]
    fn an_imported_variant_stands_alone() {
        check("enum E { V }\nuse E::V;\nfn f() { V\n}", &["V;", "V"]);
        check("enum E { V }\nuse E::{V,\nW}; use F::V;", &["V,"]);
        check("enum E { V }\nuse m::E::*;\nfn f() { V\n}", &["V"]);
    }

    #[test]
    fn other_things_of_its_name_are_no_uses() {
        check("enum E { V(V) }\nstruct V; fn f(v: V) -> V { V }", &[]);
        check("enum E { V }\nuse F::*; fn f() { V; x.V; }", &[]);
    }
}
