//! What a file defines, by names: of several of one name any may be meant.

use std::collections::{BTreeSet, HashMap, HashSet};

use proc_macro2::Ident;
use syn::{Fields, ForeignItem, GenericParam, Generics, Item};

use crate::names::definitions::{Definition, Kind};
use crate::syntax::generics::{generics, parameter_name};
use crate::syntax::surroundings::signature;
use crate::syntax::tree::{Node, Syntax, Tree};
use crate::text::lex::plain;

/// What is defined.
#[derive(Default)]
pub(super) struct KnownNames {
    /// Items, what is imported, variants.
    pub(super) items: HashSet<String>,
    /// Macros, and what is imported.
    pub(super) macros: HashSet<String>,
    /// What impls, traits, enums and structs have.
    pub(super) members: HashSet<String>,
    /// The lifetimes of `for<..>`.
    pub(super) lifetimes: HashSet<String>,
    /// How many parameters there are to what can be called.
    pub(super) parameters: HashMap<String, HashSet<usize>>,
    /// How many a method has behind its receiver.
    pub(super) methods: HashMap<String, HashSet<usize>>,
    /// The fields of structs and variants.
    pub(super) fields: HashMap<String, Vec<BTreeSet<String>>>,
    /// The least and the most arguments of types.
    pub(super) types: HashMap<String, Vec<(usize, usize)>>,
    /// What patterns bind, by the row of the item around them.
    bindings: HashMap<Option<usize>, HashSet<String>>,
    /// Generic parameters, wherever they are.
    generic: HashSet<String>,
}

/// A name, without `r#`.
pub(super) fn name(ident: &Ident) -> String {
    plain(&ident.to_string()).to_owned()
}

/// The item around a node, also one of an impl or a trait.
pub(super) fn owner(node: Node<'_>) -> Option<Node<'_>> {
    let is_owner = |syntax| {
        matches!(syntax, Syntax::Item(_) | Syntax::ImplItem(_) | Syntax::TraitItem(_) | Syntax::ForeignItem(_))
    };
    node.ancestors().find(|node| is_owner(node.syntax()))
}

/// The generics of a function or of whatever else `node` is.
fn own_generics(node: Node<'_>) -> Option<&Generics> {
    generics(node.syntax()).or_else(|| signature(node).map(|signature| &signature.generics))
}

/// Whether `name` is a generic parameter of something around `node`.
pub(super) fn is_parameter(node: Node<'_>, name: &str) -> bool {
    let mut around = node.ancestors().filter_map(own_generics);
    around.any(|generics| generics.params.iter().any(|param| parameter_name(param) == name))
}

impl KnownNames {
    pub(super) fn of(tree: &Tree<'_>) -> Self {
        let mut known = Self::default();
        tree.nodes().for_each(|node| known.define(node));
        known
    }

    /// Whether `name` can be a value at `node`.
    pub(super) fn is_value(&self, node: Node<'_>, name: &str) -> bool {
        self.items.contains(name) || self.is_bound(node, name) || is_parameter(node, name)
    }

    /// Whether a pattern in the item around `node` binds `name`.
    pub(super) fn is_bound(&self, node: Node<'_>, name: &str) -> bool {
        self.bindings.get(&owner(node).map(Node::row)).is_some_and(|bound| bound.contains(name))
    }

    /// All names that mean something.
    pub(super) fn into_names(self) -> BTreeSet<String> {
        let Self { items, macros, members, lifetimes, bindings, generic, .. } = self;
        let bound = bindings.into_values().flatten();
        items.into_iter().chain(macros).chain(members).chain(lifetimes).chain(generic).chain(bound).collect()
    }

    fn define(&mut self, node: Node<'_>) {
        if let Syntax::BoundLifetimes(bound) = node.syntax() {
            self.lifetimes.extend(bound.lifetimes.iter().map(parameter_name));
        }
        let Some(Definition { ident, kind, .. }) = Definition::of(node) else { return };
        let own = name(ident);
        match kind {
            Kind::Function => {
                self.items.insert(own);
                self.function(node);
            }
            Kind::AssociatedFunction => {
                self.members.insert(own);
                self.function(node);
            }
            Kind::AssociatedConstant | Kind::AssociatedType | Kind::Field => drop(self.members.insert(own)),
            Kind::Variant => {
                self.members.insert(own.clone());
                self.items.insert(own);
                self.constructor(node);
            }
            Kind::Type => {
                self.items.insert(own);
                self.ty(node);
                self.constructor(node);
            }
            Kind::Module | Kind::Crate | Kind::Constant | Kind::Trait => drop(self.items.insert(own)),
            Kind::Macro => drop(self.macros.insert(own)),
            Kind::Import | Kind::Renamed => {
                self.macros.insert(own.clone());
                self.items.insert(own);
            }
            Kind::Binding => drop(self.bindings.entry(owner(node).map(Node::row)).or_default().insert(own)),
            Kind::Parameter => drop(self.generic.insert(own)),
            Kind::Lifetime => drop(self.generic.insert(format!("'{own}"))),
            Kind::Argument | Kind::Label => {}
        }
    }

    fn function(&mut self, node: Node<'_>) {
        let signature = match node.syntax() {
            Syntax::ForeignItem(ForeignItem::Fn(item)) => Some(&item.sig),
            _ => signature(node),
        };
        let Some(signature) = signature else { return };
        let parameters = signature.inputs.len();
        self.parameters.entry(name(&signature.ident)).or_default().insert(parameters);
        if signature.receiver().is_some() {
            self.methods.entry(name(&signature.ident)).or_default().insert(parameters - 1);
        }
    }

    fn constructor(&mut self, node: Node<'_>) {
        let (ident, fields) = match node.syntax() {
            Syntax::Item(Item::Struct(item)) => (&item.ident, &item.fields),
            Syntax::Variant(variant) => (&variant.ident, &variant.fields),
            _ => return,
        };
        match fields {
            Fields::Named(fields) => {
                let names = fields.named.iter().filter_map(|field| field.ident.as_ref()).map(name);
                self.fields.entry(name(ident)).or_default().push(names.collect());
            }
            Fields::Unnamed(fields) => {
                self.parameters.entry(name(ident)).or_default().insert(fields.unnamed.len());
            }
            Fields::Unit => {}
        }
    }

    fn ty(&mut self, node: Node<'_>) {
        let (Syntax::Item(_), Some(definition), Some(generics)) =
            (node.syntax(), Definition::of(node), generics(node.syntax()))
        else {
            return;
        };
        let is_needed = |param: &&GenericParam| match param {
            GenericParam::Lifetime(_) => false,
            GenericParam::Type(param) => param.default.is_none(),
            GenericParam::Const(param) => param.default.is_none(),
        };
        let least = generics.params.iter().filter(is_needed).count();
        let most = generics.params.len() - generics.lifetimes().count();
        self.types.entry(name(definition.ident)).or_default().push((least, most));
    }
}
