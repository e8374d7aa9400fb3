//! Definitions that differ in name only, of which one is enough.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use syn::{Item, ItemImpl};

use crate::names::definitions::defined;
use crate::names::{Analysis, Definition, Reference, without_leaf};
use crate::rule::{Proposals, Rule, family};
use crate::syntax::{Node, Syntax, Tree, range};
use crate::text::{Edit, outermost};

family! {
    "merges", "Merges definitions that differ in name only.", in Coupled at 9;

    /// Replace a type or trait by another one that differs in name only, and delete its definition.
    ///
    /// An impl goes if there is one for the other already; of an inherent impl, what the other one has as well.
    MERGE_DEFINITIONS = "merge-definitions", Rule::Tree(merge_definitions),
        "struct A { a: u8 }\n\
         struct B { a: u8 }\n\
         impl Drop for B { fn drop(&mut self) {} }\n\
         fn f(b: B) -> B { B { a: b.a } }"
        => "struct A { a: u8 }\n\
            impl Drop for A { fn drop(&mut self) {} }\n\
            fn f(b: A) -> A { A { a: b.a } }";
}

/// The tokens in `range`, with `name` as a mark.
fn words(node: Node<'_>, range: Range<usize>, name: &str) -> Vec<String> {
    let tokens = node.tree().source().code(range);
    tokens.map(|(token, _)| if token == name { "_".to_owned() } else { token.to_owned() }).collect()
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
}
