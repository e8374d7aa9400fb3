//! Accesses to fields: where they are, and how to replace them.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use syn::{Expr, Field, Fields, Item, Member};

use crate::names::functions::self_name;
use crate::names::references::fill_value;
use crate::syntax::{Node, Place, Syntax, Tree, child, precedence, range};
use crate::text::Edit;

/// The accesses to fields of a file, and how often each is declared.
#[derive(Default)]
pub(crate) struct Accesses<'t> {
    /// By the name or number that is read.
    nodes: HashMap<&'t str, Vec<Node<'t>>>,
    /// Those of slots, by the number.
    slots_read: BTreeMap<usize, Vec<Node<'t>>>,
    declared: HashMap<String, usize>,
    /// How many slots each tuple struct has.
    slots: Vec<usize>,
}

impl<'t> Accesses<'t> {
    pub(crate) fn of(tree: &'t Tree<'_>) -> Self {
        let mut found = Self::default();
        let mut declare = |name: String| *found.declared.entry(name).or_default() += 1;
        for node in tree.nodes() {
            match node.syntax() {
                Syntax::Expr(Expr::Field(expr)) => {
                    let name = node.text_at(range(&expr.member));
                    found.nodes.entry(name).or_default().push(node);
                    if let Ok(slot) = name.parse() {
                        found.slots_read.entry(slot).or_default().push(node);
                    }
                }
                Syntax::Field(field) => field.ident.iter().for_each(|ident| declare(ident.to_string())),
                Syntax::Item(Item::Struct(item)) if matches!(item.fields, Fields::Unnamed(_)) => {
                    (0..item.fields.len()).for_each(|slot| declare(slot.to_string()));
                    found.slots.push(item.fields.len());
                }
                // Tuples have slots as well.
                Syntax::Type(syn::Type::Tuple(ty)) => {
                    (0..ty.elems.len()).for_each(|slot| declare(slot.to_string()));
                }
                _ => {}
            }
        }
        found
    }

    /// How many fields have this name.
    pub(crate) fn declared(&self, member: &str) -> usize {
        self.declared.get(member).copied().unwrap_or_default()
    }

    /// The edits that put `loop {}` where `member` is read.
    pub(crate) fn reads(&self, member: &str) -> Vec<Edit> {
        self.named(member).filter_map(|node| fill_value(whole(node), "loop {}")).collect()
    }

    /// The edits that read the slot `to` where `member` is read.
    pub(crate) fn numbered(&self, member: &str, to: usize) -> Vec<Edit> {
        self.named(member).filter_map(|node| rename(node, to)).collect()
    }

    /// The edits that read the slot `to` where `member` is read of the `self` of the type `name`.
    pub(crate) fn numbered_of_self(&self, member: &str, to: usize, name: &str) -> Vec<Edit> {
        let is_own = |node: Node<'_>| match node.syntax() {
            Syntax::Expr(Expr::Field(expr)) => node.text_at(range(&*expr.base)) == "self" && self_name(node) == name,
            _ => false,
        };
        self.named(member).filter(|node| is_own(*node)).filter_map(|node| rename(node, to)).collect()
    }

    /// The edits that replace each read of `member` with its base; `None` if it cannot stand there.
    pub(crate) fn bared(&self, member: &str) -> Option<Vec<Edit>> {
        self.named(member).map(bare).collect::<Option<Vec<_>>>().map(|edits| edits.concat())
    }

    /// Whether some tuple struct has more than `slots` slots.
    pub(crate) fn is_tuple_larger(&self, slots: usize) -> bool {
        self.slots.iter().any(|other| *other > slots)
    }

    /// The edits that count the slots after `index` down, if only one tuple struct has so many.
    pub(crate) fn renumbered(&self, slots: usize, index: usize) -> Vec<Edit> {
        if self.slots.iter().filter(|other| **other > index + 1).count() != 1 {
            return Vec::new();
        }
        self.counted_down(index + 1..slots)
    }

    /// The edits that count those of the slots `slots` down that are read.
    pub(crate) fn counted_down(&self, slots: Range<usize>) -> Vec<Edit> {
        let read = if slots.is_empty() { None } else { Some(self.slots_read.range(slots)) };
        let read = read.into_iter().flatten().flat_map(|(slot, nodes)| nodes.iter().map(move |node| (slot, node)));
        read.filter_map(|(slot, node)| rename(*node, slot - 1)).collect()
    }

    /// Where `member` is read.
    pub(crate) fn named(&self, member: &str) -> impl Iterator<Item = Node<'t>> {
        self.nodes.get(member).into_iter().flatten().copied()
    }
}

/// The name of a field, or the number of a slot.
pub(crate) fn member((index, field): (usize, &Field)) -> String {
    field.ident.as_ref().map_or_else(|| index.to_string(), ToString::to_string)
}

pub(crate) fn is_member(member: &Member, name: &str) -> bool {
    match member {
        Member::Named(ident) => ident == name,
        Member::Unnamed(index) => index.index.to_string() == name,
    }
}

/// The edit that makes `node` read the slot `to`.
fn rename(node: Node<'_>, to: usize) -> Option<Edit> {
    let Syntax::Expr(Expr::Field(expr)) = node.syntax() else { return None };
    Some(Edit::replace(range(&expr.member), to.to_string()))
}

/// The edits that reduce the read `node` to its base.
fn bare(node: Node<'_>) -> Option<Vec<Edit>> {
    let Syntax::Expr(Expr::Field(expr)) = node.syntax() else { return None };
    let mut base = &*expr.base;
    while let Expr::Field(inner) = base {
        base = &inner.base;
    }
    // Without all points behind it, it would end a statement.
    (!precedence::is_block_like(base)).then(|| Place::of(node)?.kept(child(node, &expr.base)?))?
}

/// The longest expression that depends on the place `node`: a read from it, an assignment to it.
fn whole(node: Node<'_>) -> Node<'_> {
    let Some(parent) = node.parent() else { return node };
    let (Syntax::Expr(outer), Syntax::Expr(expr)) = (parent.syntax(), node.syntax()) else { return node };
    let is = |other: &Expr| std::ptr::eq(other, expr);
    let assigns = precedence::assignment(outer).is_some_and(|(left, _)| is(left));
    if assigns || precedence::base(outer).is_some_and(is) { whole(parent) } else { node }
}
