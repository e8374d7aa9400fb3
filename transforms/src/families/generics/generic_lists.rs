//! The lists that generics are made of: parameters, predicates, bounds, arguments.

use syn::PathArguments;

use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::{angles, arguments, generics, whole_arguments};
use crate::syntax::{List, Node, Syntax, range};

family! {
    "generic-lists", "Deletes elements of the lists that generics are made of, or whole lists.", in TypeLists;

    /// Delete a generic parameter, or a lifetime that `for<..>` binds; the only one with its angle brackets.
    DELETE_GENERIC_PARAMETER = "delete-generic-parameter", Rule::Node(delete_generic_parameter),
        "fn f<T, U: A>() {}" => "fn f<T>() {}";

    /// Delete a bound or a predicate of a where clause, the only one with its colon or its `where` if these may go.
    DELETE_BOUND = "delete-bound", Rule::Node(delete_bound), "trait A: B + C {}" => "trait A: C {}";

    /// Drop all generic arguments of a path or method call, with their brackets.
    ///
    /// Of a list of one the brackets stay: without them it is left to `delete-generic-argument`.
    DROP_GENERIC_ARGUMENTS = "drop-generic-arguments", Rule::Node(drop_generic_arguments), in Optional,
        "fn f(x: Map<K, V>) {}" => "fn f(x: Map) {}";
}

fn delete_generic_parameter(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::BoundLifetimes(_) = node.syntax() {
        List::of(node).iter().for_each(|list| list.delete_each_or(node.range(), out));
    } else if let Some(generics) = generics(node.syntax())
        && let (Some(list), Some(angles)) = (List::params(node, generics), angles(generics))
    {
        list.delete_each_or(angles, out);
    }
}

fn delete_bound(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::WhereClause(_) = node.syntax() {
        List::of(node).iter().for_each(|list| list.delete_each_or(node.range(), out));
    }
    match List::bounds(node) {
        Some((list, Some(colon))) => list.delete_each_or(colon.start..list.end(), out),
        Some((list, None)) => list.delete_each(out),
        None => {}
    }
}

fn drop_generic_arguments(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::PathArguments(PathArguments::Parenthesized(_)) = node.syntax() {
        out.delete(node.range());
    } else if let Some(arguments) = arguments(node.syntax()) {
        match arguments.args.len() {
            1 => out.delete_in(node.range(), range(&arguments.lt_token).end..range(&arguments.gt_token).start),
            _ => out.delete(whole_arguments(arguments)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn generic_parameters_go_with_a_comma() {
        check(
            &DELETE_GENERIC_PARAMETER,
            "impl<'a: 'b, #[x] T: A<B> = C, const N: usize> S {}",
            &[
                "impl<#[x] T: A<B> = C, const N: usize> S {}",
                "impl<'a: 'b, const N: usize> S {}",
                "impl<'a: 'b, #[x] T: A<B> = C> S {}",
            ],
        );
        check(&DELETE_GENERIC_PARAMETER, "fn f<T:>() {}", &["fn f() {}"]);
        check(&DELETE_GENERIC_PARAMETER, "trait T { type A<'a,>; }", &["trait T { type A; }"]);
    }

    #[test]
    fn what_has_no_generic_parameters_is_left_alone() {
        check(&DELETE_GENERIC_PARAMETER, "fn f<>(x: A<B>) where A: B<'a> {} impl A<T> {}", &[]);
    }

    #[test]
    fn bound_lifetimes_go_with_a_comma_or_all() {
        check(
            &DELETE_GENERIC_PARAMETER,
            "fn f<T: for<'a> A<'a>>() where for<'b, 'c> T: B {}",
            &[
                "fn f() where for<'b, 'c> T: B {}",
                "fn f<T: A<'a>>() where for<'b, 'c> T: B {}",
                "fn f<T: for<'a> A<'a>>() where for<'c> T: B {}",
                "fn f<T: for<'a> A<'a>>() where for<'b> T: B {}",
            ],
        );
        check(&DELETE_GENERIC_PARAMETER, "fn f() { for a in b {} } impl A for B {}", &[]);
    }

    #[test]
    fn predicates_go_with_a_comma_or_all() {
        check(
            &DELETE_BOUND,
            "impl A for B where Self: C, 'a: 'b, {}",
            &[
                "impl A for B where 'a: 'b, {}",
                "impl A for B where Self: C, {}",
                "impl A for B where Self:, 'a: 'b, {}",
                "impl A for B where Self: C, 'a:, {}",
            ],
        );
        check(&DELETE_BOUND, "struct S(A) where A: B<C>;", &["struct S(A);", "struct S(A) where A:;"]);
        check(&DELETE_BOUND, "fn f<T>() where {}", &[]);
    }

    #[test]
    fn bounds_go_with_a_plus() {
        check(
            &DELETE_BOUND,
            "fn f<T: A + ?Sized + 'a>() {}",
            &["fn f<T: ?Sized + 'a>() {}", "fn f<T: A + 'a>() {}", "fn f<T: A + ?Sized>() {}"],
        );
        check(&DELETE_BOUND, "trait A = B + C;", &["trait A = C;", "trait A = B;"]);
        check(&DELETE_BOUND, "fn f<'a: 'b + 'c>() {}", &["fn f<'a: 'c>() {}", "fn f<'a: 'b>() {}"]);
    }

    #[test]
    fn the_only_bound_goes_with_its_colon_where_it_may() {
        check(&DELETE_BOUND, "trait A: B {}", &["trait A {}"]);
        check(&DELETE_BOUND, "fn f<T: A + = B>() {}", &["fn f<T = B>() {}"]);
        check(&DELETE_BOUND, "trait A { type B: C; }", &["trait A { type B; }"]);
        check(
            &DELETE_BOUND,
            "fn f() where A: B, 'a: 'b {}",
            &[
                "fn f() where 'a: 'b {}",
                "fn f() where A: B {}",
                "fn f() where A:, 'a: 'b {}",
                "fn f() where A: B, 'a: {}",
            ],
        );
        check(&DELETE_BOUND, "fn f(x: impl A<B: C>) {}", &["fn f(x: impl A<B:>) {}"]);
    }

    #[test]
    fn bounds_of_objects_and_sums_are_others() {
        check(&DELETE_BOUND, "fn f<T:, U>(x: dyn A + B, y: impl C) { a + b }", &[]);
    }

    #[test]
    fn all_arguments_go_at_once() {
        check(
            &DROP_GENERIC_ARGUMENTS,
            "fn f(x: A<'a, B>) { c.d::<E, F>(); }",
            &["fn f(x: A) { c.d::<E, F>(); }", "fn f(x: A<'a, B>) { c.d(); }"],
        );
        check(&DROP_GENERIC_ARGUMENTS, "fn f(x: impl Fn(A) -> B) {}", &["fn f(x: impl Fn) {}"]);
        check(&DROP_GENERIC_ARGUMENTS, "type A = B<>;", &["type A = B;"]);
    }

    #[test]
    fn the_brackets_of_one_argument_stay_and_parameters_are_left_to_others() {
        check(
            &DROP_GENERIC_ARGUMENTS,
            "fn f<T, U>(x: A<B>) { a < b; c > d }",
            &["fn f<T, U>(x: A<>) { a < b; c > d }"],
        );
    }
}
