//! Functions that go into the traits that their parameters are bound by.

use std::collections::HashMap;

use syn::{Expr, GenericArgument, GenericParam, Item, ItemTrait, PathArguments, TypeParamBound, WherePredicate};

use crate::names::references::arguments;
use crate::names::{Analysis, Function, Home};
use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::angles;
use crate::syntax::{Node, Occurrence, Syntax, range};
use crate::text::{Edit, edited, outermost};

family! {
    "trait-homes", "Moves generic functions into the traits that bind their parameters.", in Coupled at 13;

    /// Move a function with one bounded type parameter into the trait of its bound, where it is `Self`.
    ///
    /// An alternative makes the trait one of sized types.
    FUNCTION_INTO_TRAIT = "function-into-trait", Rule::Tree(function_into_trait),
        "trait T { type A; }\n\
         fn f<S: T>(a: S::A) {}\n\
         fn g() { f::<u8>(1) }"
        => "trait T { type A; fn f(a: Self::A) {} }\n\
            fn g() { u8::f(1) }";
}

/// A function with one type parameter, which one trait of the file bounds.
struct Bounded<'t> {
    function: &'t Function<'t>,
    parameter: &'t str,
    item: &'t ItemTrait,
}

/// The traits without generics, by name.
type Traits<'t> = HashMap<String, (Node<'t>, &'t ItemTrait)>;

fn plain_trait(node: Node<'_>) -> Option<(String, (Node<'_>, &ItemTrait))> {
    let Syntax::Item(Item::Trait(item)) = node.syntax() else { return None };
    item.generics.params.is_empty().then(|| (item.ident.to_string(), (node, item)))
}

fn bounded<'t>(traits: &Traits<'t>, function: &'t Function<'t>) -> Option<Bounded<'t>> {
    let generics = &function.signature.generics;
    let [GenericParam::Type(parameter)] = &generics.params.iter().collect::<Vec<_>>()[..] else { return None };
    let predicates: Vec<_> = generics.where_clause.iter().flat_map(|clause| &clause.predicates).collect();
    let bounds = match (parameter.bounds.is_empty(), &predicates[..]) {
        (false, []) => &parameter.bounds,
        // Inside of a trait only its own type is bound.
        (true, [WherePredicate::Type(predicate)])
            if predicate.lifetimes.is_none()
                && parameter.ident == function.node.text_at(range(&predicate.bounded_ty)) =>
        {
            &predicate.bounds
        }
        _ => return None,
    };
    let [TypeParamBound::Trait(bound)] = &bounds.iter().collect::<Vec<_>>()[..] else { return None };
    let name = bound.path.get_ident().filter(|_| bound.lifetimes.is_none() && bound.maybe.is_none())?.to_string();
    let (home, item) = *traits.get(&name)?;
    let parameter = function.node.text_at(range(&parameter.ident));
    let inside = |outer: Node<'_>, inner: Node<'_>| outer.range().contains(&inner.range().start);
    let is_apart = !inside(function.node, home) && !inside(home, function.node);
    is_apart.then_some(Bounded { function, parameter, item })
}

fn function_into_trait(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let traits: Traits<'_> = analysis.nodes().filter_map(plain_trait).collect();
    let own = analysis.functions().iter().filter(|function| function.home == Home::Module);
    for bounded in own.filter_map(|function| bounded(&traits, function)) {
        let (function, node) = (bounded.function, bounded.function.node);
        let Syntax::Item(Item::Fn(item)) = node.syntax() else { continue };
        let own = node.range();
        // An item inside may have a parameter of the same name.
        let mut all = analysis.uses(bounded.parameter, own.clone(), 0..0).filter_map(|used| used.node?.parent());
        if all.by_ref().filter(|parent| matches!(parent.syntax(), Syntax::GenericParam(_))).count() > 1 {
            continue;
        }
        let mut inner: Vec<Edit> = analysis
            .uses(bounded.parameter, own.clone(), own.end..own.end)
            .map(|occurrence| Edit::replace(occurrence.range, "Self"))
            .collect();
        let generics = &item.sig.generics;
        inner.extend(angles(generics).map(Edit::delete));
        inner.extend(generics.where_clause.as_ref().map(|clause| Edit::delete(range(clause))));
        let visibility = range(&item.vis);
        inner.extend((!visibility.is_empty()).then(|| Edit::delete(visibility)));
        inner = outermost(inner);
        let uses: Option<Vec<Edit>> = analysis
            .uses(&function.name(), 0..usize::MAX, range(&item.sig.ident))
            .map(|occurrence| through_trait(&occurrence, &bounded, &inner))
            .collect();
        let Some(uses) = uses else { continue };
        let (within, outside): (Vec<Edit>, Vec<Edit>) =
            uses.into_iter().partition(|edit| own.contains(&edit.range.start));
        let moved = edited(node.source_text(), own.clone(), &outermost(inner.into_iter().chain(within).collect()));
        let mut edits = outermost(outside);
        let end = bounded.item.brace_token.span.close().byte_range().start;
        edits.extend([Edit::delete(own), Edit::replace(end..end, format!(" {moved} "))]);
        out.edit(node.range(), edits.clone());
        if bounded.item.colon_token.is_none() {
            let end = range(&bounded.item.ident).end;
            edits.push(Edit::replace(end..end, ": Sized"));
            out.edit(node.range(), edits);
        }
    }
}

/// The edit that names the function as one of the trait, or of its type argument; `inner` writes the parameter as `Self`.
fn through_trait(occurrence: &Occurrence<'_>, bounded: &Bounded<'_>, inner: &[Edit]) -> Option<Edit> {
    let path = occurrence.path_end()?;
    let Syntax::Expr(Expr::Path(expr)) = path.parent()?.syntax() else { return None };
    let name = bounded.function.name();
    if expr.qself.is_some() {
        return None;
    }
    let home = match arguments(occurrence)? {
        PathArguments::AngleBracketed(given) => match &given.args.iter().collect::<Vec<_>>()[..] {
            [GenericArgument::Type(ty)] => {
                let text = edited(path.source_text(), range(ty), inner);
                let is_word = text.chars().all(|c| c.is_alphanumeric());
                if is_word { text } else { format!("<{text}>") }
            }
            _ => return None,
        },
        _ => bounded.item.ident.to_string(),
    };
    Some(Edit::replace(path.range(), format!("{home}::{name}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn a_function_becomes_one_of_the_trait() {
        check(
            &FUNCTION_INTO_TRAIT,
            "trait T { type A; } pub fn f<S: T>(a: S::A, b: &S) -> S { f::<S>(a, b); f::<Vec<S>>(c, d) } fn g() { f::<&u8>; f(h) }",
            &[
                "trait T { type A; fn f(a: Self::A, b: &Self) -> Self { Self::f(a, b); <Vec<Self>>::f(c, d) } } fn g() { <&u8>::f; T::f(h) }",
                "trait T: Sized { type A; fn f(a: Self::A, b: &Self) -> Self { Self::f(a, b); <Vec<Self>>::f(c, d) } } fn g() { <&u8>::f; T::f(h) }",
            ],
        );
        check(&FUNCTION_INTO_TRAIT, "trait T: U {} fn f<S>(a: S) where S: T {}", &["trait T: U { fn f(a: Self) {} }"]);
    }

    #[test]
    fn functions_of_other_bounds_stay() {
        check(
            &FUNCTION_INTO_TRAIT,
            "trait T {} fn f<S: T + U>() {} fn g<S: T, R>() {} fn h<S: U>() {} fn i<S>() {}",
            &[],
        );
        check(
            &FUNCTION_INTO_TRAIT,
            "trait T<A> {} fn f<S: T<u8>>(a: S) {} trait U {} fn g<S>(a: S) where [S]: U {}",
            &[],
        );
        check(&FUNCTION_INTO_TRAIT, "trait T {} fn f<S: T>(a: S) {} use m::f; trait U {} fn g<const S: u8>() {}", &[]);
        check(&FUNCTION_INTO_TRAIT, "trait T { fn f() { fn g<S: T>(a: S) {} } }", &[]);
    }

    #[test]
    fn a_parameter_of_an_item_inside_is_another() {
        check(&FUNCTION_INTO_TRAIT, "trait A {} fn f<T: A>() { struct S<T>(T); }", &[]);
    }
}
