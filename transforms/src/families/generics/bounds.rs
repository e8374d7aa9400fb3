//! Bounds and predicates that are deleted wherever they are written.

use std::collections::BTreeMap;

use syn::{TypeParamBound, WherePredicate};

use crate::names::Analysis;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::{bounds, object_bounds};
use crate::syntax::{List, Node, Syntax, range};
use crate::text::lex::words;
use crate::text::{Edit, outermost};

family! {
    "bounds", "Deletes bounds and predicates wherever they are written.", in Generics;

    /// Delete a bound that is written several times, everywhere.
    ///
    /// What a trait and its impls, or a type and its `Drop`, have to agree on goes from none of them alone.
    DELETE_BOUND_EVERYWHERE = "delete-bound-everywhere", Rule::Tree(delete_bound_everywhere),
        "struct S<T: A + B>(T); impl<T: A + B> Drop for S<T> {}" => "struct S<T: B>(T); impl<T: B> Drop for S<T> {}";

    /// Delete a predicate that is written several times, everywhere.
    DELETE_PREDICATE_EVERYWHERE = "delete-predicate-everywhere", Rule::Tree(delete_predicate_everywhere),
        "trait A { fn f() where Self: Sized; } impl A for B { fn f() where Self: Sized {} }"
        => "trait A { fn f(); } impl A for B { fn f() {} }";
}

/// Repeated texts, with the edits that delete each at each place.
#[derive(Default)]
struct Written {
    places: BTreeMap<String, Vec<Vec<Edit>>>,
}

impl Written {
    fn add(&mut self, text: &str, edits: Vec<Edit>) {
        self.places.entry(words(text)).or_default().push(edits);
    }

    /// Proposes to delete each text that has more than one place, the one that comes first in the source first.
    fn propose(self, out: &mut Proposals<'_>) {
        let several = self.places.into_values().filter(|places| places.len() > 1);
        // Neighbours share a separator, and a predicate about an object goes with the bounds inside it.
        out.edit_each(several.map(|places| outermost(places.concat())).collect());
    }
}

fn delete_bound_everywhere(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let mut written = Written::default();
    for node in analysis.nodes() {
        match node.syntax() {
            Syntax::Type(ty) => in_object(node, ty, &mut written),
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
                let Some((bounds, colon)) = bounds(syntax) else { continue };
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
    written.propose(out);
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

fn delete_predicate_everywhere(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let mut written = Written::default();
    for node in analysis.nodes() {
        if let Syntax::WhereClause(clause) = node.syntax() {
            let list = List::bare(node, &clause.predicates);
            for (index, predicate) in list.elements.iter().enumerate() {
                written.add(node.text_at(predicate.clone()), list.without_or(index, node.range()));
            }
        }
    }
    written.propose(out);
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
}
