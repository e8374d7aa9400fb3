//! What a file defines: its items, fields, variables, generics and labels, by their names.

use std::collections::BTreeSet;
use std::ops::Range;

use proc_macro2::Ident;
use syn::{GenericParam, ImplItem, Item, Member, Pat, TraitItem, UseTree};

use crate::syntax::token_groups::{Shape, pieces};
use crate::syntax::tree::{Node, Syntax, Tree, range};
use crate::text::lex::plain;

/// How the names of what is defined are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Functions, modules, macros, fields, locals: `snake_case`.
    Value,
    /// Types, traits, variants, constants: with a capital.
    Type,
    /// Lifetimes and labels.
    Lifetime,
}

/// A name that the file defines, and where it does so first.
#[derive(Debug)]
pub(crate) struct Definition {
    /// The name, without `r#`, with the `'` of a lifetime.
    pub(crate) name: String,
    /// What kind of name the first definition is.
    pub(crate) class: Class,
    /// The bytes of the name.
    pub(crate) range: Range<usize>,
}

/// What a file defines, and what it only uses.
#[derive(Default)]
pub(crate) struct Definitions<'s> {
    text: &'s str,
    /// What is defined, each name once, in source order.
    pub(crate) found: Vec<Definition>,
    /// Names that cannot be chosen in the file, because others use them.
    pub(crate) foreign: BTreeSet<String>,
    /// The names of fields and methods.
    pub(crate) members: BTreeSet<String>,
    /// The names of the constants of traits.
    pub(crate) constants: BTreeSet<String>,
    /// The names of macros.
    pub(crate) macros: BTreeSet<String>,
    /// Where the names of fields stand in struct expressions and patterns.
    pub(crate) fields: BTreeSet<usize>,
    /// The bytes of attributes.
    pub(crate) attributes: Vec<Range<usize>>,
    /// The bytes of macro calls.
    pub(crate) calls: Vec<Range<usize>>,
    /// The names of all that is defined.
    known: BTreeSet<String>,
    /// Names in impls of a trait: the name of the trait, the name in it.
    implemented: Vec<(String, String)>,
    uses: Vec<&'s syn::ItemUse>,
    traits: BTreeSet<String>,
    /// Fields whose names are those of variables.
    shorthands: Vec<String>,
}

impl<'s> Definitions<'s> {
    /// Reads what `tree` defines.
    pub(crate) fn of(tree: &'s Tree<'_>) -> Self {
        let mut definitions = Definitions { text: tree.source().text(), ..Definitions::default() };
        tree.nodes().for_each(|node| definitions.define(node));
        definitions.judge();
        definitions
    }

    /// Whether a path that begins with `root` stays in the file.
    pub(crate) fn is_own_root(&self, root: &str) -> bool {
        matches!(root, "crate" | "self" | "super" | "Self") || self.known.contains(plain(root))
    }

    /// Judges what could not be judged before all definitions were known.
    fn judge(&mut self) {
        self.found.sort_by_key(|definition| definition.range.start);
        self.found.retain(|definition| self.known.insert(definition.name.clone()));
        let of_others = self.implemented.iter().filter(|(of, _)| !self.traits.contains(of)).map(|(_, name)| name);
        let fields = self.shorthands.iter().filter(|name| !self.members.contains(*name));
        let mut foreign: BTreeSet<String> = of_others.chain(fields).cloned().collect();
        for item in &self.uses {
            self.imported(&item.tree, item.leading_colon.is_some(), &mut foreign);
        }
        self.foreign.append(&mut foreign);
        self.attributes.sort_by_key(|range| range.start);
    }

    /// Adds the names that an import takes from outside; `is_outside` says that the path before it leads there.
    fn imported(&self, tree: &UseTree, is_outside: bool, foreign: &mut BTreeSet<String>) {
        let root = match tree {
            UseTree::Path(tree) => &tree.ident,
            UseTree::Name(tree) => &tree.ident,
            UseTree::Rename(tree) => &tree.ident,
            UseTree::Group(group) => {
                return group.items.iter().for_each(|item| self.imported(item, is_outside, foreign));
            }
            UseTree::Glob(_) => return,
        };
        let root = root.to_string();
        if !is_outside && self.is_own_root(&root) {
            return;
        }
        foreign.insert(plain(&root).to_owned());
        if let UseTree::Path(tree) = tree {
            self.imported(&tree.tree, true, foreign);
        }
    }

    /// Notes a definition, unless a macro makes it: `$name`.
    fn add(&mut self, ident: &Ident, class: Class) {
        let range = ident.span().byte_range();
        let name = plain(&self.text[range.clone()]);
        if !name.starts_with('$') && name != "_" {
            self.found.push(Definition { name: name.to_owned(), class, range });
        }
    }

    fn add_member(&mut self, ident: &Ident, class: Class) {
        self.members.insert(plain(&ident.to_string()).to_owned());
        self.add(ident, class);
    }

    fn add_lifetime(&mut self, lifetime: &syn::Lifetime) {
        let range = lifetime.apostrophe.byte_range().start..lifetime.ident.span().byte_range().end;
        let name = self.text[range.clone()].to_owned();
        self.found.push(Definition { name, class: Class::Lifetime, range });
    }

    fn define(&mut self, node: Node<'s>) {
        match node.syntax() {
            Syntax::Item(item) => self.item(item),
            Syntax::ImplItem(item) => self.impl_item(node, item),
            Syntax::TraitItem(item) => match item {
                TraitItem::Const(item) => {
                    self.constants.insert(plain(&item.ident.to_string()).to_owned());
                    self.add(&item.ident, Class::Type);
                }
                TraitItem::Fn(item) => self.add_member(&item.sig.ident, Class::Value),
                TraitItem::Type(item) => self.add(&item.ident, Class::Type),
                _ => {}
            },
            Syntax::ForeignItem(item) => match item {
                syn::ForeignItem::Fn(item) => self.add(&item.sig.ident, Class::Value),
                syn::ForeignItem::Static(item) => self.add(&item.ident, Class::Type),
                syn::ForeignItem::Type(item) => self.add(&item.ident, Class::Type),
                _ => {}
            },
            Syntax::Variant(variant) => self.add(&variant.ident, Class::Type),
            Syntax::Field(field) => field.ident.iter().for_each(|ident| self.add_member(ident, Class::Value)),
            Syntax::NamedArg(arg) => arg.name.iter().for_each(|(ident, _)| self.add(ident, Class::Value)),
            Syntax::GenericParam(param) => match param {
                GenericParam::Lifetime(param) => self.add_lifetime(&param.lifetime),
                GenericParam::Type(param) => self.add(&param.ident, Class::Type),
                GenericParam::Const(param) => self.add(&param.ident, Class::Type),
            },
            Syntax::Label(label) => self.add_lifetime(&label.name),
            Syntax::Pat(Pat::Ident(pat)) => {
                // With a capital, it is rather a constant or a variant.
                let plain = pat.by_ref.is_none() && pat.mutability.is_none() && pat.subpat.is_none();
                if !plain || !pat.ident.to_string().starts_with(char::is_uppercase) {
                    self.add(&pat.ident, Class::Value);
                }
            }
            Syntax::FieldPat(field) => self.field(&field.member, field.colon_token.is_some()),
            Syntax::FieldValue(field) => self.field(&field.member, field.colon_token.is_some()),
            Syntax::UseTree(UseTree::Rename(tree)) => {
                let capital = tree.rename.to_string().starts_with(char::is_uppercase);
                self.add(&tree.rename, if capital { Class::Type } else { Class::Value });
            }
            Syntax::Tokens(tokens) => {
                for piece in pieces(self.text, tokens) {
                    if let Shape::Fragment(name) = piece.shape {
                        let start = piece.range.start + self.text[piece.range.clone()].find(&name).unwrap_or(0);
                        let range = start..start + name.len();
                        self.found.push(Definition { name, class: Class::Value, range });
                    }
                }
            }
            Syntax::Attribute(_) => self.attributes.push(node.range()),
            Syntax::Macro(_) => self.calls.push(node.range()),
            _ => {}
        }
    }

    fn item(&mut self, item: &'s Item) {
        match item {
            Item::Const(item) => self.add(&item.ident, Class::Type),
            Item::Enum(item) => self.add(&item.ident, Class::Type),
            Item::ExternCrate(item) => {
                self.foreign.insert(item.ident.to_string());
                item.rename.iter().for_each(|(_, ident)| self.add(ident, Class::Value));
            }
            Item::Fn(item) => self.add(&item.sig.ident, Class::Value),
            Item::Macro(item) => {
                if let Some(ident) = &item.ident {
                    self.macros.insert(ident.to_string());
                    self.add(ident, Class::Value);
                }
            }
            // A module in a file of its own has the name of the file.
            Item::Mod(item) if item.content.is_none() => {
                self.foreign.insert(item.ident.to_string());
            }
            Item::Mod(item) => self.add(&item.ident, Class::Value),
            Item::Static(item) => self.add(&item.ident, Class::Type),
            Item::Struct(item) => self.add(&item.ident, Class::Type),
            Item::Trait(item) => {
                self.traits.insert(item.ident.to_string());
                self.add(&item.ident, Class::Type);
            }
            Item::TraitAlias(item) => self.add(&item.ident, Class::Type),
            Item::Type(item) => self.add(&item.ident, Class::Type),
            Item::Union(item) => self.add(&item.ident, Class::Type),
            Item::Use(item) => self.uses.push(item),
            _ => {}
        }
    }

    fn impl_item(&mut self, node: Node<'s>, item: &'s ImplItem) {
        let (ident, class) = match item {
            ImplItem::Const(item) => (&item.ident, Class::Type),
            ImplItem::Fn(item) => (&item.sig.ident, Class::Value),
            ImplItem::Type(item) => (&item.ident, Class::Type),
            _ => return,
        };
        if let Some(Syntax::Item(Item::Impl(item))) = node.parent().map(Node::syntax)
            && let Some((path, _)) = &item.trait_
            && let Some(name) = path.segments.last()
        {
            self.implemented.push((name.ident.to_string(), ident.to_string()));
        }
        match item {
            ImplItem::Fn(_) => self.add_member(ident, class),
            _ => self.add(ident, class),
        }
    }

    fn field(&mut self, member: &Member, has_colon: bool) {
        let Member::Named(ident) = member else { return };
        if has_colon {
            self.fields.insert(range(ident).start);
        } else {
            self.shorthands.push(ident.to_string());
        }
    }
}
