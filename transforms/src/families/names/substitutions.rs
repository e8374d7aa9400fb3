//! Plain types that stand in for those of the file, everywhere at once.

use syn::GenericParam;

use crate::names::Analysis;
use crate::placeholders::substitute::{Form, Impls, Substitute};
use crate::rule::{Proposals, Rule, family};

family! {
    "substitutions", "Puts plain types in the place of those of the file.", in Coupled at 17;

    /// Replace a type of the file by `u8` or `()` wherever it is named, and delete its definition.
    ///
    /// Its impls of traits of the file stay, unless there is such an impl already. Of a type with parameters, another
    /// alternative leaves the arguments: `*const T` of `S<T>`, `(T, U)` of `S<T, U>`. `[T]` of `S<T>` is neither `Sized` nor
    /// `Clone`, which tells it from what blanket impls are for.
    SUBSTITUTE_TYPE = "substitute-type", Rule::Tree(substitute_type),
        "struct S<T>(T);\n\
         trait A {}\n\
         impl<T> A for S<T> {}\n\
         impl S<u8> { fn g() {} }\n\
         fn f(s: S<u8>) -> S<u8> { let S(_) = s; S(1) }"
        => "trait A {}\n\
            impl A for u8 {}\n\
            fn f(s: u8) -> u8 { let _ = s; 0 }";
}

fn substitute_type(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let file = Impls::of(analysis);
    for definition in analysis.types() {
        let mut forms = vec![(Form::Type("u8"), "0"), (Form::Type("()"), "()")];
        let parameters = definition.params().filter(|param| matches!(param, GenericParam::Type(_))).count();
        if parameters > 0 {
            forms.insert(1, (Form::Arguments("*const ", ""), "loop {}"));
        }
        if parameters == 1 {
            forms.insert(2, (Form::Arguments("[", "]"), "loop {}"));
        }
        for (form, value) in forms {
            let substitute = Substitute { form, value: value.to_owned() };
            out.edit(definition.node.range(), file.substituted(definition, &substitute));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn a_type_goes_with_its_arguments_and_values() {
        check(
            &SUBSTITUTE_TYPE,
            "struct S<T> { a: T } fn f(s: &m::S<u8>) { g(S { a: S { a: 1 } }); match s { S { a: 1 } => {} } }",
            &[
                "fn f(s: &u8) { g(0); match s { _ => {} } }",
                "fn f(s: &*const u8) { g(loop {}); match s { _ => {} } }",
                "fn f(s: &[u8]) { g(loop {}); match s { _ => {} } }",
                "fn f(s: &()) { g(()); match s { _ => {} } }",
            ],
        );
    }

    #[test]
    fn variants_are_values_and_functions_never_end() {
        check(
            &SUBSTITUTE_TYPE,
            "enum E { A, B(u8) } fn f() { let E::B(_) = E::A; E::B(1) == E::f(); E::f().g }",
            &["fn f() { let _ = 0; 0 == loop {}; loop {}.g }", "fn f() { let _ = (); () == loop {}; loop {}.g }"],
        );
    }

    #[test]
    fn imports_go_and_tokens_are_replaced() {
        check(
            &SUBSTITUTE_TYPE,
            "mod m { pub union U { a: u8 } } use m::{U, v}; fn f() { a!(=> U) }",
            &["mod m { } use m::{v}; fn f() { a!(=> u8) }", "mod m { } use m::{v}; fn f() { a!(=> ()) }"],
        );
    }

    #[test]
    fn impls_of_own_traits_stay_once() {
        check(
            &SUBSTITUTE_TYPE,
            "trait A { fn f() -> Self; } impl A for () { } struct S<T>(T); impl<T> A for S<T> where T: B { fn f() -> Self { Self(1) } } impl<T> S<T> {}",
            &[
                "trait A { fn f() -> Self; } impl A for () { } impl A for u8 { fn f() -> Self { 0 } }",
                "trait A { fn f() -> Self; } impl A for () { } impl<T> A for *const T where T: B { fn f() -> Self { loop {} } }",
                "trait A { fn f() -> Self; } impl A for () { } impl<T> A for [T] where T: B { fn f() -> Self { loop {} } }",
                "trait A { fn f() -> Self; } impl A for () { }",
            ],
        );
        check(
            &SUBSTITUTE_TYPE,
            "trait A<T> {} struct S<T, U>(T, U); impl<T, U: B> A<T> for S<T, U> where T: C, U: D {} impl Clone for S<u8, u8> {}",
            &[
                "trait A<T> {} impl<T> A<T> for u8 where T: C {}",
                "trait A<T> {} impl<T, U: B> A<T> for (T, U) where T: C, U: D {}",
                "trait A<T> {} impl<T> A<T> for () where T: C {}",
            ],
        );
    }

    #[test]
    fn arguments_stand_without_their_type() {
        check(
            &SUBSTITUTE_TYPE,
            "struct S<'a, T, const N: usize>(&'a T); fn f(a: S<'static, S<u8, 1>, 2>, b: S) {} use S as C;",
            &[
                "fn f(a: u8, b: u8) {}",
                "fn f(a: *const *const u8, b: ()) {}",
                "fn f(a: [[u8]], b: ()) {}",
                "fn f(a: (), b: ()) {}",
            ],
        );
    }

    #[test]
    fn a_sum_of_bounds_behind_a_star_gets_parentheses() {
        check(
            &SUBSTITUTE_TYPE,
            "struct S<T>(T); fn f() -> S<impl A + B> {}",
            &["fn f() -> u8 {}", "fn f() -> *const (impl A + B) {}", "fn f() -> [impl A + B] {}", "fn f() -> () {}"],
        );
    }

    #[test]
    fn what_is_no_type_of_the_file_stays() {
        check(&SUBSTITUTE_TYPE, "fn f(s: S) -> S { S(1) } impl S {} use m::S; trait T {} mod n {} fn S() {}", &[]);
    }

    #[test]
    fn members_of_the_same_name_stay() {
        check(&SUBSTITUTE_TYPE, "struct a; fn f() { x.a; x.a(); T { a: 1 } }", &["fn f() { x.a; x.a(); T { a: 1 } }"]);
    }

    #[test]
    fn only_a_name_takes_the_place_of_a_name_in_unknown_syntax() {
        check(
            &SUBSTITUTE_TYPE,
            "struct S { a: u8 } fn f() { let box S { a } = b; } fn g() { m!(S::h => S) }",
            &[
                "fn f() { let box u8 { a } = b; } fn g() { m!(u8::h => u8) }",
                "fn f() { let box S { a } = b; } fn g() { m!(<()>::h => ()) }",
            ],
        );
    }
}
