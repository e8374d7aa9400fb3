//! Elements of the lists of expressions: arguments, arms, fields' values, elements.

use syn::Expr;

use crate::rule::{elements, family, parts};
use crate::syntax::Syntax;

family! {
    "lists", "Deletes elements of the lists in expressions: arguments, arms, fields' values, elements.", in Lists;

    /// Delete an arm of a `match`.
    DELETE_ARM = "delete-arm", parts!(node, Syntax::Arm(_) => node.range()),
        "fn f() { match a { A => b(), _ => c() } }" => "fn f() { match a { A => b(), } }";

    /// Delete an element of an array or a tuple.
    ///
    /// Of a tuple of two the other one is left in parentheses.
    DELETE_ELEMENT = "delete-element", elements!(Syntax::Expr(Expr::Array(_) | Expr::Tuple(_))),
        "const A: [u8; 2] = [1, 2];" => "const A: [u8; 2] = [2];";

    /// Delete an argument of a call.
    DELETE_ARGUMENT = "delete-argument", elements!(Syntax::Expr(Expr::Call(_) | Expr::MethodCall(_))),
        "fn main() { f(a, b) }" => "fn main() { f(b) }";

    /// Delete a field's value in a struct expression.
    DELETE_FIELD_VALUE = "delete-field-value", elements!(Syntax::Expr(Expr::Struct(_))),
        "fn f() { S { a: 1, b } }" => "fn f() { S { b } }";

    /// Delete a parameter of a closure.
    DELETE_CLOSURE_PARAMETER = "delete-closure-parameter", elements!(Syntax::Expr(Expr::Closure(_))),
        "fn f() { g(|a, b: u8| a) }" => "fn f() { g(|a| a) }";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn arms_go_with_their_commas() {
        check(
            &DELETE_ARM,
            "fn f() { match a { #[b] A | B if c => {} C => d, _ => e } }",
            &[
                "fn f() { match a { C => d, _ => e } }",
                "fn f() { match a { #[b] A | B if c => {} _ => e } }",
                "fn f() { match a { #[b] A | B if c => {} C => d, } }",
            ],
        );
        check(&DELETE_ARM, "fn f() { match a {} }", &[]);
        check(&DELETE_ARM, "macro_rules! m { (a) => { b }; }", &[]);
    }

    #[test]
    fn elements_go_with_a_comma() {
        check(
            &DELETE_ELEMENT,
            "const A: B = [a, f(b, c), d];",
            &["const A: B = [f(b, c), d];", "const A: B = [a, d];", "const A: B = [a, f(b, c)];"],
        );
        check(&DELETE_ELEMENT, "const A: B = (a, b);", &["const A: B = (b);", "const A: B = (a);"]);
        check(&DELETE_ELEMENT, "const A: B = (a,);", &["const A: B = ();"]);
    }

    #[test]
    fn what_is_no_list_has_no_elements() {
        check(&DELETE_ELEMENT, "const A: B = (a);", &[]);
        check(&DELETE_ELEMENT, "const A: B = ();", &[]);
        check(&DELETE_ELEMENT, "const A: B = [a; 2];", &[]);
        check(&DELETE_ELEMENT, "const A: (u8, u8) = f(a);", &[]);
    }

    #[test]
    fn arguments_go_with_a_comma() {
        check(&DELETE_ARGUMENT, "fn f() { a.g(b, #[c] c,); }", &["fn f() { a.g(#[c] c,); }", "fn f() { a.g(b,); }"]);
        check(
            &DELETE_ARGUMENT,
            "fn f() { f(a(1), || (b, c)) }",
            &["fn f() { f(|| (b, c)) }", "fn f() { f(a(1)) }", "fn f() { f(a(), || (b, c)) }"],
        );
    }

    #[test]
    fn a_call_without_arguments_and_a_receiver_are_left_alone() {
        check(&DELETE_ARGUMENT, "fn f() { f(); a.b(); }", &[]);
        check(&DELETE_ARGUMENT, "fn f(a: u8) { A { b: c }; (d, e); }", &[]);
    }

    #[test]
    fn field_values_go_and_the_rest_stays() {
        check(
            &DELETE_FIELD_VALUE,
            "fn f() { S { #[a] a: 1, b, ..c } }",
            &["fn f() { S { b, ..c } }", "fn f() { S { #[a] a: 1, ..c } }"],
        );
        check(&DELETE_FIELD_VALUE, "fn f() { S { 0: a } }", &["fn f() { S { } }"]);
        check(&DELETE_FIELD_VALUE, "fn f() { S {}; S { ..c }; let S { a } = b; }", &[]);
    }

    #[test]
    fn parameters_of_closures_go_with_a_comma() {
        check(
            &DELETE_CLOSURE_PARAMETER,
            "fn f() { |a: u8, &(b, c)| a }",
            &["fn f() { |&(b, c)| a }", "fn f() { |a: u8| a }"],
        );
        check(&DELETE_CLOSURE_PARAMETER, "fn f() { move |_|a|b }", &["fn f() { move | | a|b }"]);
        check(&DELETE_CLOSURE_PARAMETER, "fn f(a: u8) { || a; a | b }", &[]);
    }
}
