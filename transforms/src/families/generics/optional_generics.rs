//! Lists of generics that may be left out as a whole.

use syn::PathArguments;

use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::{arguments, whole_arguments};
use crate::syntax::{Node, Syntax, range};

family! {
    "optional-generics", "Drops whole lists of generics: arguments, parameters, predicates, bounds.", in Optional;

    /// Drop all generic arguments of a path or method call, with their brackets.
    ///
    /// Of a list of one the brackets stay: without them it is left to `delete-generic-argument`.
    DROP_GENERIC_ARGUMENTS = "drop-generic-arguments", Rule::Node(drop_generic_arguments),
        "fn f(x: Map<K, V>) {}" => "fn f(x: Map) {}";
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
