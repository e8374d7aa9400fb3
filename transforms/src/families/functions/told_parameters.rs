//! Type parameters that an argument tells instead of a bound.

use syn::{Expr, GenericArgument, GenericParam, Item, ItemImpl, PathArguments, Type};

use crate::names::analysis::Analysis;
use crate::names::functions::{Call, Home};
use crate::placeholders::constructors::Constructors;
use crate::rule::proposals::Proposals;
use crate::rule::transform::{Rule, family};
use crate::syntax::generics::parameter_name;
use crate::syntax::surroundings::mentions;
use crate::syntax::tree::{Syntax, range};
use crate::text::edit::outermost;

family! {
    "told-parameters", "Tells type parameters by arguments instead of bounds.", in Coupled;

    /// Give a function a parameter of a type that only its bounds tell, and every call a short value.
    ///
    /// ```text
    /// trait A<T> {}
    /// impl A<&u8> for () {}
    /// fn f<T>() where (): A<T> {}
    /// fn g() { f(); }
    /// =>
    /// trait A<T> {}
    /// impl A<&u8> for () {}
    /// fn f<T>(_: T) where (): A<T> {}
    /// fn g() { f(&0); }
    /// ```
    ///
    /// The program grows; it pays where the bounds go then, with their traits and impls. The values are of the types
    /// that the heads of impls speak of.
    TELL_TYPE_PARAMETER = "tell-type-parameter", Rule::Tree(tell_type_parameter);
}

/// How many values are tried for a parameter.
const VALUES: usize = 4;

fn tell_type_parameter(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let told = values(analysis);
    for function in analysis.functions().iter().filter(|function| !matches!(function.home, Home::Trait(_))) {
        let is_type = |param: &GenericParam| matches!(param, GenericParam::Type(_));
        if !function.signature.generics.params.iter().any(is_type) {
            continue;
        }
        let calls = function.calls();
        if calls.is_empty() || calls.iter().any(has_arguments) {
            continue;
        }
        for param in &function.signature.generics.params {
            let GenericParam::Type(_) = param else { continue };
            let name = parameter_name(param);
            if mentions(analysis.source(), &range(&function.signature.inputs), std::slice::from_ref(&name)) {
                continue;
            }
            for value in &told {
                let mut edits = vec![function.parameters().appended(&format!("_: {name}"))];
                edits.extend(calls.iter().map(|call| call.arguments.appended(value)));
                out.trial(range(param), outermost(edits));
            }
        }
    }
}

/// Whether types are given where the function is called.
fn has_arguments(call: &Call<'_>) -> bool {
    match call.node.syntax() {
        Syntax::Expr(Expr::MethodCall(expr)) => expr.turbofish.is_some(),
        Syntax::Expr(Expr::Call(expr)) => match &*expr.func {
            Expr::Path(callee) => callee.path.segments.last().is_some_and(|segment| !segment.arguments.is_none()),
            _ => true,
        },
        _ => true,
    }
}

/// Short values of the types in the heads of impls, the shortest first.
fn values(analysis: &Analysis<'_>) -> Vec<String> {
    let own = Constructors::of(analysis);
    let mut values = Vec::new();
    for node in analysis.nodes() {
        let Syntax::Item(Item::Impl(item)) = node.syntax() else { continue };
        let generics: Vec<String> = item.generics.params.iter().map(parameter_name).collect();
        let is_closed = |ty: &&Type| !mentions(analysis.source(), &range(*ty), &generics);
        for ty in types(item).filter(is_closed) {
            values.extend(own.value(ty, "").filter(|value| !values.contains(value)));
        }
    }
    values.sort_by_key(String::len);
    values.truncate(VALUES);
    values
}

/// The types in the head of an impl: the one that it is for, and the arguments of the trait.
fn types(item: &ItemImpl) -> impl Iterator<Item = &Type> {
    let last = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
    let arguments = last.map(|segment| match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.iter().collect(),
        _ => Vec::new(),
    });
    let of_trait = arguments.into_iter().flatten().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    std::iter::once(&*item.self_ty).chain(of_trait)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_trials;

    #[test]
    fn every_call_passes_a_value() {
        check_trials(
            &TELL_TYPE_PARAMETER,
            "impl A<&u8> for S {} impl<'a> A<&'a u16> for bool {} impl B { fn f<'a, T: A<U>, U>(t: T) { Self::f(s); B::f(1) } }",
            &[
                "impl A<&u8> for S {} impl<'a> A<&'a u16> for bool {} impl B { fn f<'a, T: A<U>, U>(t: T, _: U) { Self::f(s, &0); B::f(1, &0) } }",
                "impl A<&u8> for S {} impl<'a> A<&'a u16> for bool {} impl B { fn f<'a, T: A<U>, U>(t: T, _: U) { Self::f(s, true); B::f(1, true) } }",
            ],
        );
        check_trials(
            &TELL_TYPE_PARAMETER,
            "struct S; impl A for S {} fn f<T: A>() {} fn g() { f(); }",
            &["struct S; impl A for S {} fn f<T: A>(_: T) {} fn g() { f(S); }"],
        );
    }

    #[test]
    fn what_is_told_already_is_not_told_twice() {
        check_trials(&TELL_TYPE_PARAMETER, "impl A for u8 {} fn f<T: A>(x: &[T]) {} fn g() { f(&[]) }", &[]);
        check_trials(&TELL_TYPE_PARAMETER, "impl A for u8 {} fn f<T: A>() {} fn g() { f::<u8>() }", &[]);
        check_trials(&TELL_TYPE_PARAMETER, "impl A for u8 {} fn f<T: A>() {}", &[]);
    }

    #[test]
    fn a_value_must_be_known_and_a_signature_free() {
        check_trials(&TELL_TYPE_PARAMETER, "impl<T> A for T {} fn f<T: A>() {} fn g() { f() }", &[]);
        check_trials(&TELL_TYPE_PARAMETER, "impl A for fn() {} fn f<T: A>() {} fn g() { f() }", &[]);
        check_trials(&TELL_TYPE_PARAMETER, "impl A for u8 {} trait B { fn f<T: A>(); } fn g() { u8::f() }", &[]);
        check_trials(&TELL_TYPE_PARAMETER, "impl A for u8 {} fn f<const N: usize, 'a>() {} fn g() { f() }", &[]);
    }
}
