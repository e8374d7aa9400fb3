//! References in the place of types that hold one other type: the shortest way to nest types.

use syn::{GenericArgument, Item, PathArguments, Type};

use crate::rule::{Proposals, Rule, family};
use crate::syntax::extent::type_range;
use crate::syntax::generics::is_sum;
use crate::syntax::types::begins_arguments;
use crate::syntax::{Node, Syntax};

family! {
    "references", "Nests types as references.", in References;

    /// Replace a type that holds one other type by a reference or pointer to that.
    ///
    /// Unlike with the argument alone, the depth stays. Where lifetimes have to be written it is a pointer.
    TYPE_TO_REFERENCE = "type-to-reference", Rule::Node(type_to_reference),
        "fn f<T>() { f::<Vec<T>>() }" => "fn f<T>() { f::<&T>() }";
}

fn type_to_reference(node: Node<'_>, out: &mut Proposals<'_>) {
    let Some(argument) = only_argument(node) else { return };
    // Of an impl without trait, the type is one of this file.
    let parent = node.parent().map(Node::syntax);
    let is_inherent = matches!(parent, Some(Syntax::Item(Item::Impl(item))) if item.trait_.is_none());
    if begins_arguments(node) || is_inherent || is_sum(argument) {
        return;
    }
    let kept = type_range(argument);
    if is_elided(node) {
        out.keep_between(node.range(), "&", kept.clone(), "");
    }
    out.keep_between(node.range(), "*const ", kept, "");
}

/// The only type inside a type: its generic argument, or the one of a slice, an array or a tuple.
fn only_argument<'t>(node: Node<'t>) -> Option<&'t Type> {
    let ty = match node.syntax() {
        Syntax::Type(Type::Path(ty)) => ty,
        Syntax::Type(Type::Slice(ty)) => return Some(&ty.elem),
        Syntax::Type(Type::Array(ty)) => return Some(&ty.elem),
        Syntax::Type(Type::Tuple(ty)) if ty.elems.len() == 1 => return ty.elems.first(),
        _ => return None,
    };
    let last = ty.path.segments.last().filter(|_| ty.qself.is_none())?;
    let mut arguments = ty.path.segments.iter().filter(|segment| !segment.arguments.is_none());
    let (Some(_), None, PathArguments::AngleBracketed(own)) = (arguments.next(), arguments.next(), &last.arguments)
    else {
        return None;
    };
    match own.args.first()? {
        GenericArgument::Type(argument) if own.args.len() == 1 => Some(argument),
        _ => None,
    }
}

/// Whether the lifetime of a reference may be left out.
fn is_elided(node: Node<'_>) -> bool {
    for ancestor in node.ancestors() {
        match ancestor.syntax() {
            Syntax::Expr(_) | Syntax::Local(_) | Syntax::Signature(_) | Syntax::Item(Item::Impl(_)) => return true,
            Syntax::Item(_) | Syntax::WherePredicate(_) | Syntax::TraitItem(_) | Syntax::ImplItem(_) => return false,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn types_with_one_argument_become_references() {
        check(
            &TYPE_TO_REFERENCE,
            "fn f<T>(a: b::C<T>) { f::<D<E<T>>>(g) }",
            &[
                "fn f<T>(a: &T) { f::<D<E<T>>>(g) }",
                "fn f<T>(a: *const T) { f::<D<E<T>>>(g) }",
                "fn f<T>(a: b::C<T>) { f::<&E<T>>(g) }",
                "fn f<T>(a: b::C<T>) { f::<*const E<T>>(g) }",
                "fn f<T>(a: b::C<T>) { f::<D<&T>>(g) }",
                "fn f<T>(a: b::C<T>) { f::<D<*const T>>(g) }",
            ],
        );
        check(&TYPE_TO_REFERENCE, "impl<T> A for B<T> {}", &["impl<T> A for &T {}", "impl<T> A for *const T {}"]);
    }

    #[test]
    fn pointers_need_no_lifetime() {
        check(&TYPE_TO_REFERENCE, "struct S(Vec<&'static u8>);", &["struct S(*const &'static u8);"]);
        check(
            &TYPE_TO_REFERENCE,
            "impl A for B { type C = D<E>; } trait T where F<Self>: A { type G; }",
            &[
                "impl A for B { type C = *const E; } trait T where F<Self>: A { type G; }",
                "impl A for B { type C = D<E>; } trait T where *const Self: A { type G; }",
            ],
        );
    }

    #[test]
    fn slices_arrays_and_tuples_hold_one_type() {
        check(
            &TYPE_TO_REFERENCE,
            "impl A for (B,) { fn f(a: [u8; 2]) {} } impl A for (B, C) {}",
            &[
                "impl A for &B { fn f(a: [u8; 2]) {} } impl A for (B, C) {}",
                "impl A for *const B { fn f(a: [u8; 2]) {} } impl A for (B, C) {}",
                "impl A for (B,) { fn f(a: &u8) {} } impl A for (B, C) {}",
                "impl A for (B,) { fn f(a: *const u8) {} } impl A for (B, C) {}",
            ],
        );
        check(&TYPE_TO_REFERENCE, "impl A for [B] {}", &["impl A for &B {}"]);
    }

    #[test]
    fn types_with_other_arguments_stay() {
        check(&TYPE_TO_REFERENCE, "fn f(a: A, b: B<C, D>, c: E<'a>, d: F<1>, e: G<'a, H>, g: I<J = K>) {}", &[]);
        check(
            &TYPE_TO_REFERENCE,
            "type A = <B<C> as D>::E<F>; type G = H<I>::J; type K = L<dyn M + N>;",
            &["type A = <*const C as D>::E<F>; type G = H<I>::J; type K = L<dyn M + N>;"],
        );
    }

    #[test]
    fn types_stay_where_no_reference_can_stand() {
        check(&TYPE_TO_REFERENCE, "impl A<B> {} impl C<D> for E {} trait F: G<H> {}", &[]);
        check(&TYPE_TO_REFERENCE, "fn f() { a as B<C> < d; Vec::<u8>::new(); S::<u8> {}; }", &[]);
    }
}
