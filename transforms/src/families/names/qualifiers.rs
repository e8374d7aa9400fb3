//! Qualifiers of bindings, references and paths: `mut`, `ref`, lifetimes, `dyn`, `::`.

use syn::{Expr, Pat, Receiver, ReceiverKind, Type};

use crate::rule::{family, parts};
use crate::syntax::generics::{in_attribute_or_visibility, needs_dyn, qself};
use crate::syntax::{Node, Syntax, range};

family! {
    "qualifiers", "Drops what qualifies bindings, references and paths.", in Modifiers;

    /// Drop the `mut` of a binding.
    DROP_MUT = "drop-mut", parts!(node,
            Syntax::Pat(Pat::Ident(pat)) => range(&pat.mutability),
            Syntax::Receiver(receiver) => range(&receiver.mutability)),
        "fn f() { let mut a = b; }" => "fn f() { let a = b; }";

    /// Drop the `mut` of a reference, its type or its pattern.
    DROP_REFERENCE_MUT = "drop-reference-mut", parts!(node,
            Syntax::Expr(Expr::Reference(expr)) => range(&expr.mutability),
            Syntax::Pat(Pat::Reference(pat)) => range(&pat.mutability),
            Syntax::Type(Type::Reference(ty)) => range(&ty.mutability),
            Syntax::Receiver(Receiver { kind: ReceiverKind::Reference(_, _, mutability), .. }) => range(mutability)),
        "fn f(a: &mut A) {}" => "fn f(a: &A) {}";

    /// Drop the `&` of a `self` parameter, with its lifetime and its `mut`.
    DROP_SELF_REFERENCE = "drop-self-reference", parts!(node,
            Syntax::Receiver(Receiver { kind: ReceiverKind::Reference(and, _, _), self_token, .. })
                => range(and).start..range(self_token).start),
        "trait A { fn f(&'a mut self); }" => "trait A { fn f(self); }";

    /// Drop the lifetime of a reference.
    DROP_REFERENCE_LIFETIME = "drop-reference-lifetime", parts!(node,
            Syntax::Type(Type::Reference(ty)) => range(&ty.lifetime),
            Syntax::Receiver(Receiver { kind: ReceiverKind::Reference(_, lifetime, _), .. }) => range(lifetime)),
        "fn f<'a>(a: &'a A) {}" => "fn f<'a>(a: &A) {}";

    /// Drop the `ref` of a binding, the `dyn` of a trait object, or the `::` or `|` at the beginning of a path or pattern.
    ///
    /// Only editions 2015 and 2018 take a trait object without `dyn`.
    DROP_PREFIX = "drop-prefix", parts!(node,
            Syntax::Pat(Pat::Ident(pat)) => range(&pat.by_ref),
            Syntax::Pat(Pat::Or(pat)) => range(&pat.leading_vert),
            Syntax::Path(path) if is_loose(node) => range(&path.leading_colon),
            Syntax::Type(Type::TraitObject(ty)) if !needs_dyn(ty.bounds.first()) => range(&ty.dyn_token)),
        "fn f(ref a: A) {}" => "fn f(a: A) {}";
}

/// Whether the `::` at the beginning of a path may go. That of `<T>::A` belongs to the brackets.
fn is_loose(path: Node<'_>) -> bool {
    let qself = path.parent().and_then(|parent| qself(parent.syntax()));
    qself.is_none_or(|qself| qself.position > 0) && !in_attribute_or_visibility(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn bindings_lose_mut_and_ref() {
        check(
            &DROP_MUT,
            "fn f(mut self, mut a: A) { |S { ref mut b }| c }",
            &[
                "fn f(self, mut a: A) { |S { ref mut b }| c }",
                "fn f(mut self, a: A) { |S { ref mut b }| c }",
                "fn f(mut self, mut a: A) { |S { ref b }| c }",
            ],
        );
        check(&DROP_MUT, "static mut A: *mut B = c; fn f(&mut self, &mut a: &mut A) { &mut b; &raw mut c }", &[]);
        check(
            &DROP_PREFIX,
            "fn f(ref mut a: A, S { ref b }: S) {}",
            &["fn f(mut a: A, S { ref b }: S) {}", "fn f(ref mut a: A, S { b }: S) {}"],
        );
        check(&DROP_PREFIX, "fn f(&a: &A) { &b }", &[]);
    }

    #[test]
    fn references_lose_mut_and_lifetimes() {
        check(
            &DROP_REFERENCE_MUT,
            "fn f(&mut self, &mut a: &'b mut A) { &mut c }",
            &[
                "fn f(&self, &mut a: &'b mut A) { &mut c }",
                "fn f(&mut self, &a: &'b mut A) { &mut c }",
                "fn f(&mut self, &mut a: &'b A) { &mut c }",
                "fn f(&mut self, &mut a: &'b mut A) { &c }",
            ],
        );
        check(&DROP_REFERENCE_MUT, "fn f(mut self, a: *mut A) { let mut b = &raw mut c; }", &[]);
        check(
            &DROP_REFERENCE_LIFETIME,
            "fn f(&'a self, b: &'b mut B) {}",
            &["fn f(&self, b: &'b mut B) {}", "fn f(&'a self, b: &mut B) {}"],
        );
        check(&DROP_REFERENCE_LIFETIME, "fn f<'a>(&self, b: B<'a>, c: &dyn C<'a>) { 'a: loop {} }", &[]);
    }

    #[test]
    fn a_receiver_becomes_a_value() {
        check(&DROP_SELF_REFERENCE, "impl A { fn f(&'a mut self) { &self } }", &["impl A { fn f(self) { &self } }"]);
        check(&DROP_SELF_REFERENCE, "impl A { fn f(self, a: &A) {} fn g(self: &Self) {} }", &[]);
    }

    #[test]
    fn paths_and_patterns_lose_what_leads_them() {
        check(
            &DROP_PREFIX,
            "fn f(a: <B as ::c::D>::E) { ::f!() }",
            &["fn f(a: <B as c::D>::E) { ::f!() }", "fn f(a: <B as ::c::D>::E) { f!() }"],
        );
        check(&DROP_PREFIX, "#[::a] type A = <B>::C; use ::d;", &[]);
        check(&DROP_PREFIX, "fn f() { match a { | _ => b } }", &["fn f() { match a { _ => b } }"]);
        check(&DROP_PREFIX, "fn f() { match a { B | C => |d| e } }", &[]);
    }

    #[test]
    fn trait_objects_lose_dyn() {
        check(&DROP_PREFIX, "type A = dyn for<'a> B<'a> + C;", &["type A = for<'a> B<'a> + C;"]);
        check(&DROP_PREFIX, "type A = dyn ?B; type C = dyn Fn(D); fn f(c: impl D) { r#dyn::e() }", &[]);
    }
}
