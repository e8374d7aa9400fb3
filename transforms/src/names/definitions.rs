//! The names that the nodes of a tree define: the only place that knows which syntax defines which kind of name.

use std::collections::HashMap;
use std::ops::Range;

use proc_macro2::Ident;
use syn::{ForeignItem, GenericParam, ImplItem, Item, Pat, TraitItem, UseTree};

use crate::syntax::generics::generics;
use crate::syntax::{Node, Occurrence, Syntax, Tree, range};
use crate::text::lex::plain;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A function, also a foreign one.
    Function,
    Module,
    /// A crate, by its name or by another one.
    Crate,
    Macro,
    /// A constant or a static.
    Constant,
    /// A struct, enum, union or alias, also a foreign type.
    Type,
    /// A trait or an alias of one.
    Trait,
    Variant,
    Field,
    AssociatedFunction,
    AssociatedConstant,
    AssociatedType,
    /// An import under its own name.
    Import,
    /// An import under another name.
    Renamed,
    /// A parameter of a function type.
    Argument,
    /// A type or constant parameter.
    Parameter,
    /// A lifetime parameter.
    Lifetime,
    Label,
    /// A name that a pattern may bind.
    Binding,
}

impl Kind {
    /// Whether a path can begin with such a name.
    pub(crate) fn begins_paths(self) -> bool {
        matches!(
            self,
            Self::Function | Self::Module | Self::Crate | Self::Constant | Self::Type | Self::Trait | Self::Variant
        ) || self.is_import()
    }

    /// Whether such a name stands behind a `::` or a dot.
    pub(crate) fn is_member(self) -> bool {
        matches!(
            self,
            Self::AssociatedFunction | Self::AssociatedConstant | Self::AssociatedType | Self::Field | Self::Variant
        )
    }

    /// Whether a macro can be called by such a name.
    pub(crate) fn is_macro(self) -> bool {
        self == Self::Macro || self.is_import()
    }

    fn is_import(self) -> bool {
        matches!(self, Self::Import | Self::Renamed)
    }
}

pub(crate) struct Definitions<'t> {
    /// In source order, outer ones before inner ones.
    pub(crate) all: Vec<Definition<'t>>,
    /// The indices of the definitions of each name.
    named: HashMap<&'t str, Vec<usize>>,
}

impl<'t> Definitions<'t> {
    pub(crate) fn of(tree: &'t Tree<'_>) -> Self {
        let all: Vec<Definition<'t>> = tree.nodes().filter_map(Definition::of).collect();
        let mut named: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, definition) in all.iter().enumerate() {
            named.entry(definition.key()).or_default().push(index);
        }
        Self { all, named }
    }

    /// Those of `name`, without `r#`, with the `'` of a lifetime, in source order.
    pub(crate) fn named(&self, name: &str) -> impl Iterator<Item = &Definition<'t>> {
        self.named.get(name).into_iter().flatten().map(|&index| &self.all[index])
    }

    /// Whether `name` is defined as a kind that `is_one` accepts.
    pub(crate) fn define(&self, name: &str, is_one: impl Fn(Kind) -> bool) -> bool {
        self.named(name).any(|definition| is_one(definition.kind))
    }
}

/// A name that a node defines.
#[derive(Clone)]
pub(crate) struct Definition<'t> {
    pub(crate) node: Node<'t>,
    /// The name, of a lifetime or label without the `'`.
    pub(crate) ident: &'t Ident,
    pub(crate) kind: Kind,
}

impl<'t> Definition<'t> {
    /// The definition that `node` itself makes.
    pub(crate) fn of(node: Node<'t>) -> Option<Self> {
        let (ident, kind) = match node.syntax() {
            Syntax::Item(Item::Const(item)) => (&item.ident, Kind::Constant),
            Syntax::Item(Item::Enum(item)) => (&item.ident, Kind::Type),
            Syntax::Item(Item::ExternCrate(item)) => {
                (item.rename.as_ref().map_or(&item.ident, |(_, rename)| rename), Kind::Crate)
            }
            Syntax::Item(Item::Fn(item)) => (&item.sig.ident, Kind::Function),
            Syntax::Item(Item::Macro(item)) => (item.ident.as_ref()?, Kind::Macro),
            Syntax::Item(Item::Mod(item)) => (&item.ident, Kind::Module),
            Syntax::Item(Item::Static(item)) => (&item.ident, Kind::Constant),
            Syntax::Item(Item::Struct(item)) => (&item.ident, Kind::Type),
            Syntax::Item(Item::Trait(item)) => (&item.ident, Kind::Trait),
            Syntax::Item(Item::TraitAlias(item)) => (&item.ident, Kind::Trait),
            Syntax::Item(Item::Type(item)) => (&item.ident, Kind::Type),
            Syntax::Item(Item::Union(item)) => (&item.ident, Kind::Type),
            Syntax::ImplItem(ImplItem::Fn(item)) => (&item.sig.ident, Kind::AssociatedFunction),
            Syntax::ImplItem(ImplItem::Const(item)) => (&item.ident, Kind::AssociatedConstant),
            Syntax::ImplItem(ImplItem::Type(item)) => (&item.ident, Kind::AssociatedType),
            Syntax::TraitItem(TraitItem::Fn(item)) => (&item.sig.ident, Kind::AssociatedFunction),
            Syntax::TraitItem(TraitItem::Const(item)) => (&item.ident, Kind::AssociatedConstant),
            Syntax::TraitItem(TraitItem::Type(item)) => (&item.ident, Kind::AssociatedType),
            Syntax::ForeignItem(ForeignItem::Fn(item)) => (&item.sig.ident, Kind::Function),
            Syntax::ForeignItem(ForeignItem::Static(item)) => (&item.ident, Kind::Constant),
            Syntax::ForeignItem(ForeignItem::Type(item)) => (&item.ident, Kind::Type),
            Syntax::Variant(variant) => (&variant.ident, Kind::Variant),
            Syntax::Field(field) => (field.ident.as_ref()?, Kind::Field),
            Syntax::UseTree(UseTree::Name(leaf)) => (&leaf.ident, Kind::Import),
            Syntax::UseTree(UseTree::Rename(leaf)) => (&leaf.rename, Kind::Renamed),
            Syntax::NamedArg(arg) => (&arg.name.as_ref()?.0, Kind::Argument),
            Syntax::GenericParam(GenericParam::Lifetime(param)) => (&param.lifetime.ident, Kind::Lifetime),
            Syntax::GenericParam(GenericParam::Type(param)) => (&param.ident, Kind::Parameter),
            Syntax::GenericParam(GenericParam::Const(param)) => (&param.ident, Kind::Parameter),
            Syntax::Label(label) => (&label.name.ident, Kind::Label),
            Syntax::Pat(Pat::Ident(pat)) => (&pat.ident, Kind::Binding),
            _ => return None,
        };
        Some(Self { node, ident, kind })
    }

    /// The bytes of the name, with the `'` of a lifetime.
    pub(crate) fn range(&self) -> Range<usize> {
        let range = range(self.ident);
        match self.kind {
            Kind::Lifetime | Kind::Label => range.start - 1..range.end,
            _ => range,
        }
    }

    /// The name as it is written, with the `'` of a lifetime.
    pub(crate) fn name(&self) -> &'t str {
        self.node.text_at(self.range())
    }

    /// The name without `r#`, and without the `$` of a metavariable.
    pub(crate) fn key(&self) -> &'t str {
        key(self.name())
    }

    /// Whether it is a type that an item of the file defines.
    pub(crate) fn is_type(&self) -> bool {
        self.kind == Kind::Type && matches!(self.node.syntax(), Syntax::Item(_))
    }

    /// Whether it is a trait and not an alias of one.
    pub(crate) fn is_trait(&self) -> bool {
        matches!(self.node.syntax(), Syntax::Item(Item::Trait(_)))
    }

    pub(crate) fn params(&self) -> impl Iterator<Item = &'t GenericParam> {
        generics(self.node.syntax()).into_iter().flat_map(|generics| &generics.params)
    }

    /// Where it is named outside of itself.
    pub(crate) fn uses(&self) -> impl Iterator<Item = Occurrence<'t>> {
        self.node.mentions_elsewhere(self.name())
    }
}

/// The key under which `ident` in `node` is looked up.
pub(crate) fn word<'t>(node: Node<'t>, ident: &Ident) -> &'t str {
    key(node.text_at(range(ident)))
}

fn key(name: &str) -> &str {
    plain(name.strip_prefix('$').unwrap_or(name))
}

/// The name of an item or associated item.
pub fn item_name<'t>(node: Node<'t>) -> Option<&'t Ident> {
    let definition = Definition::of(node).filter(|_| node.syntax().is_item())?;
    (definition.ident != "_").then_some(definition.ident)
}

/// The names that go with an item or associated item: its own, and those of an enum's variants.
pub(crate) fn defined<'t>(node: Node<'t>) -> Vec<&'t Ident> {
    let variants = match node.syntax() {
        Syntax::Item(Item::Enum(item)) => Some(item.variants.iter().map(|variant| &variant.ident)),
        _ => None,
    };
    item_name(node).into_iter().chain(variants.into_iter().flatten()).collect()
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
