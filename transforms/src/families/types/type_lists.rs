//! Elements of the lists in types and paths: generic arguments, tuples, bounds, segments.

use std::ops::Range;
use std::rc::Rc;

use syn::{PathArguments, Type, TypeParamBound};

use crate::rule::{Proposals, Rule, elements, family};
use crate::syntax::generics::{
    arguments, in_attribute_or_visibility, needs_dyn, object_bounds, qself, whole_arguments,
};
use crate::syntax::{List, Node, Syntax, range};

family! {
    "type-lists", "Deletes elements of the lists in types and paths: generic arguments, tuples, bounds, segments.", in TypeLists;

    /// Delete a generic argument, the only one with its angle brackets, or a parameter that `use<..>` captures.
    DELETE_GENERIC_ARGUMENT = "delete-generic-argument", Rule::Node(delete_generic_argument),
        "fn f(x: Map<K, V>) {}" => "fn f(x: Map<V>) {}";

    /// Delete an element of a tuple type.
    DELETE_TUPLE_TYPE = "delete-tuple-type", elements!(Syntax::Type(Type::Tuple(_))),
        "fn f(x: (A, B)) {}" => "fn f(x: (B)) {}";

    /// Delete a parameter of a function pointer or of `Fn(..)`.
    DELETE_PARAMETER_TYPE = "delete-parameter-type",
        elements!(Syntax::Type(Type::FnPtr(_)) | Syntax::PathArguments(PathArguments::Parenthesized(_))),
        "type A = fn(u8, B) -> C;" => "type A = fn(B) -> C;";

    /// Delete a bound of a trait object or of `impl Trait`, but for the last trait.
    DELETE_OBJECT_BOUND = "delete-object-bound", Rule::Node(delete_object_bound),
        "fn f(x: Box<dyn A + B>) {}" => "fn f(x: Box<dyn B>) {}";

    /// Delete a segment of a path.
    ///
    /// `T::Item` becomes `Item` and `T`. Paths of attributes and visibilities are left alone, and what would end in
    /// `crate`, `self` or `super`.
    DELETE_SEGMENT = "delete-segment", Rule::Node(delete_segment), "fn main() { a::b::f() }" => "fn main() { b::f() }";
}

fn delete_generic_argument(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Some(arguments) = arguments(node.syntax()) {
        List::arguments(node, arguments).delete_each_or(whole_arguments(arguments), out);
    } else if let Syntax::TypeParamBound(TypeParamBound::PreciseCapture(_)) = node.syntax() {
        out.delete_each(node);
    }
}

fn delete_object_bound(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Type(ty) = node.syntax() else { return };
    let Some(bounds) = object_bounds(ty) else { return };
    let list = List::bare(node, bounds);
    let is_trait = |bound: &TypeParamBound| matches!(bound, TypeParamBound::Trait(_) | TypeParamBound::Verbatim(_));
    let mut traits = bounds.iter().enumerate().filter(|(_, bound)| is_trait(bound)).map(|(index, _)| index);
    let (Some(first), second) = (traits.next(), traits.next()) else { return };
    let is_bare = matches!(ty, Type::TraitObject(ty) if ty.dyn_token.is_none());
    for (index, bound) in list.elements.iter().enumerate().filter(|(index, _)| *index != first) {
        // Without those before it, it would begin the type.
        if index < first && is_bare && needs_dyn(bounds.iter().nth(first)) {
            continue;
        }
        // Any subset leaves the first trait without a `+` before or after it.
        out.edit(bound.clone(), if index < first { list.without(index) } else { list.without_backwards(index) });
        if Some(index) == second && !(is_bare && first == 0 && needs_dyn(bounds.iter().nth(1))) {
            // An alternative to its neighbour: if both went, no trait might be left.
            out.edit(bound.clone(), list.without(first));
        }
    }
}

fn delete_segment(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Path(path) = node.syntax() else { return };
    let Some(parent) = node.parent() else { return };
    // The only segment stays.
    if path.segments.len() < 2 || in_attribute_or_visibility(node) {
        return;
    }
    let mut list = List::bare(node, &path.segments);
    let groups: [Range<usize>; 2] = match qself(parent.syntax()) {
        Some(qself) => {
            // In `<T as a::Trait>::B`, a bracket stands between the segment and its separator.
            if let Some(last) = qself.position.checked_sub(1) {
                Rc::make_mut(&mut list.elements)[last].end = range(&path.segments[last]).end;
            }
            [0..qself.position, qself.position..list.len()]
        }
        None => [0..0, 0..list.len()],
    };
    for group in groups.into_iter().filter(|group| group.len() > 1) {
        let last = group.end - 1;
        for index in group.start..last {
            out.edit(list.elements[index].clone(), list.without(index));
        }
        // They can only be followed by another segment.
        let is_keyword = ["crate", "self", "super"].iter().any(|word| path.segments[last - 1].ident == word);
        if !is_keyword && !matches!(parent.syntax(), Syntax::Macro(_)) {
            // An alternative to its neighbour: if both went, no segment might be left.
            out.edit(list.elements[last - 1].clone(), list.without_backwards(last));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn generic_arguments_go_with_a_comma() {
        check(
            &DELETE_GENERIC_ARGUMENT,
            "type A = B<'a, C, D = E, { 1 }>;",
            &[
                "type A = B<C, D = E, { 1 }>;",
                "type A = B<'a, D = E, { 1 }>;",
                "type A = B<'a, C, { 1 }>;",
                "type A = B<'a, C, D = E>;",
            ],
        );
    }

    #[test]
    fn the_only_generic_argument_goes_with_its_brackets() {
        check(&DELETE_GENERIC_ARGUMENT, "type A = B<C<D>>;", &["type A = B;", "type A = B<C>;"]);
        check(
            &DELETE_GENERIC_ARGUMENT,
            "fn f() { a.b::<C>(); D::<E>::f(); }",
            &["fn f() { a.b(); D::<E>::f(); }", "fn f() { a.b::<C>(); D::f(); }"],
        );
        check(
            &DELETE_GENERIC_ARGUMENT,
            "fn f(x: impl A<B<'a>: C>) {}",
            &["fn f(x: impl A) {}", "fn f(x: impl A<B: C>) {}"],
        );
    }

    #[test]
    fn parameters_and_comparisons_are_no_generic_arguments() {
        check(&DELETE_GENERIC_ARGUMENT, "fn f<A>(x: B<>) { a < b; c > d; } impl<T> S {}", &[]);
    }

    #[test]
    fn elements_of_tuple_types_go_with_a_comma() {
        check(
            &DELETE_TUPLE_TYPE,
            "type A = (B, (C, D));",
            &["type A = ((C, D));", "type A = (B);", "type A = (B, (D));", "type A = (B, (C));"],
        );
        check(&DELETE_TUPLE_TYPE, "type A = (B,);", &["type A = ();"]);
        check(&DELETE_TUPLE_TYPE, "struct S(A, B); fn f((a, b): (C)) -> () { (d, e) }", &[]);
    }

    #[test]
    fn parameters_of_function_pointers_go_with_a_comma() {
        check(
            &DELETE_PARAMETER_TYPE,
            "type A = unsafe extern fn(#[a] x: B, C, ...) -> D;",
            &[
                "type A = unsafe extern fn(C, ...) -> D;",
                "type A = unsafe extern fn(#[a] x: B, ...) -> D;",
                "type A = unsafe extern fn(#[a] x: B, C) -> D;",
            ],
        );
        check(&DELETE_PARAMETER_TYPE, "type A = fn(...,);", &["type A = fn();"]);
        check(
            &DELETE_PARAMETER_TYPE,
            "fn f(x: impl Fn(A, B)) {}",
            &["fn f(x: impl Fn(B)) {}", "fn f(x: impl Fn(A)) {}"],
        );
        check(&DELETE_PARAMETER_TYPE, "fn f(a: u8, b: fn() -> C, c: &dyn Fn()) { f(d) }", &[]);
    }

    #[test]
    fn bounds_go_until_one_trait_is_left() {
        check(
            &DELETE_OBJECT_BOUND,
            "type A = dyn B + ?C + 'a;",
            &["type A = dyn B + 'a;", "type A = dyn ?C + 'a;", "type A = dyn B + ?C;"],
        );
        check(&DELETE_OBJECT_BOUND, "fn f() -> impl A + use<> {}", &["fn f() -> impl A {}"]);
        check(
            &DELETE_OBJECT_BOUND,
            "type A = B + 'a + C;",
            &["type A = B + C;", "type A = B + 'a;", "type A = 'a + C;"],
        );
        check(&DELETE_OBJECT_BOUND, "type A = B + ?C;", &["type A = B;"]);
    }

    #[test]
    fn a_single_bound_and_bounds_of_parameters_stay() {
        check(&DELETE_OBJECT_BOUND, "fn f<T: A + B>(x: impl A, y: &dyn B) where T: C + D { a + b }", &[]);
    }

    #[test]
    fn captures_go_with_a_comma() {
        check(
            &DELETE_GENERIC_ARGUMENT,
            "fn f() -> impl A + use<'a, T> {}",
            &["fn f() -> impl A + use<T> {}", "fn f() -> impl A + use<'a> {}"],
        );
        check(&DELETE_GENERIC_ARGUMENT, "fn f() -> impl A + use<> {} use a::{b, c};", &[]);
    }

    #[test]
    fn segments_go_with_a_separator() {
        check(&DELETE_SEGMENT, "type A = a::b<c>::d;", &["type A = b<c>::d;", "type A = a::d;", "type A = a::b<c>;"]);
        check(
            &DELETE_SEGMENT,
            "fn f() { crate::b(); c::d!(); }",
            &["fn f() { b(); c::d!(); }", "fn f() { crate::b(); d!(); }"],
        );
    }

    #[test]
    fn segments_around_a_self_type_go_while_one_is_left() {
        check(
            &DELETE_SEGMENT,
            "type A = <B as c::D>::E::F;",
            &[
                "type A = <B as D>::E::F;",
                "type A = <B as c>::E::F;",
                "type A = <B as c::D>::F;",
                "type A = <B as c::D>::E;",
            ],
        );
        check(&DELETE_SEGMENT, "type A = <B>::C;", &[]);
    }

    #[test]
    fn paths_of_attributes_visibilities_and_imports_are_left_alone() {
        check(&DELETE_SEGMENT, "#[a::b] pub(in c::d) use e::f; type A = B<C>;", &[]);
    }

    #[test]
    fn a_bound_that_needs_dyn_does_not_come_first() {
        check(&DELETE_OBJECT_BOUND, "type A = B<C = 'static + for<'a> D(&'a u8)>;", &[]);
    }
}
