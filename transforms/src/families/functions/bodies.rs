//! Bodies of functions: the code goes, the signature stays.

use std::ops::Range;

use quote::ToTokens;
use syn::{FnArg, Pat, ReceiverKind, ReturnType, Signature, Type, TypeParamBound};

use crate::placeholders::values;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::surroundings::{body, signature};
use crate::syntax::{Node, Syntax};

family! {
    "bodies", "Takes the code out of functions.", in Focus, Bodies;

    /// Replace the body of a function by nothing, or by an endless loop if it returns something.
    ///
    /// `loop {}` is of type `!`, which coerces to every type, needs no name to be in scope and is the shortest expression
    /// that does; `todo!()` compiles exactly where it does. Not proposed for functions that return an `impl Trait`: they
    /// would fail all together. (From *The Debugging Book* and Felix Klock.)
    REPLACE_BODY = "replace-body", Rule::Node(replace_body),
        "fn f() -> u8 { let a = g(); a.h() }" => "fn f() -> u8 { loop {} }";

    /// Replace the body of a function that returns `impl Trait` by a short value that may implement the trait.
    REPLACE_OPAQUE_BODY = "replace-opaque-body", Rule::Node(replace_opaque_body),
        "fn f() -> impl Iterator<Item = u8> { let a = g(); a.h() }"
        => "fn f() -> impl Iterator<Item = u8> { [].into_iter() }";

    /// Replace the body of a function by a value of its return type: a parameter of the same type, or a short literal.
    ///
    /// Shorter than `loop {}`, and callers go on running.
    RETURN_VALUE = "return-value", Rule::Node(return_value), in Bodies,
        "fn f() -> u8 { let a = g(); a.h() }" => "fn f() -> u8 { 0 }";

    /// Take the body from a trait's method.
    REQUIRE_METHOD = "require-method", Rule::Node(require_method), in Bodies,
        "trait T { fn f() { g() } }" => "trait T { fn f(); }";
}

/// The signature and the bytes of the body of the function that `node` is.
fn function(node: Node<'_>) -> Option<(&Signature, Range<usize>)> {
    Some((signature(node)?, body(node)?.brace_token.span.join().byte_range()))
}

fn replace_body(node: Node<'_>, out: &mut Proposals<'_>) {
    let Some((sig, body)) = function(node) else { return };
    match values::output(sig) {
        None => out.replace(body, "{}"),
        Some(ty) if holds_impl(ty) => {}
        Some(_) => out.replace(body, "{ loop {} }"),
    }
}

fn replace_opaque_body(node: Node<'_>, out: &mut Proposals<'_>) {
    let Some((sig, body)) = function(node) else { return };
    let Some(ty) = values::output(sig).filter(|ty| holds_impl(ty)) else { return };
    if let Type::ImplTrait(ty) = ty {
        ty.bounds.iter().filter_map(implementor).for_each(|value| out.replace(body.clone(), format!("{{ {value} }}")));
    }
    // `!` and `()`, to which it may fall back, implement more than one would think.
    out.replace(body, "{ loop {} }");
}

/// A short value that implements the trait `bound`.
fn implementor(bound: &TypeParamBound) -> Option<String> {
    let TypeParamBound::Trait(bound) = bound else { return None };
    let segment = bound.path.segments.last()?;
    match segment.ident.to_string().as_str() {
        "Iterator" | "DoubleEndedIterator" | "ExactSizeIterator" => Some("[].into_iter()".to_owned()),
        "IntoIterator" | "AsRef" | "Borrow" => Some("[]".to_owned()),
        "Future" => Some("async { loop {} }".to_owned()),
        "Fn" | "FnMut" | "FnOnce" => {
            let syn::PathArguments::Parenthesized(arguments) = &segment.arguments else { return None };
            let parameters = vec!["_"; arguments.inputs.len()].join(", ");
            let body = if matches!(arguments.output, ReturnType::Default) { "{}" } else { "loop {}" };
            Some(format!("|{parameters}| {body}"))
        }
        "Display" | "ToString" => Some("\"\"".to_owned()),
        _ => None,
    }
}

fn return_value(node: Node<'_>, out: &mut Proposals<'_>) {
    let Some((sig, body)) = function(node) else { return };
    let Some(ty) = values::output(sig) else { return };
    let parameter = sig.inputs.iter().find_map(|input| parameter_of(input, ty));
    for value in parameter.into_iter().chain(values::of_type(ty).iter().map(|value| (*value).to_owned())) {
        out.replace(body.clone(), format!("{{ {value} }}"));
    }
}

/// The name of the parameter, if its type is written as `ty` is.
fn parameter_of(input: &FnArg, ty: &Type) -> Option<String> {
    match input {
        FnArg::Typed(input) => match &*input.pat {
            Pat::Ident(pat) if *input.ty == *ty && pat.by_ref.is_none() => Some(pat.ident.to_string()),
            _ => None,
        },
        FnArg::Receiver(receiver) => {
            let returns = |text: &str| ty.to_token_stream().to_string() == text;
            let same = match &receiver.kind {
                ReceiverKind::Value => returns("Self"),
                ReceiverKind::Reference(_, _, None) => returns("& Self"),
                ReceiverKind::Reference(_, _, Some(_)) => returns("& mut Self"),
                _ => false,
            };
            same.then(|| "self".to_owned())
        }
    }
}

fn require_method(node: Node<'_>, out: &mut Proposals<'_>) {
    if let (Syntax::TraitItem(_), Some((_, body))) = (node.syntax(), function(node)) {
        out.replace(body, ";");
    }
}

fn holds_impl(ty: &Type) -> bool {
    struct Finder(bool);
    impl<'ast> syn::visit::Visit<'ast> for Finder {
        fn visit_type_impl_trait(&mut self, _: &'ast syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut finder = Finder(false);
    syn::visit::Visit::visit_type(&mut finder, ty);
    finder.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn a_body_without_value_is_emptied() {
        check(&REPLACE_BODY, "fn f(a: u8) { g(a); }", &["fn f(a: u8) {}"]);
        check(&REPLACE_BODY, "async fn f() -> () { g() }", &["async fn f() -> () {}"]);
        check(&REPLACE_BODY, "impl S { const fn f() { g() } }", &["impl S { const fn f() {} }"]);
        check(&REPLACE_BODY, "trait T { fn f() { #![a] } }", &["trait T { fn f() {} }"]);
    }

    #[test]
    fn a_body_with_a_value_loops() {
        check(&REPLACE_BODY, "fn f() -> u8 { todo!() }", &["fn f() -> u8 { loop {} }"]);
        check(&REPLACE_BODY, "fn f() -> ! { g(h()) }", &["fn f() -> ! { loop {} }"]);
        check(
            &REPLACE_BODY,
            "fn f() { fn g() -> u8 { 1 + 2 + 3 } }",
            &["fn f() {}", "fn f() { fn g() -> u8 { loop {} } }"],
        );
    }

    #[test]
    fn short_bodies_stay() {
        check(&REPLACE_BODY, "fn f() {} fn g() -> u8 { loop {} }", &[]);
        check(&REPLACE_BODY, "fn g() -> u8 { 0 } trait T { fn f(); } const F: fn() = || { f() };", &[]);
    }

    #[test]
    fn opaque_types_get_what_implements_them() {
        check(
            &REPLACE_OPAQUE_BODY,
            "fn f() -> impl Fn(u8, u8) -> u8 { |a: u8, b: u8| a + b + 1 }",
            &["fn f() -> impl Fn(u8, u8) -> u8 { |_, _| loop {} }", "fn f() -> impl Fn(u8, u8) -> u8 { loop {} }"],
        );
        check(
            &REPLACE_OPAQUE_BODY,
            "fn f() -> impl Clone + 'static { g(1) }",
            &["fn f() -> impl Clone + 'static { loop {} }"],
        );
        check(&REPLACE_OPAQUE_BODY, "fn f() -> Box<dyn A> { g(1, 2) } fn h() -> impl A { 1 }", &[]);
    }

    #[test]
    fn values_are_of_the_written_type() {
        check(&RETURN_VALUE, "fn f() -> bool { loop {} }", &["fn f() -> bool { true }", "fn f() -> bool { false }"]);
        check(&RETURN_VALUE, "fn f(a: A<B>) -> A<B> { g(a) }", &["fn f(a: A<B>) -> A<B> { a }"]);
        check(
            &RETURN_VALUE,
            "impl S { fn f(&mut self) -> &mut Self { self.g() } }",
            &["impl S { fn f(&mut self) -> &mut Self { self } }"],
        );
        check(&RETURN_VALUE, "fn f(b: B) -> A { g(b) } fn g() -> u8 { 0 } fn h() { g() }", &[]);
    }

    #[test]
    fn a_provided_method_becomes_required() {
        check(&REQUIRE_METHOD, "trait T { fn f(&self) -> u8 { 0 } }", &["trait T { fn f(&self) -> u8; }"]);
        check(&REQUIRE_METHOD, "trait T { fn f() {} }", &["trait T { fn f(); }"]);
        check(&REQUIRE_METHOD, "trait T { fn f(); const A: u8 = 0; } fn f() {}", &[]);
    }
}
