//! Traits of the file that give way to one of the standard library.

use std::ops::Range;

use syn::{GenericParam, Item, ItemImpl, TraitItem, Type, TypeParamBound, WherePredicate};

use crate::names::{Analysis, Definition, Reference, without_leaf};
use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::parameter_name;
use crate::syntax::{Node, Syntax, range};
use crate::text::{Edit, covers, edited, outermost};

family! {
    "std-traits", "Puts a trait of the standard library in the place of one of the file.", in Coupled at 18;

    /// Replace a trait that one type implements by `From` of that type in all bounds, and delete it with its impl.
    ///
    /// Each type is `From` itself, so what has the bound has it still. Where the type speaks of lifetimes, they become
    /// the one that the bound holds for, or else `'static`.
    TRAIT_TO_FROM = "trait-to-from",
        Rule::Tree(|names, out| names.traits().for_each(|own| out.edit_any(own.node.range(), replaced(own)))),
        "trait A { type B<'a>; }\n\
         impl A for &u8 { type B<'a> = &'a u8; }\n\
         fn f<T>() where for<'a> T: A<B<'a> = T> {}"
        => "fn f<T>() where for<'a> T: From<&'a u8> {}";

    /// Replace a trait of the file by `Copy` or `Drop` wherever it is named, and delete its definition and impls.
    ///
    /// Most plain types are `Copy`, and hardly any implements `Drop`.
    SUBSTITUTE_TRAIT = "substitute-trait", Rule::Tree(substitute_trait),
        "trait A { fn f(); }\n\
         impl A for u8 { fn f() {} }\n\
         fn f<T: A>() {}"
        => "fn f<T: Copy>() {}";

    /// Replace a trait that has nothing but an associated type by `Iterator`, and the type by `Item`.
    TRAIT_TO_ITERATOR = "trait-to-iterator", Rule::Tree(trait_to_iterator),
        "trait A { type B; }\n\
         fn f<T: A<B = u8>>(x: T::B) {}"
        => "fn f<T: Iterator<Item = u8>>(x: T::Item) {}";
}

fn substitute_trait(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    for definition in analysis.traits() {
        if definition.params().next().is_none() {
            out.edit_any(definition.node.range(), ["Copy", "Drop"].map(|name| definition.trait_replaced(name)));
        }
    }
}

fn trait_to_iterator(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    for definition in analysis.traits() {
        let Syntax::Item(Item::Trait(item)) = definition.node.syntax() else { continue };
        let [TraitItem::Type(ty)] = &item.items[..] else { continue };
        if definition.params().next().is_some() || !ty.generics.params.is_empty() {
            continue;
        }
        let mut edits = vec![Edit::delete(definition.node.range())];
        for occurrence in definition.uses() {
            match Reference::of(&occurrence) {
                Some(Reference::Import(node)) => edits.extend(without_leaf(node)),
                _ => edits.push(Edit::replace(occurrence.range, "Iterator")),
            }
        }
        let types = definition.node.tree().occurrences(&ty.ident.to_string());
        edits.extend(types.map(|occurrence| Edit::replace(occurrence.range, "Item")));
        out.edit(definition.node.range(), outermost(edits));
    }
}

/// The edits that replace a trait; none if it has not one impl, or is named where `From` cannot stand.
fn replaced(definition: &Definition<'_>) -> Option<Vec<Edit>> {
    let mut edits = vec![Edit::delete(definition.node.range())];
    let (mut bounds, mut home) = (Vec::new(), None);
    for occurrence in definition.uses() {
        match Reference::of(&occurrence)? {
            Reference::Impl(node) if home.is_none() => home = Some(node),
            Reference::Import(node) => edits.extend(without_leaf(node)),
            Reference::Bound(node) => bounds.push(node),
            _ => return None,
        }
    }
    let home: Node<'_> = home.filter(|_| !bounds.is_empty())?;
    edits.push(Edit::delete(home.range()));
    let Syntax::Item(Item::Impl(item)) = home.syntax() else { return None };
    let is_lifetime = |param: &GenericParam| matches!(param, GenericParam::Lifetime(_));
    // The value of a metavariable is unknown.
    let is_known = !home.text_at(range(&*item.self_ty)).contains('$');
    if !item.generics.params.iter().all(is_lifetime) || !is_known {
        return None;
    }
    for bound in bounds.iter().filter(|bound| !home.range().contains(&bound.range().start)) {
        edits.push(converted(*bound, home, item)?);
    }
    Some(outermost(edits))
}

/// The edit that makes a bound one by `From` of what `item` is an impl for.
fn converted(bound: Node<'_>, home: Node<'_>, item: &ItemImpl) -> Option<Edit> {
    let owner = bound.parent()?;
    let Syntax::TypeParamBound(TypeParamBound::Trait(syntax)) = bound.syntax() else { return None };
    if syntax.maybe.is_some() || matches!(owner.syntax(), Syntax::Type(Type::TraitObject(_))) {
        return None;
    }
    let around = match owner.syntax() {
        Syntax::WherePredicate(WherePredicate::Type(predicate)) => predicate.lifetimes.as_ref(),
        _ => None,
    };
    let mut params = syntax.lifetimes.as_ref().or(around).into_iter().flat_map(|binder| &binder.lifetimes);
    let lifetime = params.find(|param| matches!(param, GenericParam::Lifetime(_))).map(parameter_name);
    let ty = with_lifetime(home, range(&*item.self_ty), lifetime.as_deref().unwrap_or("'static"));
    Some(Edit::replace(range(&syntax.path), format!("From<{ty}>")))
}

/// The text of the type at `ty` with `lifetime` for all that are not `'static`, those that are left out of references
/// as well.
fn with_lifetime(home: Node<'_>, ty: Range<usize>, lifetime: &str) -> String {
    let within = home.tree().nodes().filter(|node| covers(&ty, &node.range()));
    let edits = within.filter_map(|node| match node.syntax() {
        Syntax::Lifetime(other) if other.ident != "static" => Some(Edit::replace(node.range(), lifetime)),
        Syntax::Type(Type::Reference(reference)) if reference.lifetime.is_none() => {
            let end = range(&reference.and_token).end;
            Some(Edit::replace(end..end, format!("{lifetime} ")))
        }
        _ => None,
    });
    edited(home.source_text(), ty.clone(), &edits.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn all_bounds_change() {
        check(
            &TRAIT_TO_FROM,
            "use m::A; trait A<T> { fn f(); } impl A<u16> for u8 { fn f() {} } trait B: A<u8> { type C: A<()>; } fn f<T: D + A<u8>>(x: impl A<T>) {}",
            &["trait B: From<u8> { type C: From<u8>; } fn f<T: D + From<u8>>(x: impl From<u8>) {}"],
        );
    }

    #[test]
    fn lifetimes_become_that_of_the_bound() {
        check(
            &TRAIT_TO_FROM,
            "trait A { fn f(); } impl<'a> A for S<'a, &'static (), &&'_ u8> { fn f() { g(1, 2, 3, 4, 5, 6); h(1, 2, 3, 4, 5, 6) } } struct B<T: for<'b> A, U>(T, U) where for<'c, 'd> U: A, T: A;",
            &[
                "struct B<T: for<'b> From<S<'b, &'static (), &'b &'b u8>>, U>(T, U) where for<'c, 'd> U: From<S<'c, &'static (), &'c &'c u8>>, T: From<S<'static, &'static (), &'static &'static u8>>;",
            ],
        );
    }

    #[test]
    fn a_trait_of_several_types_stays() {
        check(&TRAIT_TO_FROM, "trait A {} impl A for u8 {} impl A for u16 {} fn f<T: A>() {}", &[]);
        check(&TRAIT_TO_FROM, "trait A {} impl<T> A for Vec<T> {} fn f<T: A>() {}", &[]);
        check(&TRAIT_TO_FROM, "trait A {} fn f<T: A>() {}", &[]);
        check(&TRAIT_TO_FROM, "trait A {} macro_rules! m { ($a:ident) => { impl A for $a {} } } fn f<T: A>() {}", &[]);
    }

    #[test]
    fn a_trait_that_is_no_bound_stays() {
        check(&TRAIT_TO_FROM, "trait A {} impl A for u8 {}", &[]);
        check(&TRAIT_TO_FROM, "trait A {} impl A for u8 {} fn f<T: A>(x: &dyn A) {}", &[]);
        check(&TRAIT_TO_FROM, "trait A {} impl A for u8 {} fn f<T: A>() { A::g(); <T as A>::g(); }", &[]);
        check(&TRAIT_TO_FROM, "trait A {} impl A for u8 {} fn f<T: ?A>() { m!(A) }", &[]);
    }

    #[test]
    fn a_trait_goes_with_its_impls_and_imports() {
        check(
            &SUBSTITUTE_TRAIT,
            "mod m { pub trait A {} } use m::A; impl A for u8 {} impl<T: A + B> C for T {} fn f() -> impl A { m!(A) }",
            &[
                "mod m { } impl<T: Copy + B> C for T {} fn f() -> impl Copy { m!(Copy) }",
                "mod m { } impl<T: Drop + B> C for T {} fn f() -> impl Drop { m!(Drop) }",
            ],
        );
        check(&SUBSTITUTE_TRAIT, "trait A<T> {} impl A<u8> for u8 {} fn f(b: impl B) {}", &[]);
    }

    #[test]
    fn a_trait_of_one_type_is_iterator() {
        check(
            &TRAIT_TO_ITERATOR,
            "mod m { pub trait A: D { type B: C; } } use m::A; impl A for S { type B = u8; } fn f<T: A>(x: <T as A>::B) -> T::B {}",
            &[
                "mod m { } impl Iterator for S { type Item = u8; } fn f<T: Iterator>(x: <T as Iterator>::Item) -> T::Item {}",
            ],
        );
        check(
            &TRAIT_TO_ITERATOR,
            "trait A<T> { type B; } trait C { type D<'a>; } trait E { type F; fn g(); } trait G {}",
            &[],
        );
    }
}
