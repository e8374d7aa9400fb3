//! Which identifiers a file defines, and where they occur: by their text, and as finely as tokens tell what they mean.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use proc_macro2::Ident;
use syn::{GenericParam, ImplItem, Item, Member, Pat, TraitItem, UseTree};

use crate::format;
use crate::lex::{Kind, Token};
use crate::pieces::{Shape, pieces};
use crate::tree::{Node, Syntax, Tree, range};

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

/// What an occurrence of a name can mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Anything.
    Any,
    /// A field or a method: it follows a point, or a colon follows it in a struct.
    Member,
    /// A macro that is called.
    Macro,
}

/// Where a name occurs.
#[derive(Debug)]
pub(crate) struct Occurrence {
    /// The bytes of the name.
    pub(crate) range: Range<usize>,
    /// What it can mean there.
    pub(crate) role: Role,
}

/// The names of a file.
#[derive(Default)]
pub(crate) struct Names<'s> {
    /// What is defined, each name once, in source order.
    pub(crate) definitions: Vec<Definition>,
    /// Where every name of the file occurs, in source order; attributes are left out.
    pub(crate) occurrences: BTreeMap<&'s str, Vec<Occurrence>>,
    /// Names that cannot be chosen in the file, because others use them.
    pub(crate) foreign: BTreeSet<String>,
    /// The names of fields and methods.
    members: BTreeSet<String>,
    /// The names of macros.
    macros: BTreeSet<String>,
}

impl<'s> Names<'s> {
    /// Reads the names of `tree`. Linear in the size of the file but for sorting.
    pub(crate) fn of(tree: &'s Tree<'_>) -> Self {
        let mut reader = Reader { tree, text: tree.source().text(), names: Names::default(), late: Late::default() };
        tree.nodes().for_each(|node| reader.define(node));
        reader.finish();
        reader.names
    }

    /// Where `name` occurs and means something that the file defines.
    pub(crate) fn own_occurrences(&self, name: &str) -> impl Iterator<Item = &Occurrence> {
        let (member, called) = (self.members.contains(name), self.macros.contains(name));
        self.occurrences.get(name).into_iter().flatten().filter(move |occurrence| match occurrence.role {
            Role::Any => true,
            Role::Member => member,
            Role::Macro => called,
        })
    }

    /// How often `name` occurs in `range`.
    pub(crate) fn count(&self, name: &str, range: &Range<usize>) -> usize {
        let Some(occurrences) = self.occurrences.get(name) else { return 0 };
        let before = |byte: usize| occurrences.partition_point(|occurrence| occurrence.range.start < byte);
        before(range.end) - before(range.start)
    }
}

/// An identifier as its name: without `r#`.
pub(crate) fn plain(text: &str) -> &str {
    text.strip_prefix("r#").unwrap_or(text)
}

/// What can only be judged when all definitions are known.
#[derive(Default)]
struct Late<'s> {
    /// Names in impls of a trait: the name of the trait, the name in it.
    implemented: Vec<(String, String)>,
    uses: Vec<&'s syn::ItemUse>,
    traits: BTreeSet<String>,
    /// Where the names of fields stand in struct expressions and patterns.
    fields: BTreeSet<usize>,
    /// Fields whose names are those of variables.
    shorthands: Vec<String>,
    attributes: Vec<Range<usize>>,
    calls: Vec<Range<usize>>,
}

struct Reader<'s> {
    tree: &'s Tree<'s>,
    text: &'s str,
    names: Names<'s>,
    late: Late<'s>,
}

impl<'s> Reader<'s> {
    /// Notes a definition, unless a macro makes it: `$name`.
    fn add(&mut self, ident: &Ident, class: Class) {
        let range = ident.span().byte_range();
        let name = plain(&self.text[range.clone()]);
        if !name.starts_with('$') && name != "_" {
            self.names.definitions.push(Definition { name: name.to_owned(), class, range });
        }
    }

    fn add_member(&mut self, ident: &Ident, class: Class) {
        self.names.members.insert(plain(&ident.to_string()).to_owned());
        self.add(ident, class);
    }

    fn add_lifetime(&mut self, lifetime: &syn::Lifetime) {
        let range = lifetime.apostrophe.byte_range().start..lifetime.ident.span().byte_range().end;
        let name = self.text[range.clone()].to_owned();
        self.names.definitions.push(Definition { name, class: Class::Lifetime, range });
    }

    fn define(&mut self, node: Node<'s>) {
        match node.syntax() {
            Syntax::Item(item) => self.item(item),
            Syntax::ImplItem(item) => self.impl_item(node, item),
            Syntax::TraitItem(item) => match item {
                TraitItem::Const(item) => self.add(&item.ident, Class::Type),
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
                        self.names.definitions.push(Definition { name, class: Class::Value, range });
                    }
                }
            }
            Syntax::Attribute(_) => self.late.attributes.push(node.range()),
            Syntax::Macro(_) => self.late.calls.push(node.range()),
            _ => {}
        }
    }

    fn item(&mut self, item: &'s Item) {
        match item {
            Item::Const(item) => self.add(&item.ident, Class::Type),
            Item::Enum(item) => self.add(&item.ident, Class::Type),
            Item::ExternCrate(item) => {
                self.names.foreign.insert(item.ident.to_string());
                item.rename.iter().for_each(|(_, ident)| self.add(ident, Class::Value));
            }
            Item::Fn(item) => self.add(&item.sig.ident, Class::Value),
            Item::Macro(item) => {
                if let Some(ident) = &item.ident {
                    self.names.macros.insert(ident.to_string());
                    self.add(ident, Class::Value);
                }
            }
            // A module in a file of its own has the name of the file.
            Item::Mod(item) if item.content.is_none() => {
                self.names.foreign.insert(item.ident.to_string());
            }
            Item::Mod(item) => self.add(&item.ident, Class::Value),
            Item::Static(item) => self.add(&item.ident, Class::Type),
            Item::Struct(item) => self.add(&item.ident, Class::Type),
            Item::Trait(item) => {
                self.late.traits.insert(item.ident.to_string());
                self.add(&item.ident, Class::Type);
            }
            Item::TraitAlias(item) => self.add(&item.ident, Class::Type),
            Item::Type(item) => self.add(&item.ident, Class::Type),
            Item::Union(item) => self.add(&item.ident, Class::Type),
            Item::Use(item) => self.late.uses.push(item),
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
            self.late.implemented.push((name.ident.to_string(), ident.to_string()));
        }
        match item {
            ImplItem::Fn(_) => self.add_member(ident, class),
            _ => self.add(ident, class),
        }
    }

    fn field(&mut self, member: &Member, has_colon: bool) {
        let Member::Named(ident) = member else { return };
        if has_colon {
            self.late.fields.insert(range(ident).start);
        } else {
            self.late.shorthands.push(ident.to_string());
        }
    }

    fn finish(&mut self) {
        self.names.definitions.sort_by_key(|definition| definition.range.start);
        let mut known = BTreeSet::new();
        self.names.definitions.retain(|definition| known.insert(definition.name.clone()));
        for (of, name) in &self.late.implemented {
            if !self.late.traits.contains(of) {
                self.names.foreign.insert(name.clone());
            }
        }
        for name in &self.late.shorthands {
            if !self.names.members.contains(name) {
                self.names.foreign.insert(name.clone());
            }
        }
        for item in &self.late.uses {
            imported(&item.tree, item.leading_colon.is_none().then_some(&known), &mut self.names.foreign);
        }
        self.late.attributes.sort_by_key(|range| range.start);
        self.occurrences(&known);
    }

    fn occurrences(&mut self, known: &BTreeSet<String>) {
        let tokens: Vec<&Token> = self.tree.source().tokens().iter().filter(|token| token.kind == Kind::Code).collect();
        let text = |index: usize| tokens.get(index).map_or("", |token| &self.text[token.range.clone()]);
        let before = |index: usize, steps: usize| index.checked_sub(steps).map_or("", text);
        let (mut attributes, mut calls) = (Cursor::new(&self.late.attributes), Cursor::new(&self.late.calls));
        for (index, token) in tokens.iter().enumerate() {
            let start = token.range.start;
            let in_attribute = attributes.contain(start);
            let formats = calls.contain(start) || in_attribute;
            if formats && is_string(text(index)) {
                for name in format::placeholders(text(index)).into_iter().flat_map(|placeholder| placeholder.names) {
                    let range = start + name.start..start + name.end;
                    let occurrences = self.names.occurrences.entry(&self.text[range.clone()]).or_default();
                    occurrences.push(Occurrence { range, role: Role::Any });
                }
            }
            // Those of attributes and specifiers of fragments among the tokens of a macro are names of the compiler.
            let is_specifier = before(index, 1) == ":" && before(index, 3) == "$";
            let is_attribute =
                before(index, 1) == "[" && matches!((before(index, 2), before(index, 3)), ("#", _) | ("!", "#"));
            if in_attribute || is_attribute || is_specifier || !is_name(text(index)) {
                continue;
            }
            let role = match () {
                () if before(index, 1) == "." || self.late.fields.contains(&start) => Role::Member,
                () if text(index + 1) == "!" && matches!(text(index + 2), "(" | "[" | "{") => Role::Macro,
                () => Role::Any,
            };
            if before(index, 1) == "::" && is_outside(index, known, &before) {
                self.names.foreign.insert(plain(text(index)).to_owned());
            }
            let occurrences = self.names.occurrences.entry(plain(text(index))).or_default();
            occurrences.push(Occurrence { range: token.range.clone(), role });
        }
    }
}

/// Whether the path that leads to the token at `index` begins outside the file.
fn is_outside<'t>(index: usize, known: &BTreeSet<String>, before: &impl Fn(usize, usize) -> &'t str) -> bool {
    let mut steps = 0;
    while before(index, steps + 1) == "::" && is_name(before(index, steps + 2)) {
        steps += 2;
    }
    match before(index, steps + 1) {
        // `<T as Trait>::name` may be anybody's.
        "::" => before(index, steps + 2) != ">",
        _ => !is_own_root(before(index, steps), known),
    }
}

/// Whether a path that begins with `root` stays in the file.
fn is_own_root(root: &str, known: &BTreeSet<String>) -> bool {
    matches!(root, "crate" | "self" | "super" | "Self") || known.contains(plain(root))
}

/// Adds the names that an import takes from outside, `known` being what a path in the file may begin with.
fn imported(tree: &UseTree, known: Option<&BTreeSet<String>>, foreign: &mut BTreeSet<String>) {
    let root = match tree {
        UseTree::Path(tree) => &tree.ident,
        UseTree::Name(tree) => &tree.ident,
        UseTree::Rename(tree) => &tree.ident,
        UseTree::Group(group) => return group.items.iter().for_each(|item| imported(item, known, foreign)),
        UseTree::Glob(_) => return,
    };
    if known.is_some_and(|known| is_own_root(&root.to_string(), known)) {
        return;
    }
    foreign.insert(plain(&root.to_string()).to_owned());
    if let UseTree::Path(tree) = tree {
        imported(&tree.tree, None, foreign);
    }
}

/// A walk through ranges in order of their starts.
struct Cursor<'r> {
    ranges: std::iter::Peekable<std::slice::Iter<'r, Range<usize>>>,
    end: usize,
}

impl<'r> Cursor<'r> {
    fn new(ranges: &'r [Range<usize>]) -> Self {
        Self { ranges: ranges.iter().peekable(), end: 0 }
    }

    /// Whether a range contains `byte`, which only ever grows.
    fn contain(&mut self, byte: usize) -> bool {
        while let Some(range) = self.ranges.next_if(|range| range.start <= byte) {
            self.end = self.end.max(range.end);
        }
        byte < self.end
    }
}

fn is_string(token: &str) -> bool {
    token.starts_with(['"', 'r', 'b', 'c']) && token.ends_with(['"', '#'])
}

/// Whether a token is an identifier, a keyword or a lifetime.
fn is_name(token: &str) -> bool {
    let name = plain(token.strip_prefix('\'').unwrap_or(token));
    name.starts_with(|c: char| c == '_' || c.is_alphabetic() || !c.is_ascii())
        && name.chars().all(|c| c == '_' || c.is_alphanumeric() || !c.is_ascii())
}
