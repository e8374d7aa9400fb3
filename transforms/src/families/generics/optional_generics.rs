//! Lists of generics that may be left out as a whole.

use syn::PathArguments;

use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::{angles, arguments, generics, whole_arguments, whole_where};
use crate::syntax::list::List;
use crate::syntax::tree::{Node, Syntax};

family! {
    "optional-generics", "Drops whole lists of generics: arguments, parameters, predicates, bounds.", in Optional;

    /// Drop all generic arguments of a path or method call, with their brackets.
    ///
    /// ```text
    /// fn f(x: Map<K, V>) {}
    /// =>
    /// fn f(x: Map) {}
    /// ```
    ///
    /// A list of one is left to `delete-generic-argument`.
    DROP_GENERIC_ARGUMENTS = "drop-generic-arguments", Rule::Node(drop_generic_arguments);

    /// Drop all generic parameters of a declaration, or the `for<..>` of a bound, function pointer or closure.
    ///
    /// ```text
    /// struct S<T, U>;
    /// =>
    /// struct S;
    /// ```
    ///
    /// A list of one is left to `delete-generic-parameter`.
    DROP_GENERIC_PARAMETERS = "drop-generic-parameters", Rule::Node(drop_generic_parameters);

    /// Drop all bounds of a parameter, trait or associated type, or a where clause.
    ///
    /// ```text
    /// trait A: B + C {}
    /// =>
    /// trait A {}
    /// ```
    ///
    /// A list of one is left to `delete-bound`.
    DROP_BOUNDS = "drop-bounds", Rule::Node(drop_bounds);
}

fn drop_generic_arguments(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::PathArguments(PathArguments::Parenthesized(_)) = node.syntax() {
        out.delete(node.range());
    } else if let Some(arguments) = arguments(node.syntax())
        && arguments.args.len() != 1
    {
        out.delete(whole_arguments(arguments));
    }
}

fn drop_generic_parameters(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::BoundLifetimes(binder) = node.syntax()
        && binder.lifetimes.len() != 1
    {
        out.delete(node.range());
    } else if let Some(generics) = generics(node.syntax())
        && generics.params.len() != 1
        && let Some(angles) = angles(generics)
    {
        out.delete(angles);
    }
}

fn drop_bounds(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Some(generics) = generics(node.syntax())
        && generics.where_clause.as_ref().is_some_and(|clause| clause.predicates.len() != 1)
        && let Some(clause) = whole_where(generics)
    {
        out.delete(clause);
    }
    if let Some((list, Some(colon))) = List::bounds(node)
        && list.len() != 1
    {
        out.delete(colon.start..list.end().max(colon.end));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

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
    fn one_argument_and_parameters_are_left_to_others() {
        check(&DROP_GENERIC_ARGUMENTS, "fn f<T, U>(x: A<B>) { a < b; c > d }", &[]);
        check(&DROP_GENERIC_PARAMETERS, "fn f<T>(x: A<B, C>) {} impl S {}", &[]);
    }

    #[test]
    fn all_parameters_go_at_once() {
        check(
            &DROP_GENERIC_PARAMETERS,
            "impl<'a, T: A<B>> S<T> { fn f<>() {} }",
            &["impl S<T> { fn f<>() {} }", "impl<'a, T: A<B>> S<T> { fn f() {} }"],
        );
    }

    #[test]
    fn where_clauses_go_even_without_predicates() {
        check(&DROP_BOUNDS, "fn f<T>() where T: A, U: B, {}", &["fn f<T>() {}"]);
        check(
            &DROP_BOUNDS,
            "impl A for B where { type C = D where E: F, G: H; }",
            &["impl A for B { type C = D where E: F, G: H; }", "impl A for B where { type C = D; }"],
        );
        check(&DROP_BOUNDS, "fn f() where A: B {}", &[]);
    }

    #[test]
    fn bounds_go_with_their_colon() {
        check(
            &DROP_BOUNDS,
            "fn f<'a: 'b + 'c, T: A + B = C, U:>() {}",
            &[
                "fn f<'a, T: A + B = C, U:>() {}",
                "fn f<'a: 'b + 'c, T = C, U:>() {}",
                "fn f<'a: 'b + 'c, T: A + B = C, U>() {}",
            ],
        );
        check(&DROP_BOUNDS, "trait A { type B: C + D = E; }", &["trait A { type B = E; }"]);
        check(&DROP_BOUNDS, "fn f<T: A>(x: dyn B + C) where T: D + E {}", &[]);
    }

    #[test]
    fn binders_go() {
        check(&DROP_GENERIC_PARAMETERS, "fn f() { for<> |a| -> B { c } }", &["fn f() { |a| -> B { c } }"]);
        check(&DROP_GENERIC_PARAMETERS, "type A = for<'a> fn(B<'a, 'b>);", &[]);
    }
}
