//! Qualifiers of bindings, references and paths: `mut`, `ref`, lifetimes, `dyn`, `::`.

use syn::{Expr, Pat, ReceiverKind, Type};

use crate::rule::proposals::Proposals;
use crate::rule::transform::{Rule, family};
use crate::syntax::generics::{in_attribute_or_visibility, needs_dyn, qself};
use crate::syntax::tree::{Node, Syntax, range};

family! {
    "qualifiers", "Drops what qualifies bindings, references and paths.", in Modifiers;

    /// Drop the `mut` of a binding.
    ///
    /// ```text
    /// fn f() { let mut a = b; }
    /// =>
    /// fn f() { let a = b; }
    /// ```
    DROP_MUT = "drop-mut", Rule::Node(drop_mut);

    /// Drop the `ref` of a binding.
    ///
    /// ```text
    /// fn f(ref a: A) {}
    /// =>
    /// fn f(a: A) {}
    /// ```
    DROP_REF = "drop-ref", Rule::Node(drop_ref);

    /// Drop the `mut` of a reference, its type or its pattern.
    ///
    /// ```text
    /// fn f(a: &mut A) {}
    /// =>
    /// fn f(a: &A) {}
    /// ```
    DROP_REFERENCE_MUT = "drop-reference-mut", Rule::Node(drop_reference_mut);

    /// Drop the `&` of a `self` parameter, with its lifetime and its `mut`.
    ///
    /// ```text
    /// trait A { fn f(&'a mut self); }
    /// =>
    /// trait A { fn f(self); }
    /// ```
    DROP_SELF_REFERENCE = "drop-self-reference", Rule::Node(drop_self_reference);

    /// Drop the lifetime of a reference.
    ///
    /// ```text
    /// fn f<'a>(a: &'a A) {}
    /// =>
    /// fn f<'a>(a: &A) {}
    /// ```
    DROP_REFERENCE_LIFETIME = "drop-reference-lifetime", Rule::Node(drop_reference_lifetime);

    /// Drop the `::` at the beginning of a path.
    ///
    /// ```text
    /// type A = ::b::C;
    /// =>
    /// type A = b::C;
    /// ```
    DROP_LEADING_COLONS = "drop-leading-colons", Rule::Node(drop_leading_colons);

    /// Drop the `|` at the beginning of a pattern.
    ///
    /// ```text
    /// fn f() { match a { | B | C => d } }
    /// =>
    /// fn f() { match a { B | C => d } }
    /// ```
    DROP_LEADING_VERT = "drop-leading-vert", Rule::Node(drop_leading_vert);

    /// Drop the `dyn` of a trait object.
    ///
    /// ```text
    /// fn f(a: &dyn A) {}
    /// =>
    /// fn f(a: &A) {}
    /// ```
    ///
    /// Only editions 2015 and 2018 take it.
    DROP_DYN = "drop-dyn", Rule::Node(drop_dyn);
}

fn drop_mut(node: Node<'_>, out: &mut Proposals<'_>) {
    let mutability = match node.syntax() {
        Syntax::Pat(Pat::Ident(pat)) => &pat.mutability,
        Syntax::Receiver(receiver) => &receiver.mutability,
        _ => return,
    };
    mutability.iter().for_each(|mutability| out.delete(range(mutability)));
}

fn drop_ref(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::Pat(Pat::Ident(pat)) = node.syntax() {
        pat.by_ref.iter().for_each(|by_ref| out.delete(range(by_ref)));
    }
}

fn drop_reference_mut(node: Node<'_>, out: &mut Proposals<'_>) {
    let mutability = match node.syntax() {
        Syntax::Expr(Expr::Reference(expr)) => &expr.mutability,
        Syntax::Pat(Pat::Reference(pat)) => &pat.mutability,
        Syntax::Type(Type::Reference(ty)) => &ty.mutability,
        Syntax::Receiver(receiver) => match &receiver.kind {
            ReceiverKind::Reference(_, _, mutability) => mutability,
            _ => return,
        },
        _ => return,
    };
    mutability.iter().for_each(|mutability| out.delete(range(mutability)));
}

fn drop_self_reference(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::Receiver(receiver) = node.syntax()
        && let ReceiverKind::Reference(and, _, _) = &receiver.kind
    {
        out.delete(range(and).start..range(&receiver.self_token).start);
    }
}

fn drop_reference_lifetime(node: Node<'_>, out: &mut Proposals<'_>) {
    let lifetime = match node.syntax() {
        Syntax::Type(Type::Reference(ty)) => &ty.lifetime,
        Syntax::Receiver(receiver) => match &receiver.kind {
            ReceiverKind::Reference(_, lifetime, _) => lifetime,
            _ => return,
        },
        _ => return,
    };
    lifetime.iter().for_each(|lifetime| out.delete(range(lifetime)));
}

fn drop_leading_colons(node: Node<'_>, out: &mut Proposals<'_>) {
    // The `::` of `<T>::A` belongs to the brackets.
    if let Syntax::Path(path) = node.syntax()
        && let Some(colons) = &path.leading_colon
        && node.parent().and_then(|parent| qself(parent.syntax())).is_none_or(|qself| qself.position > 0)
        && !in_attribute_or_visibility(node)
    {
        out.delete(range(colons));
    }
}

fn drop_leading_vert(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::Pat(Pat::Or(pat)) = node.syntax() {
        pat.leading_vert.iter().for_each(|vert| out.delete(range(vert)));
    }
}

fn drop_dyn(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::Type(Type::TraitObject(ty)) = node.syntax()
        && let Some(dyn_token) = &ty.dyn_token
        && !needs_dyn(ty.bounds.first())
    {
        out.delete(range(dyn_token));
    }
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
            &DROP_REF,
            "fn f(ref mut a: A, S { ref b }: S) {}",
            &["fn f(mut a: A, S { ref b }: S) {}", "fn f(ref mut a: A, S { b }: S) {}"],
        );
        check(&DROP_REF, "fn f(&a: &A) { &b }", &[]);
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
            &DROP_LEADING_COLONS,
            "fn f(a: <B as ::c::D>::E) { ::f!() }",
            &["fn f(a: <B as c::D>::E) { ::f!() }", "fn f(a: <B as ::c::D>::E) { f!() }"],
        );
        check(&DROP_LEADING_COLONS, "#[::a] type A = <B>::C; use ::d;", &[]);
        check(&DROP_LEADING_VERT, "fn f() { match a { | _ => b } }", &["fn f() { match a { _ => b } }"]);
        check(&DROP_LEADING_VERT, "fn f() { match a { B | C => |d| e } }", &[]);
    }

    #[test]
    fn trait_objects_lose_dyn() {
        check(&DROP_DYN, "type A = dyn for<'a> B<'a> + C;", &["type A = for<'a> B<'a> + C;"]);
        check(&DROP_DYN, "type A = dyn ?B; type C = dyn Fn(D); fn f(c: impl D) { r#dyn::e() }", &[]);
    }
}
