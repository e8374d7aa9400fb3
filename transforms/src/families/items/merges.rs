//! Definitions that say the same, of which one is enough, and functions that stand in for others.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use syn::{Item, ItemImpl};

use crate::names::analysis::Analysis;
use crate::names::definitions::Definition;
use crate::names::definitions::defined;
use crate::names::functions::{Function, Home};
use crate::names::imports::without_leaf;
use crate::names::references::Reference;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::occurrences::Occurrence;
use crate::syntax::tree::{Node, Syntax, Tree, range};
use crate::text::edit::{Edit, outermost};

family! {
    "merges", "Merges definitions that say the same, and puts functions in the place of others.", in Coupled at 9;

    /// Replace a type or trait by another one that differs in name only, and delete its definition.
    ///
    /// ```text
    /// struct A { a: u8 }
    /// struct B { a: u8 }
    /// impl Drop for B { fn drop(&mut self) {} }
    /// fn f(b: B) -> B { B { a: b.a } }
    /// =>
    /// struct A { a: u8 }
    /// impl Drop for A { fn drop(&mut self) {} }
    /// fn f(b: A) -> A { A { a: b.a } }
    /// ```
    ///
    /// An impl goes if there is one for the other already; of an inherent impl, what the other one has as well.
    MERGE_DEFINITIONS = "merge-definitions", Rule::Tree(merge_definitions);

    /// Call a smaller function with as many parameters in the place of a function, and delete that.
    ///
    /// ```text
    /// fn f(a: u8) {}
    /// fn g(b: u8) { h(b); }
    /// fn i() { f(1); g(2); }
    /// =>
    /// fn f(a: u8) {}
    /// fn i() { f(1); f(2); }
    /// ```
    ///
    /// Of two alternatives, one with the same signature comes first.
    UNIFY_FUNCTIONS = "unify-functions", Rule::Tree(unify_functions);
}

/// With how many others a function is unified.
const OTHERS: usize = 2;

/// The tokens in `range`, with `name` as a mark.
fn words(node: Node<'_>, range: Range<usize>, name: &str) -> Vec<String> {
    let source = node.tree().source();
    let first = source.tokens().partition_point(|token| token.range.start < range.start);
    let tokens = source.tokens()[first..].iter().take_while(|token| token.range.end <= range.end);
    let tokens = tokens
        .filter(|token| token.kind == crate::text::lex::Kind::Code)
        .map(|token| &source.text()[token.range.clone()]);
    tokens.map(|token| if token == name { "_".to_owned() } else { token.to_owned() }).collect()
}

fn merge_definitions(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let mut known: HashMap<Vec<String>, &Definition<'_>> = HashMap::new();
    let heads = OnceCell::new();
    for definition in analysis.definitions().all.iter().filter(|own| own.is_type() || own.is_trait()) {
        let node = definition.node;
        let own = words(node, node.range(), definition.name());
        match known.get(&own) {
            Some(first) if first.name() != definition.name() => {
                if definition.uses().next().is_some() {
                    out.edit(node.range(), merged(heads.get_or_init(|| Heads::of(analysis)), definition, first.name()));
                }
            }
            Some(_) => {}
            None => drop(known.insert(own, definition)),
        }
    }
}

/// The impls of a file, by what stands before their braces.
struct Heads<'t> {
    /// In source order; they do not lie in each other.
    all: Vec<(Range<usize>, Node<'t>, &'t ItemImpl)>,
    /// The names of what the impls with the same head have.
    names: HashMap<Vec<String>, HashSet<String>>,
}

impl<'t> Heads<'t> {
    fn of(tree: &'t Tree<'_>) -> Self {
        let mut found = Self { all: Vec::new(), names: HashMap::new() };
        for node in tree.nodes() {
            let Syntax::Item(Item::Impl(item)) = node.syntax() else { continue };
            let head = node.range().start..range(&item.brace_token.span.open()).start;
            let names = node.children().flat_map(defined).map(ToString::to_string);
            found.names.entry(words(node, head.clone(), "")).or_default().extend(names);
            found.all.push((head, node, item));
        }
        found
    }

    /// The impls that name `definition` before their braces.
    fn naming(&self, definition: &Definition<'_>) -> BTreeSet<usize> {
        let at = |byte: usize| {
            let before = self.all.partition_point(|(head, ..)| head.start <= byte).checked_sub(1)?;
            self.all[before].0.contains(&byte).then_some(before)
        };
        definition.uses().filter_map(|occurrence| at(occurrence.range.start)).collect()
    }
}

/// The edits that delete `definition` and name `other` where it is named.
fn merged(heads: &Heads<'_>, definition: &Definition<'_>, other: &str) -> Vec<Edit> {
    let mut edits = vec![Edit::delete(definition.node.range())];
    for occurrence in definition.uses() {
        match Reference::of(&occurrence) {
            Some(Reference::Import(leaf)) => edits.extend(without_leaf(leaf)),
            Some(_) => edits.push(Edit::replace(occurrence.range, other)),
            None => {}
        }
    }
    for index in heads.naming(definition) {
        let (head, node, item) = &heads.all[index];
        let mut words = words(*node, head.clone(), "");
        if words.iter().any(|word| word == other) {
            continue;
        }
        words.iter_mut().filter(|word| *word == definition.name()).for_each(|word| other.clone_into(word));
        let Some(names) = heads.names.get(&words) else { continue };
        match item.trait_ {
            Some(_) => edits.push(Edit::delete(node.range())),
            None => {
                let is_there = |child: &Node<'_>| defined(*child).iter().any(|name| names.contains(&name.to_string()));
                edits.extend(node.children().filter(is_there).map(|child| Edit::delete(child.range())));
            }
        }
    }
    outermost(edits)
}

fn unify_functions(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let all: Vec<Function<'_>> = analysis.functions().iter().filter(|function| is_own(function)).cloned().collect();
    let others = Others::of_all(&all);
    for function in &all {
        let others = others.of(function);
        let uses = if others.is_empty() { Vec::new() } else { uses(function, analysis) };
        if uses.is_empty() {
            continue;
        }
        for other in others {
            let name = other.name();
            let mut edits = vec![Edit::delete(function.node.range())];
            edits.extend(uses.iter().flat_map(|occurrence| match Reference::of(occurrence) {
                Some(Reference::Import(leaf)) if is_known(other, leaf) => without_leaf(leaf),
                _ => vec![Edit::replace(occurrence.range.clone(), name.clone())],
            }));
            out.edit(function.node.range(), outermost(edits));
        }
    }
}

/// Whether a function can go without others that must change with it.
fn is_own(function: &Function<'_>) -> bool {
    !matches!(function.home, Home::Trait(_)) && !matches!(function.node.syntax(), Syntax::ForeignItem(_))
}

/// The properties that functions must share to replace each other: their home, their number of parameters, and whether
/// one of these is a receiver.
type Shape<'a> = (&'a Home, usize, bool);

fn shape<'a>(function: &'a Function<'_>) -> Shape<'a> {
    (&function.home, function.signature.inputs.len(), function.signature.receiver().is_some())
}

/// A function with its size and its signature as words.
struct Ranked<'a, 't> {
    function: &'a Function<'t>,
    size: (usize, usize),
    words: Vec<String>,
}

/// All functions by their shapes, the smallest first: a file can have thousands of one shape.
struct Others<'a, 't>(HashMap<Shape<'a>, Vec<Ranked<'a, 't>>>);

impl<'a, 't> Others<'a, 't> {
    fn of_all(all: &'a [Function<'t>]) -> Self {
        let mut found: HashMap<Shape<'a>, Vec<Ranked<'a, 't>>> = HashMap::new();
        for function in all {
            found.entry(shape(function)).or_default().push(Ranked {
                function,
                size: (function.node.tree().source().count(&function.node.range()), function.node.row()),
                words: words(function.node, range(function.signature), &function.name()),
            });
        }
        found.values_mut().for_each(|functions| functions.sort_by_key(|function| function.size));
        Self(found)
    }

    /// Those that may stand in for `function`, the best first: of the same signature, then the smallest.
    fn of(&self, function: &Function<'_>) -> Vec<&'a Function<'t>> {
        let kin = self.0.get(&shape(function)).map_or(&[][..], Vec::as_slice);
        let Some(own) = kin.iter().position(|other| other.function.node.row() == function.node.row()) else {
            return Vec::new();
        };
        let is_other = |other: &&Ranked<'_, '_>| other.function.signature.ident != function.signature.ident;
        let is_same = |other: &&Ranked<'_, '_>| other.words == kin[own].words;
        let smaller = || kin[..own].iter().filter(is_other);
        let same = smaller().filter(is_same);
        let others = same.chain(smaller().filter(|other| !is_same(other)));
        others.take(OTHERS).map(|other| other.function).collect()
    }
}

/// Where `function` is named outside of itself, as far as it is meant there.
fn uses<'t>(function: &Function<'t>, tree: &'t Tree<'_>) -> Vec<Occurrence<'t>> {
    let own = function.node.range();
    let is_free = function.home == Home::Module;
    let is_use = |occurrence: &Occurrence<'t>| {
        if own.contains(&occurrence.range.start) {
            return false;
        }
        if let Some(path) = occurrence.path_end() {
            let is_value = path.parent().is_some_and(|parent| matches!(parent.syntax(), Syntax::Expr(_)));
            return is_value && function.is_meant(path);
        }
        match Reference::of(occurrence) {
            Some(Reference::Import(_) | Reference::Token) => is_free,
            _ => !is_free && occurrence.method_call().is_some(),
        }
    };
    tree.occurrences(&function.name()).filter(is_use).collect()
}

/// Whether `function` is known where `leaf` is an import: it is defined or imported there.
fn is_known(function: &Function<'_>, leaf: Node<'_>) -> bool {
    let module = |node: Node<'_>| node.module().map(Node::row);
    let here = module(leaf);
    let is_here = |occurrence: Occurrence<'_>| match Reference::of(&occurrence) {
        Some(Reference::Import(other)) => module(other) == here,
        _ => false,
    };
    module(function.node) == here || leaf.tree().occurrences(&function.name()).any(is_here)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn what_differs_in_name_only_is_one() {
        check(
            &MERGE_DEFINITIONS,
            "enum A { X, Y(Box<A>) } enum B { X, Y(Box<B>) } use m::{B, c}; fn f() { B::Y(b) } trait T {} trait U {} fn g<A: U>() {}",
            &[
                "enum A { X, Y(Box<A>) } use m::{c}; fn f() { A::Y(b) } trait T {} trait U {} fn g<A: U>() {}",
                "enum A { X, Y(Box<A>) } enum B { X, Y(Box<B>) } use m::{B, c}; fn f() { B::Y(b) } trait T {} fn g<A: T>() {}",
            ],
        );
    }

    #[test]
    fn impls_that_are_there_already_go() {
        check(
            &MERGE_DEFINITIONS,
            "struct A; struct B; impl T for A { } impl T for B { a!(); } impl A { fn f() {} } impl B { fn f() {} fn g() {} } impl U for B {}",
            &["struct A; impl T for A { } impl A { fn f() {} } impl A { fn g() {} } impl U for A {}"],
        );
    }

    #[test]
    fn definitions_that_differ_or_are_not_named_stay() {
        check(&MERGE_DEFINITIONS, "struct A; struct B(u8); fn f(a: A, b: B) {}", &[]);
        check(&MERGE_DEFINITIONS, "struct A; struct B; mod m { struct A; } fn f(a: A) {}", &[]);
    }

    #[test]
    fn functions_stand_in_for_larger_ones() {
        check(
            &UNIFY_FUNCTIONS,
            "fn f(a: u8) {} fn g(a: u8) -> A { a } fn h(b: u8) { b; } use m::h; fn i() { m::h(g); h(1); x.h(2); n!(=> h) }",
            &[
                "fn f(a: u8) {} fn h(b: u8) { b; } use m::h; fn i() { m::h(f); h(1); x.h(2); n!(=> h) }",
                "fn f(a: u8) {} fn h(b: u8) { b; } use m::h; fn i() { m::h(h); h(1); x.h(2); n!(=> h) }",
                "fn f(a: u8) {} fn g(a: u8) -> A { a } fn i() { m::f(g); f(1); x.h(2); n!(=> f) }",
            ],
        );
    }

    #[test]
    fn methods_stand_in_for_those_of_their_type() {
        check(
            &UNIFY_FUNCTIONS,
            "impl S { fn f(&self) {} fn g(&self) { a } fn h(b: u8) {} } impl T { fn i(&self) {} } fn j() { s.g(); S::g(s); T::g(s) }",
            &["impl S { fn f(&self) {} fn h(b: u8) {} } impl T { fn i(&self) {} } fn j() { s.f(); S::f(s); T::g(s) }"],
        );
    }

    #[test]
    fn of_equal_functions_the_first_stays() {
        check(
            &UNIFY_FUNCTIONS,
            "fn f() {} fn g() {} mod m { use n::g; } fn h() { f(); g() }",
            &["fn f() {} mod m { use n::f; } fn h() { f(); f() }"],
        );
    }

    #[test]
    fn functions_of_traits_and_those_without_a_partner_stay() {
        check(&UNIFY_FUNCTIONS, "trait T { fn f(); fn g() {} } fn h() { T::g() }", &[]);
        check(&UNIFY_FUNCTIONS, "fn f() {} fn g(a: u8) { a } fn h() { f(); g(1) }", &[]);
        check(&UNIFY_FUNCTIONS, "extern \"C\" { fn f(); fn g(); } fn h(a: u8) { f(); g() }", &[]);
    }

    #[test]
    fn a_keyword_is_no_use_of_a_raw_name() {
        check(
            &UNIFY_FUNCTIONS,
            "fn f() {} fn r#struct() { a } struct S; fn g() { r#struct() }",
            &["fn f() {} struct S; fn g() { f() }"],
        );
    }
}
