//! Functions of a type that become functions of the module.

use syn::{ImplItem, Item};

use crate::names::Analysis;
use crate::names::definitions::defined;
use crate::placeholders::free_functions::{RECEIVERS, lifted, without_shell};
use crate::placeholders::lift::{constants, mended_constants, mended_self};
use crate::rule::{Proposals, Rule, family};
use crate::syntax::attributes::is_inner;
use crate::syntax::{Node, Syntax, range};
use crate::text::outermost;

family! {
    "methods", "Makes functions of a module of the functions of a type.", in Coupled at 28;

    /// Dissolve an inherent impl: its functions and constants become those of the module.
    ///
    /// `Self` and `self` are written out, and parameters of the impl become those of the functions that mention them.
    /// Alternatives drop receivers that no body mentions, or pass what stands before the point as it is.
    DISSOLVE_IMPL = "dissolve-impl", Rule::Tree(dissolve_impl),
        "struct S;\n\
         impl S { const A: u8 = 1; fn f(&self, a: u8) {} fn g() { Self::A; } }\n\
         fn h(s: S) { s.f(1); S::g(); }"
        => "struct S;\n\
            const A: u8 = 1; fn f(this: &S, a: u8) {} fn g() { A; }\n\
            fn h(s: S) { f(&s, 1); g(); }";
}

fn dissolve_impl(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let mut free: Vec<String> = analysis.free_functions().collect();
    let is_free = |node: &Node<'_>| matches!(node.syntax(), Syntax::Item(Item::Const(_) | Item::Static(_)));
    free.extend(analysis.nodes().filter(is_free).flat_map(defined).map(ToString::to_string));
    for node in analysis.nodes() {
        let Syntax::Item(Item::Impl(item)) = node.syntax() else { continue };
        // The subject of an inner attribute would be gone.
        if item.attrs.iter().any(is_inner) {
            continue;
        }
        let no_other = item.items.iter().all(|item| matches!(item, ImplItem::Fn(_) | ImplItem::Const(_)));
        if item.trait_.is_some() || item.items.is_empty() || !no_other {
            continue;
        }
        let own = analysis.functions_in(node);
        // Two functions or constants of one name would be in the module.
        let constants = constants(item).map(|constant| constant.ident.to_string());
        if own.iter().map(|function| function.name()).chain(constants).any(|name| free.contains(&name)) {
            continue;
        }
        let Some(constants) = mended_constants(node, item) else { continue };
        let selves = outermost([mended_self(node, range(&*item.self_ty)), constants].concat());
        for receivers in RECEIVERS {
            let mut edits = without_shell(node, item.brace_token.span);
            edits.extend(lifted(item, &own, &selves, receivers));
            out.trial(node.range(), outermost(edits));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn functions_without_self_are_called_by_name_alone() {
        check(
            &DISSOLVE_IMPL,
            "impl S { fn f(a: u8) {} fn g() { Self::f(1) } } fn h() { S::f(2); S::g() }",
            &["fn f(a: u8) {} fn g() { f(1) } fn h() { f(2); g() }"],
        );
    }

    #[test]
    fn self_is_written_out() {
        check(
            &DISSOLVE_IMPL,
            "impl S { fn f(mut self) -> Self { Self { a: self.a } } } fn main() {}",
            &["fn f(mut this: S) -> S { S { a: this.a } } fn main() {}"],
        );
        check(
            &DISSOLVE_IMPL,
            "impl S { fn f(self: &Self) { self } fn g<'a>(&'a mut self) { self.f() } }",
            &["fn f(this: &S) { this } fn g<'a>(this: &'a mut S) { f(this) }"],
        );
    }

    #[test]
    fn receivers_that_nothing_mentions_go() {
        check(
            &DISSOLVE_IMPL,
            "impl S { fn f(&self, a: u8) {} } fn g() { s.f(1); S::f(t, 2) }",
            &[
                "fn f(a: u8) {} fn g() { f(1); f(2) }",
                "fn f(this: &S, a: u8) {} fn g() { f(&s, 1); f(t, 2) }",
                "fn f(this: &S, a: u8) {} fn g() { f(s, 1); f(t, 2) }",
            ],
        );
    }

    #[test]
    fn what_stands_before_the_point_is_borrowed() {
        check(
            &DISSOLVE_IMPL,
            "impl S { fn f(&mut self, a: u8) { self } } fn g() { s.t.f(1); S::f(&mut s, 2); S::f(a, 3); S::f(a, 4) }",
            &[
                "fn f(this: &mut S, a: u8) { this } fn g() { f(&mut s.t, 1); f(&mut s, 2); f(a, 3); f(a, 4) }",
                "fn f(this: &mut S, a: u8) { this } fn g() { f(s.t, 1); f(&mut s, 2); f(a, 3); f(a, 4) }",
            ],
        );
    }

    #[test]
    fn parameters_of_the_impl_go_to_the_functions_that_mention_them() {
        check(
            &DISSOLVE_IMPL,
            "impl<T: A> S<T> { fn f<U>(a: T) {} fn g() {} } fn h() { S::g(); }",
            &["fn f<T: A, U>(a: T) {} fn g() {} fn h() { g(); }"],
        );
    }

    #[test]
    fn calls_in_the_object_of_a_call_are_mended() {
        check(
            &DISSOLVE_IMPL,
            "impl S { fn f() -> Self { a } fn g(self) -> Self { self } } fn h() { S::f().g().g() }",
            &["fn f() -> S { a } fn g(this: S) -> S { this } fn h() { g(g(f())) }"],
        );
    }

    #[test]
    fn receivers_that_only_such_calls_need_go() {
        check(
            &DISSOLVE_IMPL,
            "impl S { fn f(&self) { self.g(1) } fn g(&self, a: u8) {} } fn h() { s.f() }",
            &[
                "fn f() { g(1) } fn g(a: u8) {} fn h() { f() }",
                "fn f(this: &S) { g(this, 1) } fn g(this: &S, a: u8) {} fn h() { f(&s) }",
                "fn f(this: &S) { g(this, 1) } fn g(this: &S, a: u8) {} fn h() { f(s) }",
            ],
        );
    }

    #[test]
    fn predicates_go_to_the_functions_that_they_concern() {
        check(
            &DISSOLVE_IMPL,
            "impl<T, U> S<T, U> where T: A, *const U: B, { fn f(a: U) where C: D {} fn g() {} } fn h() { S::g(); S::g(); }",
            &["fn f<U>(a: U) where *const U: B, C: D {} fn g() {} fn h() { g(); g(); }"],
        );
        check(&DISSOLVE_IMPL, "impl<T> S<T> where T: A, Self: B { fn f() {} }", &["fn f<T>() where T: A, S<T>: B {}"]);
    }

    #[test]
    fn other_impls_are_left_alone() {
        check(&DISSOLVE_IMPL, "impl T for S { fn f() {} } impl S { type A = u8; fn g() {} } impl S {}", &[]);
        check(&DISSOLVE_IMPL, "impl S { fn f() {} } fn f() {}", &[]);
    }

    #[test]
    fn what_an_impl_says_of_itself_does_not_move() {
        check(&DISSOLVE_IMPL, "impl S { #![a] fn f() {} }", &[]);
        check(&DISSOLVE_IMPL, "impl S { default fn f() {} }", &["fn f() {}"]);
        check(&DISSOLVE_IMPL, "impl dyn A + B { fn f(&self) { g(self) } }", &["fn f(this: &(dyn A + B)) { g(this) }"]);
        check(&DISSOLVE_IMPL, "impl dyn A { fn f() -> u8 { Self::B } }", &["fn f() -> u8 { <dyn A>::B }"]);
    }
}
