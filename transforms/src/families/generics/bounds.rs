//! Bounds and predicates that are deleted, or put in a simpler form, wherever they are written.

use std::collections::BTreeMap;

use syn::{PredicateType, Type, TypeParamBound, WherePredicate};

use crate::names::Analysis;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::{bounds, object_bounds, written_bounds};
use crate::syntax::{List, Node, Syntax, range};
use crate::text::lex::words;
use crate::text::{Edit, outermost};

family! {
    "bounds", "Deletes and simplifies bounds and predicates wherever they are written.", in Generics;

    /// Delete a bound that is written several times, everywhere.
    ///
    /// What a trait and its impls, or a type and its `Drop`, have to agree on goes from none of them alone.
    DELETE_BOUND_EVERYWHERE = "delete-bound-everywhere", Rule::Tree(|names, out| everywhere(names, out, 2, without_bounds)),
        "struct S<T: A + B>(T); impl<T: A + B> Drop for S<T> {}" => "struct S<T: B>(T); impl<T: B> Drop for S<T> {}";

    /// Delete a predicate that is written several times, everywhere.
    DELETE_PREDICATE_EVERYWHERE = "delete-predicate-everywhere",
        Rule::Tree(|names, out| everywhere(names, out, 2, without_predicates)),
        "trait A { fn f() where Self: Sized; } impl A for B { fn f() where Self: Sized {} }"
        => "trait A { fn f(); } impl A for B { fn f() {} }";

    /// Give the bounds of a predicate to another one, everywhere.
    MERGE_PREDICATES = "merge-predicates", Rule::Tree(|names, out| everywhere(names, out, 1, merged_predicates)),
        "struct S<T>(T) where [T]: A, Self: B;\n\
         impl<T> Drop for S<T> where [T]: A, Self: B {}"
        => "struct S<T>(T) where Self: B + A;\n\
            impl<T> Drop for S<T> where Self: B + A {}";

    /// Replace a bound by `Copy`, everywhere.
    BOUND_TO_COPY = "bound-to-copy", Rule::Tree(|names, out| everywhere(names, out, 1, bounds_by_copy)),
        "struct S<T: Iterator<Item = u8>>(T);\n\
         impl<T: Iterator<Item = u8>> Drop for S<T> {}"
        => "struct S<T: Copy>(T);\n\
            impl<T: Copy> Drop for S<T> {}";
}

/// How many predicates a clause may have whose pairs are tried.
const PREDICATES: usize = 6;

/// What is changed, as text, with the edits that change it at each place.
#[derive(Default)]
struct Written {
    places: BTreeMap<Vec<String>, Vec<Vec<Edit>>>,
}

impl Written {
    fn add(&mut self, text: &str, edits: Vec<Edit>) {
        self.places.entry(vec![words(text)]).or_default().push(edits);
    }
}

/// Proposes to change each text that has `least` places, as `collect` finds them, the one that comes first in the source first.
fn everywhere(names: &Analysis<'_>, out: &mut Proposals<'_>, least: usize, collect: fn(Node<'_>, &mut Written)) {
    let mut written = Written::default();
    names.nodes().for_each(|node| collect(node, &mut written));
    let several = written.places.into_values().filter(|places| places.len() >= least);
    // Neighbours share a separator, and a predicate about an object goes with the bounds inside it.
    out.edit_each(several.map(|places| outermost(places.concat())).collect());
}

fn without_bounds(node: Node<'_>, written: &mut Written) {
    match node.syntax() {
        Syntax::Type(ty) => in_object(node, ty, written),
        Syntax::WhereClause(clause) => {
            let predicates = List::bare(node, &clause.predicates);
            for (index, predicate) in clause.predicates.iter().enumerate() {
                let WherePredicate::Type(predicate) = predicate else { continue };
                // A predicate without bounds asks for nothing.
                if let (Some(bound), 1) = (predicate.bounds.first(), predicate.bounds.len()) {
                    written.add(node.text_at(range(bound)), predicates.without_or(index, node.range()));
                }
            }
        }
        Syntax::WherePredicate(WherePredicate::Type(predicate)) if predicate.bounds.len() == 1 => {}
        syntax => {
            let Some((bounds, colon)) = bounds(syntax) else { return };
            let list = List::bare(node, bounds);
            let whole = colon.map(|colon| range(colon).start..list.end());
            for (index, bound) in list.elements.iter().enumerate() {
                let edits = match &whole {
                    Some(whole) => list.without_or(index, whole.clone()),
                    None => list.without(index),
                };
                written.add(node.text_at(bound.clone()), edits);
            }
        }
    }
}

/// Collects the bounds of a trait object or `impl Trait`, but for the first trait.
fn in_object(node: Node<'_>, ty: &syn::Type, written: &mut Written) {
    let Some(bounds) = object_bounds(ty) else { return };
    let first = bounds.iter().position(|bound| matches!(bound, TypeParamBound::Trait(_) | TypeParamBound::Verbatim(_)));
    let list = List::bare(node, bounds);
    for (index, bound) in list.elements.iter().enumerate() {
        match first {
            Some(first) if index < first => written.add(node.text_at(bound.clone()), list.without(index)),
            Some(first) if index > first => written.add(node.text_at(bound.clone()), list.without_backwards(index)),
            _ => {}
        }
    }
}

fn without_predicates(node: Node<'_>, written: &mut Written) {
    let Syntax::WhereClause(clause) = node.syntax() else { return };
    let list = List::bare(node, &clause.predicates);
    for (index, predicate) in list.elements.iter().enumerate() {
        written.add(node.text_at(predicate.clone()), list.without_or(index, node.range()));
    }
}

fn merged_predicates(node: Node<'_>, written: &mut Written) {
    let Syntax::WhereClause(clause) = node.syntax() else { return };
    if clause.predicates.len() > PREDICATES {
        return;
    }
    let list = List::bare(node, &clause.predicates);
    let plain: Vec<(usize, &PredicateType)> = clause
        .predicates
        .iter()
        .enumerate()
        .filter_map(|(index, predicate)| match predicate {
            WherePredicate::Type(ty) if ty.lifetimes.is_none() => Some((index, ty)),
            _ => None,
        })
        .collect();
    for (from, giver) in &plain {
        for (to, taker) in plain.iter().filter(|(to, _)| to != from) {
            let texts = [*from, *to].map(|index| words(node.text_at(list.elements[index].clone())));
            let (Some(given), Some(own)) = (written_bounds(&giver.bounds), written_bounds(&taker.bounds)) else {
                continue;
            };
            let both = format!("{} + {}", node.text_at(own.clone()), node.text_at(given));
            let places = written.places.entry(texts.to_vec()).or_default();
            // The same two may stand once more in one clause.
            let start = list.elements[(*from).min(*to)].start;
            if places.last().is_none_or(|edits| edits.iter().all(|edit| edit.range.end <= start)) {
                let mut edits = list.without(*from);
                edits.push(Edit::replace(own, both));
                places.push(edits);
            }
        }
    }
}

fn bounds_by_copy(node: Node<'_>, written: &mut Written) {
    let Syntax::TypeParamBound(TypeParamBound::Trait(bound)) = node.syntax() else { return };
    let is_plain = bound.maybe.is_none() && bound.lifetimes.is_none() && !bound.path.is_ident("Copy");
    let is_object = node.parent().is_some_and(|parent| matches!(parent.syntax(), Syntax::Type(Type::TraitObject(_))));
    if is_plain && !is_object {
        let path = range(&bound.path);
        written.add(node.text_at(path.clone()), vec![Edit::replace(path, "Copy")]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn bounds_go_from_parameters_traits_and_predicates() {
        check(
            &DELETE_BOUND_EVERYWHERE,
            "trait T: A { type B: A + C; } fn f<U: A>() where U: A, V: D + A {}",
            &["trait T { type B: C; } fn f<U>() where V: D {}"],
        );
        check(
            &DELETE_BOUND_EVERYWHERE,
            "fn f<T: A + B>() {} fn g<T: B + A>() {}",
            &["fn f<T: B>() {} fn g<T: B>() {}", "fn f<T: A>() {} fn g<T: A>() {}"],
        );
    }

    #[test]
    fn bounds_go_from_objects_that_keep_a_trait() {
        check(
            &DELETE_BOUND_EVERYWHERE,
            "type A = dyn B + Send; type C = impl 'a + D + Send; type E = dyn Send;",
            &["type A = dyn B; type C = impl 'a + D; type E = dyn Send;"],
        );
        check(&DELETE_BOUND_EVERYWHERE, "fn f() where A<dyn B + C>: C, D: E {}", &["fn f() where D: E {}"]);
    }

    #[test]
    fn what_is_written_once_is_left_to_others() {
        check(&DELETE_BOUND_EVERYWHERE, "fn f<T: A>() where T: B {} impl<T: A<C>> D for E {}", &[]);
        check(&DELETE_PREDICATE_EVERYWHERE, "fn f<T>() where T: A, T: B {}", &[]);
    }

    #[test]
    fn predicates_go_with_their_commas() {
        check(
            &DELETE_PREDICATE_EVERYWHERE,
            "struct S<T>(T) where [T]: A, T: B; impl<T> C for S<T> where T: B, [T]:  A {}",
            &[
                "struct S<T>(T) where T: B; impl<T> C for S<T> where T: B {}",
                "struct S<T>(T) where [T]: A; impl<T> C for S<T> where [T]: A {}",
            ],
        );
    }

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
