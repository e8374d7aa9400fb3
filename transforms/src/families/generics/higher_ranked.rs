//! Bounds for all lifetimes, in a form of which there are values.

use syn::{Expr, ReturnType, TypeParamBound, WherePredicate};

use crate::names::analysis::Analysis;
use crate::names::references::fill;
use crate::rule::proposals::Proposals;
use crate::rule::transform::{Rule, family};
use crate::syntax::placement::Filler;
use crate::syntax::tree::{Node, Syntax, range};
use crate::text::edit::Edit;

family! {
    "higher-ranked", "Writes bounds for all lifetimes as those of functions.", in Coupled;

    /// Replace a bound for all lifetimes by `Fn(&u8)`, and a short argument or element by a function that fulfills it.
    ///
    /// ```text
    /// impl<A> T for A where for<'a> A: B<&'a u8>, {}
    /// fn f() { g(&0) }
    /// =>
    /// impl<A> T for A where A: Fn(&u8), {}
    /// fn f() { g(drop) }
    /// ```
    ///
    /// `drop` is a function for one lifetime only, `|_: &u8| {}` for all.
    BOUND_TO_FUNCTION = "bound-to-function", Rule::Tree(bound_to_function);
}

/// How many tokens an argument has at most that a function takes the place of.
const SHORT: usize = 3;

/// How many arguments are tried for a bound.
const ARGUMENTS: usize = 8;

/// What takes one reference.
const BOUND: &str = "Fn(&u8)";

fn bound_to_function(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let bounds: Vec<Edit> = analysis.nodes().filter_map(written).collect();
    if bounds.is_empty() {
        return;
    }
    let arguments: Vec<Node<'_>> = analysis.nodes().filter(is_short_argument).take(ARGUMENTS).collect();
    for bound in bounds {
        for argument in &arguments {
            for value in ["drop", "|_: &u8| {}"] {
                if let Some(edit) = fill(*argument, Filler::Atom, value) {
                    out.edit(bound.range.clone(), vec![bound.clone(), edit]);
                }
            }
        }
    }
}

/// What writes the bound for all lifetimes that `node` is as one of functions.
fn written(node: Node<'_>) -> Option<Edit> {
    match node.syntax() {
        Syntax::WherePredicate(WherePredicate::Type(predicate)) if predicate.lifetimes.is_some() => {
            let ty = node.text_at(range(&predicate.bounded_ty));
            Some(Edit::replace(node.range(), format!("{ty}: {BOUND}")))
        }
        Syntax::TypeParamBound(TypeParamBound::Trait(bound)) if bound.lifetimes.is_some() => {
            Some(Edit::replace(node.range(), BOUND))
        }
        _ => None,
    }
}

fn is_short_argument(node: &Node<'_>) -> bool {
    let (Syntax::Expr(expr), Some(call)) = (node.syntax(), node.parent()) else { return false };
    let values = match call.syntax() {
        Syntax::Expr(Expr::Call(call)) => &call.args,
        Syntax::Expr(Expr::Array(array)) => &array.elems,
        _ => return false,
    };
    let is_argument = values.iter().any(|argument| std::ptr::eq(argument, expr));
    let is_function = matches!(expr, Expr::Closure(closure) if matches!(closure.output, ReturnType::Default));
    is_argument && !is_function && node.tree().source().count(&node.range()) <= SHORT
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn the_bound_changes_with_an_argument() {
        check(
            &BOUND_TO_FUNCTION,
            "fn f<A: for<'a> T<&'a u8, u8>>(a: A) {} fn g() { f(&0, h()) }",
            &[
                "fn f<A: Fn(&u8)>(a: A) {} fn g() { f(drop, h()) }",
                "fn f<A: Fn(&u8)>(a: A) {} fn g() { f(|_: &u8| {}, h()) }",
                "fn f<A: Fn(&u8)>(a: A) {} fn g() { f(&0, drop) }",
                "fn f<A: Fn(&u8)>(a: A) {} fn g() { f(&0, |_: &u8| {}) }",
            ],
        );
    }

    #[test]
    fn elements_of_arrays_are_values_too() {
        check(
            &BOUND_TO_FUNCTION,
            "fn f<A>() where for<'a> A: T<&'a u8, &'a u8> { g(&[&0]); }",
            &["fn f<A>() where A: Fn(&u8) { g(&[drop]); }", "fn f<A>() where A: Fn(&u8) { g(&[|_: &u8| {}]); }"],
        );
    }

    #[test]
    fn other_bounds_and_longer_arguments_stay() {
        check(&BOUND_TO_FUNCTION, "fn f<A: T<'a>>(a: A) where A: U<'b> {} fn g() { f(&0) }", &[]);
        check(&BOUND_TO_FUNCTION, "fn f<A: for<'a> T<&'a u8>>(a: A) {} fn g() { f(&0 + 1 + 2); h.f(1) }", &[]);
        check(&BOUND_TO_FUNCTION, "fn f<A>() where for<'a> A: T<'a> { [1 + 1 + 1]; }", &[]);
    }
}
