//! What a file defines, by names: of several of one name any may be meant.

use std::collections::{BTreeSet, HashMap, HashSet};

use proc_macro2::Ident;
use syn::{Fields, ForeignItem, GenericParam, Generics, ImplItem, Item, Member, Pat, Signature, TraitItem, UseTree};

use crate::syntax::generics::{generics, parameter_name};
use crate::syntax::surroundings::signature;
use crate::syntax::tree::{Node, Syntax, Tree};
use crate::text::lex::plain;

/// What is defined.
#[derive(Default)]
pub(super) struct Known {
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

impl Known {
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
        if let Some(generics) = own_generics(node) {
            self.generic.extend(generics.params.iter().map(parameter_name));
        }
        match node.syntax() {
            Syntax::Item(item) => self.item(item),
            Syntax::ForeignItem(ForeignItem::Fn(item)) => {
                self.items.insert(name(&item.sig.ident));
                self.function(&item.sig);
            }
            Syntax::ForeignItem(ForeignItem::Static(item)) => drop(self.items.insert(name(&item.ident))),
            Syntax::ForeignItem(ForeignItem::Type(item)) => drop(self.items.insert(name(&item.ident))),
            Syntax::ImplItem(ImplItem::Const(item)) => drop(self.members.insert(name(&item.ident))),
            Syntax::ImplItem(ImplItem::Type(item)) => drop(self.members.insert(name(&item.ident))),
            Syntax::TraitItem(TraitItem::Const(item)) => drop(self.members.insert(name(&item.ident))),
            Syntax::TraitItem(TraitItem::Type(item)) => drop(self.members.insert(name(&item.ident))),
            Syntax::ImplItem(ImplItem::Fn(_)) | Syntax::TraitItem(TraitItem::Fn(_)) => {
                if let Some(signature) = signature(node) {
                    self.members.insert(name(&signature.ident));
                    self.function(signature);
                }
            }
            Syntax::Variant(variant) => {
                self.items.insert(name(&variant.ident));
                self.members.insert(name(&variant.ident));
                self.constructor(&variant.ident, &variant.fields);
            }
            Syntax::Field(field) => self.members.extend(field.ident.as_ref().map(name)),
            Syntax::UseTree(UseTree::Name(tree)) => self.import(&tree.ident),
            Syntax::UseTree(UseTree::Rename(tree)) => self.import(&tree.rename),
            Syntax::BoundLifetimes(bound) => self.lifetimes.extend(bound.lifetimes.iter().map(parameter_name)),
            Syntax::Pat(Pat::Ident(pat)) => self.bind(node, &pat.ident),
            Syntax::FieldPat(field) if field.colon_token.is_none() => {
                if let Member::Named(ident) = &field.member {
                    self.bind(node, ident);
                }
            }
            _ => {}
        }
    }

    fn item(&mut self, item: &Item) {
        let ident = match item {
            Item::Const(item) => &item.ident,
            Item::Enum(item) => {
                self.ty(&item.ident, &item.generics);
                &item.ident
            }
            Item::ExternCrate(item) => item.rename.as_ref().map_or(&item.ident, |(_, rename)| rename),
            Item::Fn(item) => {
                self.function(&item.sig);
                &item.sig.ident
            }
            Item::Macro(item) => return self.macros.extend(item.ident.as_ref().map(name)),
            Item::Mod(item) => &item.ident,
            Item::Static(item) => &item.ident,
            Item::Struct(item) => {
                self.ty(&item.ident, &item.generics);
                self.constructor(&item.ident, &item.fields);
                &item.ident
            }
            Item::Trait(item) => &item.ident,
            Item::TraitAlias(item) => &item.ident,
            Item::Type(item) => {
                self.ty(&item.ident, &item.generics);
                &item.ident
            }
            Item::Union(item) => {
                self.ty(&item.ident, &item.generics);
                &item.ident
            }
            _ => return,
        };
        self.items.insert(name(ident));
    }

    fn import(&mut self, ident: &Ident) {
        self.items.insert(name(ident));
        self.macros.insert(name(ident));
    }

    fn bind(&mut self, node: Node<'_>, ident: &Ident) {
        self.bindings.entry(owner(node).map(Node::row)).or_default().insert(name(ident));
    }

    fn function(&mut self, signature: &Signature) {
        let parameters = signature.inputs.len();
        self.parameters.entry(name(&signature.ident)).or_default().insert(parameters);
        if signature.receiver().is_some() {
            self.methods.entry(name(&signature.ident)).or_default().insert(parameters - 1);
        }
    }

    fn constructor(&mut self, ident: &Ident, fields: &Fields) {
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

    fn ty(&mut self, ident: &Ident, generics: &Generics) {
        let is_needed = |param: &&GenericParam| match param {
            GenericParam::Lifetime(_) => false,
            GenericParam::Type(param) => param.default.is_none(),
            GenericParam::Const(param) => param.default.is_none(),
        };
        let least = generics.params.iter().filter(is_needed).count();
        let most = generics.params.len() - generics.lifetimes().count();
        self.types.entry(name(ident)).or_default().push((least, most));
    }
}
