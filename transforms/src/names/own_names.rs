//! The names that a file chooses itself: their occurrences, and those that it cannot choose because other code uses them.

use std::collections::HashSet;
use std::ops::Range;

use syn::{Item, Member, Pat, UseTree};

use super::captured::Captured;
use super::definitions::{Definition, Definitions, Kind, word};
use crate::syntax::generics::is_primitive;
use crate::syntax::occurrences::is_name;
use crate::syntax::token_groups::{Shape, token_groups};
use crate::syntax::{Node, Occurrence, Regions, Syntax, Tree, range};
use crate::text::lex::{Kind as TokenKind, plain};

/// The naming conventions of definitions.
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
pub(crate) struct OwnName<'t> {
    /// The name, without `r#`, with the `'` of a lifetime.
    pub(crate) name: &'t str,
    /// The class of the first definition.
    pub(crate) class: Class,
    pub(crate) range: Range<usize>,
}

impl<'t> OwnName<'t> {
    /// That of a definition, unless a macro makes it (`$name`) or it is that of a file, a crate, an import.
    fn of(definition: &Definition<'t>) -> Option<Self> {
        let Definition { node, ident, kind } = definition;
        let is_capital = || ident.to_string().starts_with(char::is_uppercase);
        let class = match (kind, node.syntax()) {
            (Kind::Module, Syntax::Item(Item::Mod(item))) if item.content.is_none() => return None,
            (Kind::Crate, Syntax::Item(Item::ExternCrate(item))) if item.rename.is_none() => return None,
            (Kind::Import, _) => return None,
            // With a capital, it is rather a constant or a variant.
            (Kind::Binding, Syntax::Pat(Pat::Ident(pat)))
                if pat.by_ref.is_none() && pat.mutability.is_none() && pat.subpat.is_none() && is_capital() =>
            {
                return None;
            }
            (Kind::Lifetime | Kind::Label, _) => Class::Lifetime,
            (Kind::Trait | Kind::Type | Kind::Constant | Kind::Variant | Kind::Parameter, _)
            | (Kind::AssociatedConstant | Kind::AssociatedType, _) => Class::Type,
            (Kind::Renamed, _) if is_capital() => Class::Type,
            _ => Class::Value,
        };
        let (name, range) = (plain(definition.name()), definition.range());
        (!name.starts_with('$') && name != "_").then_some(Self { name, class, range })
    }
}

/// The names that a file chooses.
pub(crate) struct OwnNames<'t> {
    tree: &'t Tree<'t>,
    /// The defined names, each once, in source order.
    pub(crate) all: Vec<OwnName<'t>>,
    /// Names that others use.
    foreign: HashSet<&'t str>,
    attributes: Regions,
}

impl<'t> OwnNames<'t> {
    /// Those of `tree`, which defines `definitions`. Linear in the size of the file but for sorting.
    pub(crate) fn of(tree: &'t Tree<'_>, definitions: &Definitions<'t>) -> Self {
        let mut all: Vec<OwnName<'t>> = definitions.all.iter().filter_map(OwnName::of).collect();
        all.extend(tree.nodes().flat_map(fragments));
        all.sort_by_key(|own| own.range.start);
        let mut known = HashSet::new();
        all.retain(|own| known.insert(own.name));
        let mut foreign: HashSet<&str> = definitions.all.iter().filter_map(|own| of_others(own, definitions)).collect();
        let is_member = |kind| matches!(kind, Kind::AssociatedFunction | Kind::Field);
        for node in tree.nodes() {
            match node.syntax() {
                Syntax::Item(Item::Use(item)) => {
                    imported(node, &item.tree, item.leading_colon.is_some(), &known, &mut foreign);
                }
                // A field whose name is that of a variable.
                Syntax::FieldPat(_) | Syntax::FieldValue(_) => foreign.extend(
                    field(node)
                        .filter(|(name, has_colon)| !has_colon && !definitions.define(name, is_member))
                        .map(|(name, _)| name),
                ),
                _ => {}
            }
        }
        let attributes = Regions::of(tree, |node| matches!(node.syntax(), Syntax::Attribute(_)));
        let mut own = Self { tree, all, foreign, attributes };
        let outside: Vec<&str> =
            own.all.iter().map(|name| name.name).filter(|name| own.is_outside(name, &known, definitions)).collect();
        own.foreign.extend(outside);
        own
    }

    /// Whether others use `name`, so that the file cannot choose another.
    pub(crate) fn is_foreign(&self, name: &str) -> bool {
        self.foreign.contains(name)
    }

    /// Whether `name` occurs anywhere; attributes are left out.
    pub(crate) fn has(&self, name: &str, captured: &Captured<'_>) -> bool {
        self.count(name, &(0..usize::MAX), captured) > 0
    }

    /// How often `name` occurs in `scope`; attributes are left out.
    pub(crate) fn count(&self, name: &str, scope: &Range<usize>, captured: &Captured<'_>) -> usize {
        let captured = captured.named(name);
        let before = |byte: usize| captured.partition_point(|range| range.start < byte);
        self.occurrences(name, scope.clone()).count() + before(scope.end) - before(scope.start)
    }

    /// Where `name` occurs and means something that the file defines, in source order.
    pub(crate) fn uses(&self, name: &str, definitions: &Definitions<'t>, captured: &Captured<'_>) -> Vec<Range<usize>> {
        let is_member = definitions.define(name, |kind| matches!(kind, Kind::AssociatedFunction | Kind::Field));
        let is_macro = definitions.define(name, |kind| kind == Kind::Macro);
        let occurrences = self.occurrences(name, 0..usize::MAX).filter(|occurrence| {
            let start = occurrence.range.start;
            let is_field = |node: Node<'_>| field(node).is_some_and(|(_, has_colon)| has_colon);
            let is_call = || {
                let mut after = words(self.tree, start, true).skip(1);
                after.next() == Some("!") && matches!(after.next(), Some("(" | "[" | "{"))
            };
            match occurrence.node.and_then(Node::parent).is_some_and(is_field)
                || words(self.tree, start, false).next() == Some(".")
            {
                true => is_member,
                false => is_macro || !is_call(),
            }
        });
        let captured = captured.named(name).iter().cloned();
        let mut uses: Vec<Range<usize>> = occurrences.map(|occurrence| occurrence.range).chain(captured).collect();
        uses.sort_by_key(|range| range.start);
        uses
    }

    /// Where `name` occurs in `scope` as a name of the program: neither in an attribute nor as a specifier of a fragment.
    fn occurrences(&self, name: &str, scope: Range<usize>) -> impl Iterator<Item = Occurrence<'t>> {
        self.tree.uses(name, scope, usize::MAX..usize::MAX).filter(|occurrence| {
            let mut back = words(self.tree, occurrence.range.start, false);
            let of_compiler = match back.next() {
                Some(":") => back.nth(1) == Some("$"),
                Some("[") => matches!((back.next(), back.next()), (Some("#"), _) | (Some("!"), Some("#"))),
                _ => false,
            };
            !of_compiler && !self.attributes.contain(occurrence.range.start)
        })
    }

    /// Whether a path that begins outside of the file leads to `name`.
    fn is_outside(&self, name: &str, known: &HashSet<&str>, definitions: &Definitions<'_>) -> bool {
        let is_associated = |own: &Definition<'_>| match own.kind {
            Kind::AssociatedConstant => matches!(own.node.syntax(), Syntax::TraitItem(_)),
            kind => matches!(kind, Kind::AssociatedFunction | Kind::Field),
        };
        self.occurrences(name, 0..usize::MAX).any(|occurrence| {
            let (mut back, mut root, mut segments) = (words(self.tree, occurrence.range.start, false), "", 0);
            while back.next() == Some("::") {
                match back.next() {
                    Some(word) if is_name(plain(word)) => (root, segments) = (word, segments + 1),
                    // `<T as Trait>::name` may be of any trait.
                    other => return other != Some(">"),
                }
            }
            match segments {
                0 => false,
                // A function or constant of a trait of the file may be meant.
                1 if is_primitive(root) => !definitions.named(name).any(is_associated),
                _ => is_primitive(root) || !is_own_root(root, known),
            }
        })
    }
}

/// Whether a path that begins with `root` stays in a file that defines the names `known`.
fn is_own_root(root: &str, known: &HashSet<&str>) -> bool {
    matches!(root, "crate" | "self" | "super" | "Self") || known.contains(plain(root))
}

/// The name of a definition, or the name that it renames, if other code uses it.
fn of_others<'t>(own: &Definition<'t>, definitions: &Definitions<'t>) -> Option<&'t str> {
    match (own.node.syntax(), own.node.parent().map(Node::syntax)) {
        // A module in a file of its own has the name of the file, and so has a crate.
        (Syntax::Item(Item::Mod(item)), _) => item.content.is_none().then(|| own.key()),
        (Syntax::Item(Item::ExternCrate(item)), _) => Some(own.node.text_at(range(&item.ident))),
        (Syntax::ImplItem(_), Some(Syntax::Item(Item::Impl(item)))) => {
            let of = &item.trait_.as_ref()?.0.segments.last()?.ident;
            let is_own = definitions.named(word(own.node, of)).any(Definition::is_trait);
            (!is_own).then(|| own.key())
        }
        _ => None,
    }
}

/// Adds the names that an import in `node` takes from outside; `is_outside` says that the path before it leads there.
fn imported<'t>(
    node: Node<'t>,
    tree: &UseTree,
    is_outside: bool,
    known: &HashSet<&str>,
    foreign: &mut HashSet<&'t str>,
) {
    let root = match tree {
        UseTree::Path(tree) => word(node, &tree.ident),
        UseTree::Name(tree) => word(node, &tree.ident),
        UseTree::Rename(tree) => word(node, &tree.ident),
        UseTree::Group(group) => {
            return group.items.iter().for_each(|item| imported(node, item, is_outside, known, foreign));
        }
        UseTree::Glob(_) => return,
    };
    if !is_outside && is_own_root(root, known) {
        return;
    }
    foreign.insert(root);
    if let UseTree::Path(tree) = tree {
        imported(node, &tree.tree, true, known, foreign);
    }
}

/// The name of the field in a struct expression or pattern, and whether a colon follows it.
fn field<'t>(node: Node<'t>) -> Option<(&'t str, bool)> {
    let (member, has_colon) = match node.syntax() {
        Syntax::FieldPat(field) => (&field.member, field.colon_token.is_some()),
        Syntax::FieldValue(field) => (&field.member, field.colon_token.is_some()),
        _ => return None,
    };
    if let Member::Named(ident) = member { Some((word(node, ident), has_colon)) } else { None }
}

/// The fragments that the matcher of a macro names.
fn fragments<'t>(node: Node<'t>) -> Vec<OwnName<'t>> {
    let Syntax::Tokens(tokens) = node.syntax() else { return Vec::new() };
    let own = |shape: Shape, range: Range<usize>| {
        let Shape::Fragment(name) = shape else { return None };
        let start = range.start + node.text_at(range).find(&name).unwrap_or(0);
        let range = start..start + name.len();
        Some(OwnName { name: node.text_at(range.clone()), class: Class::Value, range })
    };
    token_groups(node.source_text(), tokens).into_iter().filter_map(|piece| own(piece.shape, piece.range)).collect()
}

/// The code tokens from `byte` on, or those before it, backwards.
fn words<'t>(tree: &'t Tree<'_>, byte: usize, ahead: bool) -> impl Iterator<Item = &'t str> {
    let (text, tokens) = (tree.source().text(), tree.source().tokens());
    let at = tokens.partition_point(|token| token.range.start < byte);
    let (after, before) = if ahead { (&tokens[at..], &[][..]) } else { (&[][..], &tokens[..at]) };
    let all = after.iter().chain(before.iter().rev());
    all.filter(|token| token.kind == TokenKind::Code).map(|token| &text[token.range.clone()])
}
