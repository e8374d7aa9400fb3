//! The parts of a program that mutation moves: nodes by their kind.

use std::collections::BTreeMap;

use mcve_dd::random::Random;
use mcve_transforms::{Node, Syntax, Tree, covers};

/// The kind of a node. A node can replace any other of its kind, and the program nearly always still parses. None if the node is
/// never moved.
pub(super) fn kind(node: Node<'_>) -> Option<&'static str> {
    if node.range().is_empty() {
        return None;
    }
    Some(match node.syntax() {
        // A whole file is never moved. Generics have their where clause elsewhere, so one range does not hold them.
        Syntax::File(_) | Syntax::Generics(_) => return None,
        Syntax::Field(field) if field.ident.is_none() => "FieldUnnamed",
        Syntax::Ident(ident) if is_capitalized(&ident.to_string()) => "IdentCapitalized",
        syntax => syntax.kind(),
    })
}

/// Whether it is written like the name of a type.
pub(super) fn is_capitalized(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// The text between two list elements of this kind. None if nodes of this kind are not in lists.
pub(super) fn separator(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "Item" | "Stmt" | "ImplItem" | "TraitItem" | "ForeignItem" | "Attribute" => "\n",
        "Arm" | "Field" | "FieldUnnamed" | "FieldPat" | "FieldValue" | "FnArg" | "GenericArgument" | "GenericParam"
        | "Variant" | "WherePredicate" => ", ",
        "TypeParamBound" => " + ",
        _ => return None,
    })
}

/// The parts of a tree, by their kind.
pub(super) struct Parts<'t>(BTreeMap<&'static str, Vec<Node<'t>>>);

impl<'t> Parts<'t> {
    pub(super) fn of(tree: &'t Tree<'t>) -> Self {
        let mut parts = BTreeMap::<_, Vec<Node<'t>>>::new();
        for node in tree.nodes() {
            if let Some(kind) = kind(node) {
                parts.entry(kind).or_default().push(node);
            }
        }
        Self(parts)
    }

    /// Keeps the kinds that `is_wanted` holds for.
    pub(super) fn only(mut self, is_wanted: impl Fn(&str) -> bool) -> Self {
        self.0.retain(|kind, _| is_wanted(kind));
        self
    }

    /// Keeps the kinds that the others have, too.
    pub(super) fn shared_with(self, others: &Self) -> Self {
        self.only(|kind| others.0.contains_key(kind))
    }

    /// Those that lie in a part of their kind.
    pub(super) fn nested(mut self) -> Self {
        self.0.values_mut().for_each(|parts| parts.retain(|part| outer(*part).is_some()));
        self.0.retain(|_, parts| !parts.is_empty());
        self
    }

    /// Any kind, and any part of that kind: a program has many expressions and few where clauses.
    pub(super) fn pick(&self, random: &mut Random) -> Option<(&'static str, Node<'t>)> {
        let kinds: Vec<&'static str> = self.0.keys().copied().collect();
        let kind = *kinds.get(random.index(kinds.len().max(1)))?;
        Some((kind, self.pick_of(kind, random)?))
    }

    pub(super) fn pick_of(&self, kind: &str, random: &mut Random) -> Option<Node<'t>> {
        let parts = self.0.get(kind)?;
        Some(parts[random.index(parts.len())])
    }
}

/// The nearest part of its kind around a part, which is longer.
pub(super) fn outer(part: Node<'_>) -> Option<Node<'_>> {
    let (own, range) = (kind(part)?, part.range());
    part.ancestors().find(|node| kind(*node) == Some(own) && node.range() != range && covers(&node.range(), &range))
}
