//! Types behind traits, which are replaced by the types that implement them.

use syn::{Item, ItemImpl, Type};

use crate::names::analysis::Analysis;
use crate::names::generic_params;
use crate::names::references::Reference;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::tree::{Node, Syntax, range};
use crate::text::edit::{Edit, outermost};

family! {
    "trait-objects", "Replaces trait objects and `impl Trait` by types that implement the trait.", in Coupled at 8;

    /// Replace `dyn Trait` and `impl Trait` by a type that the file implements the trait for, everywhere.
    ///
    /// ```text
    /// trait A {}
    /// struct B;
    /// impl A for B {}
    /// fn f(a: Box<dyn A>, b: &impl A) -> impl A { B }
    /// =>
    /// trait A {}
    /// struct B;
    /// impl A for B {}
    /// fn f(a: Box<B>, b: &B) -> B { B }
    /// ```
    ///
    /// Alternatives replace the trait objects alone and `impl Trait` alone; then the same with the next type. The smallest
    /// types come first.
    REPLACE_TRAIT_OBJECT = "replace-trait-object", Rule::Tree(replace_trait_object);
}

/// With how many types each trait is replaced.
const TYPES: usize = 2;

fn replace_trait_object(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let impls: Vec<Node<'_>> =
        analysis.nodes().filter(|node| matches!(node.syntax(), Syntax::Item(Item::Impl(_)))).collect();
    for definition in analysis.traits() {
        let name = definition.name();
        let uses = definition.uses().filter_map(|occurrence| match Reference::of(&occurrence)? {
            Reference::Bound(bound) => bound.parent(),
            _ => None,
        });
        let uses: Vec<Node<'_>> = uses.collect();
        let of = |is: fn(&Type) -> bool| -> Vec<Node<'_>> {
            uses.iter().copied().filter(|node| matches!(node.syntax(), Syntax::Type(ty) if is(ty))).collect()
        };
        let objects = of(|ty| matches!(ty, Type::TraitObject(_)));
        let opaque = of(|ty| matches!(ty, Type::ImplTrait(_)));
        let both = [objects.clone(), opaque.clone()].concat();
        for ty in types(name, &impls) {
            for types in [&both, &objects, &opaque] {
                let edits = types.iter().map(|node| Edit::replace(node.range(), ty)).collect();
                out.edit(definition.node.range(), outermost(edits));
            }
        }
    }
}

/// The types that the trait `name` is implemented for, the shortest first, as far as they mean the same everywhere.
fn types<'t>(name: &str, impls: &[Node<'t>]) -> Vec<&'t str> {
    let ty = |node: &Node<'t>| {
        let Syntax::Item(Item::Impl(item)) = node.syntax() else { return None };
        let (path, _) = item.trait_.as_ref()?;
        let is_it = path.segments.last()?.ident == name && item.modifiers.polarity.is_none();
        (is_it && is_closed(*node, item, name)).then(|| node.text_at(range(&*item.self_ty)))
    };
    let mut types: Vec<&str> = impls.iter().filter_map(ty).collect();
    types.sort_by_key(|ty| ty.len());
    types.dedup();
    types.truncate(TYPES);
    types
}

/// Whether the type that an impl is for means the same outside of it, and speaks not of the trait.
fn is_closed(node: Node<'_>, item: &ItemImpl, name: &str) -> bool {
    let ty = range(&*item.self_ty);
    let names = item.generics.params.iter().map(|param| generic_params::name(node, param)).chain([name]);
    let is_sum = matches!(&*item.self_ty, Type::TraitObject(_) | Type::ImplTrait(_));
    !is_sum && names.into_iter().all(|name| !generic_params::occurs(node, name, ty.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn objects_and_opaque_types_are_replaced_together_or_alone() {
        check(
            &REPLACE_TRAIT_OBJECT,
            "trait A {} impl A for S {} fn f(a: &dyn A, b: impl A + Send) {}",
            &[
                "trait A {} impl A for S {} fn f(a: &S, b: S) {}",
                "trait A {} impl A for S {} fn f(a: &S, b: impl A + Send) {}",
                "trait A {} impl A for S {} fn f(a: &dyn A, b: S) {}",
            ],
        );
    }

    #[test]
    fn the_shortest_types_come_first() {
        check(
            &REPLACE_TRAIT_OBJECT,
            "trait A<T> {} impl A<u8> for S1 {} impl A<u8> for Vec<u8> {} impl A<i8> for () {} type B = Box<dyn m::A<u8> + 'static>;",
            &[
                "trait A<T> {} impl A<u8> for S1 {} impl A<u8> for Vec<u8> {} impl A<i8> for () {} type B = Box<S1>;",
                "trait A<T> {} impl A<u8> for S1 {} impl A<u8> for Vec<u8> {} impl A<i8> for () {} type B = Box<()>;",
            ],
        );
    }

    #[test]
    fn types_that_mean_nothing_elsewhere_are_left_out() {
        check(&REPLACE_TRAIT_OBJECT, "trait A {} impl<T> A for T {} fn f(a: &dyn A) {}", &[]);
        check(&REPLACE_TRAIT_OBJECT, "trait A {} impl A for Box<dyn A> {} fn f(a: &dyn A) {}", &[]);
        check(&REPLACE_TRAIT_OBJECT, "trait A {} impl !A for S {} fn f(a: &dyn A) {}", &[]);
    }

    #[test]
    fn bounds_and_other_traits_stay() {
        check(&REPLACE_TRAIT_OBJECT, "trait A {} impl A for S {} fn f<T: A>(a: T) where U: A {}", &[]);
        check(&REPLACE_TRAIT_OBJECT, "impl Iterator for S {} fn f(a: &dyn Iterator) {}", &[]);
    }
}
