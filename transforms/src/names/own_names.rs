//! The names that a file chooses itself, and those that it cannot choose because others use them.

use std::collections::BTreeSet;
use std::ops::Range;

use proc_macro2::TokenStream;
use syn::{Item, Member, Pat, UseTree};

use super::definitions::{Definition, Kind};
use crate::syntax::token_groups::{Shape, token_groups};
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
pub(crate) struct OwnName {
    /// The name, without `r#`, with the `'` of a lifetime.
    pub(crate) name: String,
    /// What kind of name the first definition is.
    pub(crate) class: Class,
    /// The bytes of the name.
    pub(crate) range: Range<usize>,
}

/// What a file defines, and what it only uses.
#[derive(Default)]
pub(crate) struct OwnNames<'s> {
    text: &'s str,
    /// What is defined, each name once, in source order.
    pub(crate) found: Vec<OwnName>,
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
    /// The names of all that is defined.
    known: BTreeSet<String>,
    /// Names in impls of a trait: the name of the trait, the name in it.
    implemented: Vec<(String, String)>,
    uses: Vec<&'s syn::ItemUse>,
    traits: BTreeSet<String>,
    /// Fields whose names are those of variables.
    shorthands: Vec<String>,
}

impl<'s> OwnNames<'s> {
    /// Reads what `tree` defines.
    pub(crate) fn of(tree: &'s Tree<'_>) -> Self {
        let mut names = OwnNames { text: tree.source().text(), ..OwnNames::default() };
        tree.nodes().for_each(|node| names.define(node));
        names.judge();
        names
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

    fn define(&mut self, node: Node<'s>) {
        if let Some(definition) = Definition::of(node) {
            self.add(&definition);
        }
        match node.syntax() {
            Syntax::FieldPat(field) => self.field(&field.member, field.colon_token.is_some()),
            Syntax::FieldValue(field) => self.field(&field.member, field.colon_token.is_some()),
            Syntax::Item(Item::Use(item)) => self.uses.push(item),
            Syntax::Tokens(tokens) => self.fragments(tokens),
            _ => {}
        }
    }

    /// Notes a definition, unless a macro makes it: `$name`.
    fn add(&mut self, definition: &Definition<'s>) {
        let Definition { node, ident, kind } = definition;
        let word = || plain(&ident.to_string()).to_owned();
        let is_capital = || ident.to_string().starts_with(char::is_uppercase);
        let class = match kind {
            Kind::Function | Kind::Argument => Class::Value,
            Kind::AssociatedFunction | Kind::Field => {
                self.members.insert(word());
                Class::Value
            }
            Kind::Macro => {
                self.macros.insert(ident.to_string());
                Class::Value
            }
            // A module in a file of its own has the name of the file, and so has a crate.
            Kind::Module | Kind::Crate => match node.syntax() {
                Syntax::Item(Item::Mod(item)) if item.content.is_none() => {
                    self.foreign.insert(ident.to_string());
                    return;
                }
                Syntax::Item(Item::ExternCrate(item)) => {
                    self.foreign.insert(item.ident.to_string());
                    if item.rename.is_none() {
                        return;
                    }
                    Class::Value
                }
                _ => Class::Value,
            },
            Kind::Trait => {
                if let Syntax::Item(Item::Trait(_)) = node.syntax() {
                    self.traits.insert(ident.to_string());
                }
                Class::Type
            }
            Kind::AssociatedConstant => {
                if let Syntax::TraitItem(_) = node.syntax() {
                    self.constants.insert(word());
                }
                Class::Type
            }
            Kind::Type | Kind::Constant | Kind::Variant | Kind::AssociatedType | Kind::Parameter => Class::Type,
            Kind::Lifetime | Kind::Label => Class::Lifetime,
            Kind::Renamed if is_capital() => Class::Type,
            Kind::Renamed => Class::Value,
            Kind::Import => return,
            Kind::Binding => {
                let Syntax::Pat(Pat::Ident(pat)) = node.syntax() else { return };
                let is_plain = pat.by_ref.is_none() && pat.mutability.is_none() && pat.subpat.is_none();
                // With a capital, it is rather a constant or a variant.
                if is_plain && is_capital() {
                    return;
                }
                Class::Value
            }
        };
        if let (Syntax::ImplItem(_), Some(Syntax::Item(Item::Impl(item)))) =
            (node.syntax(), node.parent().map(Node::syntax))
            && let Some((path, _)) = &item.trait_
            && let Some(of) = path.segments.last()
        {
            self.implemented.push((of.ident.to_string(), ident.to_string()));
        }
        let (name, range) = (plain(definition.name()), definition.range());
        if !name.starts_with('$') && name != "_" {
            self.found.push(OwnName { name: name.to_owned(), class, range });
        }
    }

    /// Notes the fragments that the matcher of a macro names.
    fn fragments(&mut self, tokens: &TokenStream) {
        for piece in token_groups(self.text, tokens) {
            if let Shape::Fragment(name) = piece.shape {
                let start = piece.range.start + self.text[piece.range.clone()].find(&name).unwrap_or(0);
                let range = start..start + name.len();
                self.found.push(OwnName { name, class: Class::Value, range });
            }
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
