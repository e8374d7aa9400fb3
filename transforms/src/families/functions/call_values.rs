//! Calls that give way to a value of the type that is returned.

use syn::{ReturnType, Type};

use crate::names::functions::variable_type;
use crate::names::references::fill;
use crate::names::{Analysis, Call, Home};
use crate::placeholders::constructors::Constructors;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::is_primitive;
use crate::syntax::{Filler, Syntax, precedence, range};
use crate::text::{Edit, outermost};

family! {
    "call-values", "Puts values in the place of calls.", in Coupled at 11;

    /// Replace all calls of a function by a value of the type that it returns, and delete the function.
    ///
    /// Unlike `loop {}` they go on being evaluated, so that what comes after them is still reached.
    REPLACE_CALLS = "replace-calls", Rule::Tree(replace_calls),
        "struct S;\n\
         fn f(a: u8) -> Box<S> { g(a) }\n\
         fn h() { i(f(1), f(2)); }"
        => "struct S;\n\
            fn h() { i(Box::new(S), Box::new(S)); }";
}

fn replace_calls(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let values = Constructors::of(analysis);
    for function in analysis.functions() {
        let own = match &function.home {
            Home::Module => "",
            Home::Type(name) => name,
            Home::Trait(_) => continue,
        };
        let ReturnType::Type(_, ty) = &function.signature.output else { continue };
        let Some(value) = values.value(ty, own) else { continue };
        let inside = function.node.range();
        let calls = function.calls();
        let outside: Vec<&Call<'_>> = calls.iter().filter(|call| !inside.contains(&call.node.range().start)).collect();
        if outside.is_empty() {
            continue;
        }
        let mut edits = vec![Edit::delete(inside)];
        for call in outside {
            edits.extend(replaced(call, &value));
            if needs_type(ty) {
                edits.extend(variable_type(function, call));
            }
        }
        out.edit(range(&function.signature.ident), outermost(edits));
    }
}

/// The edit that puts `value` in the place of `call`.
fn replaced(call: &Call<'_>, value: &str) -> Option<Edit> {
    let is_base = match (call.node.parent()?.syntax(), call.node.syntax()) {
        (Syntax::Expr(parent), Syntax::Expr(expr)) => {
            precedence::base(parent).is_some_and(|base| std::ptr::eq(base, expr))
        }
        _ => false,
    };
    // Without parentheses, a field or method would apply before the reference is taken.
    let text = if is_base && value.starts_with('&') { format!("({value})") } else { value.to_owned() };
    fill(call.node, Filler::Atom, &text)
}

/// Whether a value of `ty` may not tell of which type it is: which number, what a `None` might hold.
fn needs_type(ty: &Type) -> bool {
    let Type::Path(ty) = ty else { return true };
    ty.path.segments.last().is_some_and(|segment| {
        let name = segment.ident.to_string();
        !segment.arguments.is_none() || is_primitive(&name) && !matches!(&*name, "bool" | "char")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn a_value_stands_for_every_call() {
        check(
            &REPLACE_CALLS,
            "struct S; fn f(a: u8) -> S { f(a) } fn g() { let a = f(1); h(f(2), f); }",
            &["struct S; fn g() { let a = S; h(S, f); }"],
        );
        check(
            &REPLACE_CALLS,
            "impl E { fn f(&self) -> Self { g() } } enum E { A(u8), B } fn h(e: E) { e.f().a; E::f(e); }",
            &["impl E { } enum E { A(u8), B } fn h(e: E) { E::B.a; E::B; }"],
        );
    }

    #[test]
    fn variables_keep_types_that_their_value_does_not_tell() {
        check(
            &REPLACE_CALLS,
            "fn f() -> Option<u8> { a } fn g() { let b = f(); let c: A = f(); }",
            &["fn g() { let b: Option<u8> = None; let c: A = None; }"],
        );
    }

    #[test]
    fn references_are_taken_before_they_are_read() {
        check(&REPLACE_CALLS, "fn f() -> &'static u8 { a } fn g() { f().h(f()) }", &["fn g() { (&0).h(&0) }"]);
    }

    #[test]
    fn functions_without_calls_or_known_values_stay() {
        check(&REPLACE_CALLS, "struct S(u8); fn f() -> S { a } fn g() { f(); }", &[]);
        check(&REPLACE_CALLS, "fn f() -> u8 { f() } fn g() { h(f) }", &[]);
        check(&REPLACE_CALLS, "fn f() { } fn g() { f() }", &[]);
        check(&REPLACE_CALLS, "trait T { fn f() -> u8; } fn g() { T::f() }", &[]);
    }
}
