//! Types replaced by a part of them, or by a small one.

use syn::{Generics, Item, Pat, ReturnType, Type};

use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::{generics, is_primitive};
use crate::syntax::types::{
    ALTERNATIVES, begins_arguments, components, is_like_parameters, nearest, needs_parentheses,
};
use crate::syntax::{Node, Syntax};

family! {
    "types", "Replaces types by a part of them, or by a small one.", in Types;

    /// Replace a type by a type inside it.
    ///
    /// The nearest four are proposed, breadth first: when one is taken, those inside it are near.
    HOIST_TYPE = "hoist-type", Rule::Node(hoist_type), "fn f(x: &Vec<Box<u8>>) {}" => "fn f(x: Box<u8>) {}";

    /// Replace a type by a small one.
    ///
    /// Where types are inferred that is `_`; `Self` where it is the same type, and in predicates; `!` for what a function
    /// returns; `u8` and `()`; `dyn Send` for a trait object; a type parameter.
    REPLACE_TYPE = "replace-type", Rule::Node(replace_type), "fn f(x: Vec<String>) {}" => "fn f(x: u8) {}";
}

fn hoist_type(node: Node<'_>, out: &mut Proposals<'_>) {
    if !matches!(node.syntax(), Syntax::Type(_)) || begins_arguments(node) {
        return;
    }
    let mut texts = Vec::new();
    for kept in nearest(node) {
        if is_like_parameters(node, kept) || texts.contains(&kept.text()) {
            continue;
        }
        texts.push(kept.text());
        out.hoist(node, kept, needs_parentheses(node, kept));
    }
}

fn replace_type(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Type(ty) = node.syntax() else { return };
    let Some(parent) = node.parent() else { return };
    let is_small = ["()", "Self"].contains(&node.text()) || is_primitive(node.text());
    if is_small || matches!(ty, Type::Paren(_) | Type::Infer(_) | Type::Never(_)) || begins_arguments(node) {
        return;
    }
    let mut texts = Vec::new();
    let mut unit = true;
    match parent.syntax() {
        Syntax::Receiver(_) => return,
        // Nobody but core may write an inherent impl for a small type.
        Syntax::Item(Item::Impl(item)) if item.trait_.is_none() => return,
        // The whole return type, or the whole ascription, is dropped elsewhere.
        Syntax::ReturnType(ReturnType::Type(..)) => unit = false,
        Syntax::Pat(Pat::Type(_)) => {}
        _ if is_inferred(node) => texts.push("_"),
        _ => {}
    }
    texts.extend(own_self(node));
    if let Syntax::WherePredicate(_) = parent.syntax()
        && node.ancestors().any(has_self)
        && !texts.contains(&"Self")
    {
        texts.push("Self");
    }
    texts.push("u8");
    if unit {
        texts.push("()");
    }
    if matches!(ty, Type::TraitObject(_)) {
        texts.push("dyn Send");
    }
    if matches!(parent.parent().map(Node::syntax), Some(Syntax::Signature(_))) && !unit {
        texts.push("!");
    }
    let parameter = own_parameter(node);
    texts
        .extend(parameter.as_deref().filter(|parameter| components(node).iter().all(|part| part.text() != *parameter)));
    for text in texts.into_iter().take(ALTERNATIVES) {
        out.replace(node.range(), text);
    }
}

/// Whether types are inferred here: in statements and expressions.
fn is_inferred(node: Node<'_>) -> bool {
    for ancestor in node.ancestors() {
        match ancestor.syntax() {
            Syntax::Expr(_) | Syntax::Local(_) => return true,
            Syntax::Type(_) | Syntax::Path(_) | Syntax::PathArguments(_) | Syntax::PathSegment(_) => {}
            Syntax::GenericArgument(_) | Syntax::Pat(_) | Syntax::ReturnType(_) | Syntax::NamedArg(_) => {}
            _ => return false,
        }
    }
    false
}

/// `Self`, if the type is that of the impl around it.
fn own_self(node: Node<'_>) -> Option<&'static str> {
    let item = node.ancestors().find(|ancestor| matches!(ancestor.syntax(), Syntax::Item(_)))?;
    let Syntax::Item(Item::Impl(_)) = item.syntax() else { return None };
    let self_type = item.children().find(|child| matches!(child.syntax(), Syntax::Type(_)))?;
    (self_type.text() == node.text() && self_type.range() != node.range()).then_some("Self")
}

/// Whether `Self` is a type in the clauses of an item.
fn has_self(item: Node<'_>) -> bool {
    matches!(
        item.syntax(),
        Syntax::Item(Item::Enum(_) | Item::Impl(_) | Item::Struct(_) | Item::Trait(_) | Item::Union(_))
    )
}

/// The first type parameter of the declaration around a type.
fn own_parameter(node: Node<'_>) -> Option<String> {
    let first = |generics: &Generics| generics.type_params().next().map(|param| param.ident.to_string());
    node.ancestors().find_map(|ancestor| generics(ancestor.syntax())).and_then(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn an_ampersand_behind_another_one_stays_where_a_space_would_come() {
        check(
            &HOIST_TYPE,
            "type A = &&&B;",
            &["type A = &&B;", "type A = &B;", "type A = B;", "type A = &B;", "type A = &&B;"],
        );
    }

    #[test]
    fn types_become_the_types_inside_them() {
        check(
            &HOIST_TYPE,
            "type A = Map<K, [V; 2]>;",
            &["type A = K;", "type A = [V; 2];", "type A = V;", "type A = Map<K, V>;"],
        );
        check(
            &HOIST_TYPE,
            "type A = fn(b: B) -> (C);",
            &["type A = B;", "type A = (C);", "type A = C;", "type A = fn(b: B) -> C;"],
        );
        check(
            &HOIST_TYPE,
            "fn f(x: &mut A, y: *const B) {}",
            &["fn f(x: A, y: *const B) {}", "fn f(x: &mut A, y: B) {}"],
        );
        check(&HOIST_TYPE, "type A = dyn B<C = D> + Fn(D);", &["type A = D;"]);
        check(&HOIST_TYPE, "type A = <B as C<D>>::E;", &["type A = B;", "type A = D;"]);
    }

    #[test]
    fn at_most_four_are_hoisted() {
        check(
            &HOIST_TYPE,
            "type A = (B<F>, C, D);",
            &["type A = B<F>;", "type A = C;", "type A = D;", "type A = F;", "type A = (F, C, D);"],
        );
    }

    #[test]
    fn a_sum_is_parenthesised_where_none_may_stand() {
        check(
            &HOIST_TYPE,
            "type A = &Box<dyn B + C>;",
            &["type A = Box<dyn B + C>;", "type A = dyn B + C;", "type A = &(dyn B + C);"],
        );
        check(&HOIST_TYPE, "fn f() -> Box<dyn A + B> {}", &["fn f() -> dyn A + B {}"]);
        check(
            &HOIST_TYPE,
            "type A = fn() -> Box<impl B + C>;",
            &["type A = Box<impl B + C>;", "type A = impl B + C;", "type A = fn() -> (impl B + C);"],
        );
    }

    #[test]
    fn types_without_types_and_odd_places_are_left_alone() {
        check(&HOIST_TYPE, "fn f(x: A<'a>, y: [(); 0]) -> ! { 1 as B }", &["fn f(x: A<'a>, y: ()) -> ! { 1 as B }"]);
        check(&HOIST_TYPE, "fn f() { a as B<C> < d }", &[]);
        check(&HOIST_TYPE, "impl A<<B>::C> {}", &["impl B {}", "impl A<B> {}"]);
    }

    #[test]
    fn types_become_small() {
        check(
            &REPLACE_TYPE,
            "struct S(A<B>, &'static str, u8);",
            &[
                "struct S(u8, &'static str, u8);",
                "struct S((), &'static str, u8);",
                "struct S(A<B>, u8, u8);",
                "struct S(A<B>, (), u8);",
            ],
        );
        check(&REPLACE_TYPE, "fn f() -> Option<()> {}", &["fn f() -> u8 {}", "fn f() -> ! {}"]);
        check(&REPLACE_TYPE, "impl A for B<C> {}", &["impl A for u8 {}", "impl A for () {}"]);
    }

    #[test]
    fn trait_objects_are_of_a_short_trait() {
        check(
            &REPLACE_TYPE,
            "struct S(&'static dyn a::B);",
            &[
                "struct S(u8);",
                "struct S(());",
                "struct S(&'static u8);",
                "struct S(&'static ());",
                "struct S(&'static dyn Send);",
            ],
        );
        check(&REPLACE_TYPE, "type A = dyn Send;", &["type A = u8;", "type A = ();"]);
    }

    #[test]
    fn types_in_bodies_are_inferred() {
        check(
            &REPLACE_TYPE,
            "fn f() { a::<B<Foo>>(); }",
            &[
                "fn f() { a::<_>(); }",
                "fn f() { a::<u8>(); }",
                "fn f() { a::<()>(); }",
                "fn f() { a::<B<_>>(); }",
                "fn f() { a::<B<u8>>(); }",
            ],
        );
        check(&REPLACE_TYPE, "fn f() { let a: Foo = b; }", &["fn f() { let a: u8 = b; }"]);
        check(&REPLACE_TYPE, "fn f() { struct S(Foo); }", &["fn f() { struct S(u8); }"]);
    }

    #[test]
    fn the_type_of_an_impl_is_self_and_parameters_are_types() {
        check(
            &REPLACE_TYPE,
            "impl A<B> { fn f(x: A<B>) {} }",
            &["impl A<B> { fn f(x: Self) {} }", "impl A<B> { fn f(x: u8) {} }", "impl A<B> { fn f(x: ()) {} }"],
        );
        check(
            &REPLACE_TYPE,
            "fn f<T>(x: Vec<A>, y: T) {}",
            &["fn f<T>(x: u8, y: T) {}", "fn f<T>(x: (), y: T) {}", "fn f<T>(x: T, y: T) {}"],
        );
        check(
            &REPLACE_TYPE,
            "struct S<const N: u8> where [u8; N]:; fn f() where A<B>: {}",
            &[
                "struct S<const N: u8> where Self:; fn f() where A<B>: {}",
                "struct S<const N: u8> where u8:; fn f() where A<B>: {}",
                "struct S<const N: u8> where ():; fn f() where A<B>: {}",
                "struct S<const N: u8> where [u8; N]:; fn f() where u8: {}",
                "struct S<const N: u8> where [u8; N]:; fn f() where (): {}",
            ],
        );
    }

    #[test]
    fn small_types_stay() {
        check(&REPLACE_TYPE, "fn f(x: u64, y: (), z: T) -> ! { 1 as usize }", &[]);
        check(&REPLACE_TYPE, "impl Foo { fn f(self: &Self) -> Self {} }", &[]);
    }
}
