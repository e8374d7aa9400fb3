//! Bounds and predicates in a simpler form, wherever they are written.

use std::collections::BTreeMap;
use std::ops::Range;

use syn::punctuated::Punctuated;
use syn::{PredicateType, Token, Type, TypeParamBound, WherePredicate};

use crate::names::Analysis;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::{List, Node, Syntax, range};
use crate::text::Edit;
use crate::text::lex::words;

family! {
    "predicates", "Simplifies bounds and predicates wherever they are written.", in Generics;

    /// Give the bounds of a predicate to another one, everywhere.
    MERGE_PREDICATES = "merge-predicates", Rule::Tree(merge_predicates),
        "struct S<T>(T) where [T]: A, Self: B;\n\
         impl<T> Drop for S<T> where [T]: A, Self: B {}"
        => "struct S<T>(T) where Self: B + A;\n\
            impl<T> Drop for S<T> where Self: B + A {}";

    /// Replace a bound by `Copy`, everywhere.
    BOUND_TO_COPY = "bound-to-copy", Rule::Tree(bound_to_copy),
        "struct S<T: Iterator<Item = u8>>(T);\n\
         impl<T: Iterator<Item = u8>> Drop for S<T> {}"
        => "struct S<T: Copy>(T);\n\
            impl<T: Copy> Drop for S<T> {}";
}

/// How many predicates a clause may have whose pairs are tried.
const PREDICATES: usize = 6;

/// Edits by what they change, as text, and where that is written first.
type Written = BTreeMap<Vec<String>, Vec<Edit>>;

fn merge_predicates(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let mut written = Written::new();
    for node in analysis.nodes() {
        if let Syntax::WhereClause(clause) = node.syntax()
            && clause.predicates.len() <= PREDICATES
        {
            merge_in(node, &clause.predicates, &mut written);
        }
    }
    propose(written, out);
}

fn merge_in(node: Node<'_>, predicates: &Punctuated<WherePredicate, Token![,]>, written: &mut Written) {
    let list = List::bare(node, predicates);
    let plain: Vec<(usize, &PredicateType)> = predicates
        .iter()
        .enumerate()
        .filter_map(|(index, predicate)| match predicate {
            WherePredicate::Type(ty) if ty.lifetimes.is_none() && !ty.bounds.is_empty() => Some((index, ty)),
            _ => None,
        })
        .collect();
    for (from, giver) in &plain {
        for (to, taker) in plain.iter().filter(|(to, _)| to != from) {
            let texts = [*from, *to].map(|index| words(node.text_at(list.elements[index].clone())));
            let (given, own) = (bytes(node, &giver.bounds), bytes(node, &taker.bounds));
            let both = format!("{} + {}", node.text_at(own.clone()), node.text_at(given));
            let edits = written.entry(texts.to_vec()).or_default();
            // The same two once more in one clause. The last pair has made three edits at most.
            let start = list.elements[(*from).min(*to)].start;
            if edits.iter().rev().take(3).all(|edit| edit.range.end <= start) {
                edits.extend(list.without(*from));
                edits.push(Edit::replace(own, both));
            }
        }
    }
}

/// The bytes of bounds without a `+` at the end.
fn bytes(node: Node<'_>, bounds: &Punctuated<TypeParamBound, Token![+]>) -> Range<usize> {
    let list = List::bare(node, bounds);
    list.elements.first().map_or(0, |first| first.start)..list.elements.last().map_or(0, |last| last.end)
}

fn bound_to_copy(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let mut written = Written::new();
    for node in analysis.nodes() {
        let Syntax::TypeParamBound(TypeParamBound::Trait(bound)) = node.syntax() else { continue };
        let is_plain = bound.maybe.is_none() && bound.lifetimes.is_none() && !bound.path.is_ident("Copy");
        let is_object =
            node.parent().is_some_and(|parent| matches!(parent.syntax(), Syntax::Type(Type::TraitObject(_))));
        if is_plain && !is_object {
            let path = range(&bound.path);
            let key = vec![words(node.text_at(path.clone()))];
            written.entry(key).or_default().push(Edit::replace(path, "Copy"));
        }
    }
    propose(written, out);
}

/// Proposes each set of edits, that which begins first in the source first.
fn propose(written: Written, out: &mut Proposals<'_>) {
    let mut all: Vec<Vec<Edit>> = written.into_values().collect();
    for edits in &mut all {
        edits.sort_by_key(|edit| edit.range.start);
    }
    out.edit_each(all);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn predicates_are_merged_in_both_directions_in_all_clauses() {
        check(
            &MERGE_PREDICATES,
            "struct S<T>(T) where [T]: A, Self: B + C,; fn f<T>() where Self: B  + C, [T]:A {} impl D for S<T> where [T]: A {}",
            &[
                "struct S<T>(T) where Self: B + C + A,; fn f<T>() where Self: B  + C, [T]:A {} impl D for S<T> where [T]: A {}",
                "struct S<T>(T) where [T]: A + B + C,; fn f<T>() where Self: B  + C, [T]:A {} impl D for S<T> where [T]: A {}",
                "struct S<T>(T) where [T]: A, Self: B + C,; fn f<T>() where [T]:A + B  + C {} impl D for S<T> where [T]: A {}",
                "struct S<T>(T) where [T]: A, Self: B + C,; fn f<T>() where Self: B  + C + A {} impl D for S<T> where [T]: A {}",
            ],
        );
        check(
            &MERGE_PREDICATES,
            "struct S<T>(T) where T: A, T: B; impl<T> C for S<T> where T: A, T: B {}",
            &[
                "struct S<T>(T) where T: B + A; impl<T> C for S<T> where T: B + A {}",
                "struct S<T>(T) where T: A + B; impl<T> C for S<T> where T: A + B {}",
            ],
        );
    }

    #[test]
    fn every_place_of_a_bound_changes() {
        check(
            &BOUND_TO_COPY,
            "trait T: Clone + Iter<u8> { type U: Clone; } fn f<V: Iter<u8>>() where V: Clone, W: ?Sized {}",
            &[
                "trait T: Copy + Iter<u8> { type U: Copy; } fn f<V: Iter<u8>>() where V: Copy, W: ?Sized {}",
                "trait T: Clone + Copy { type U: Clone; } fn f<V: Copy>() where V: Clone, W: ?Sized {}",
            ],
        );
    }

    #[test]
    fn what_is_no_longer_or_an_object_stays() {
        check(
            &BOUND_TO_COPY,
            "fn f<T: Copy + Ab>(x: &dyn Clone, y: impl Copy) where for<'a> T: for<'b> Clone<'b> {}",
            &[],
        );
        check(&BOUND_TO_COPY, "fn f<T: 'static, U: ?Sized>() {}", &[]);
        check(&BOUND_TO_COPY, "type A = impl a::B;", &["type A = impl Copy;"]);
    }
}
