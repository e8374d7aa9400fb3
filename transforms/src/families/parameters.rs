//! Parameters of functions with the arguments of all calls.

use std::ops::Range;

use syn::{FnArg, Pat};

use crate::edit::{Edit, outermost};
use crate::functions::{Call, Function, functions};
use crate::proposals::Proposals;
use crate::surroundings::mentions;
use crate::transform::{Rule, family};
use crate::tree::{Node, Tree, range};

family! {
    "parameters", "Deletes parameters of functions with the arguments of all calls.";

    /// Delete a parameter that the body at most passes on to itself, with its argument in every call.
    ///
    /// ```text
    /// fn f(a: u8, b: u8) {}
    /// fn g() { f(1, 2); }
    /// =>
    /// fn f(b: u8) {}
    /// fn g() { f(2); }
    /// ```
    ///
    /// The function of a trait changes with those of all impls. Calls are told by name and number of arguments; a method
    /// is called as one or by a path.
    DELETE_PARAMETER_AND_ARGUMENTS = "delete-parameter-and-arguments", Rule::Tree(delete_parameter_and_arguments);
}

fn delete_parameter_and_arguments(tree: &Tree<'_>, out: &mut Proposals<'_>) {
    let functions = functions(tree);
    for function in &functions {
        let kin = function.kin(&functions);
        // The first one proposes for all.
        if kin.first().is_some_and(|first| first.node.row() != function.node.row()) {
            continue;
        }
        let calls: Vec<_> = kin.iter().flat_map(|function| function.calls(tree)).collect();
        for index in 0..function.signature.inputs.len() {
            let argument =
                |call: &Call<'_>| call.arguments.elements.get(index.checked_sub(usize::from(call.is_method))?).cloned();
            let arguments: Vec<Range<usize>> = calls.iter().filter_map(argument).collect();
            if kin.iter().any(|function| !is_unused(function, index, &arguments)) {
                continue;
            }
            let mut edits: Vec<Edit> = kin.iter().flat_map(|function| function.parameters().without(index)).collect();
            for call in &calls {
                edits.extend(call.arguments.without(index - usize::from(call.is_method)));
            }
            // Without calls it is what `delete-parameter` proposes.
            if !calls.is_empty() || kin.len() > 1 {
                out.edit(function.parameters().elements[index].clone(), outermost(edits));
            }
        }
    }
}

/// Whether the parameter at `index` is one that the function does not mention but in `arguments`, which go with it.
fn is_unused(function: &Function<'_>, index: usize, arguments: &[Range<usize>]) -> bool {
    let FnArg::Typed(parameter) = &function.signature.inputs[index] else { return false };
    let names = match &*parameter.pat {
        Pat::Wild(_) => return true,
        Pat::Ident(pat) => [pat.ident.to_string()],
        _ => return false,
    };
    let mut inside: Vec<&Range<usize>> = arguments.iter().filter(|range| contains(function.node, range)).collect();
    inside.sort_by_key(|range| range.start);
    let source = function.node.tree().source();
    let mut start = range(&function.signature).end;
    for argument in inside {
        if mentions(source, &(start..argument.start.max(start)), &names) {
            return false;
        }
        start = argument.end.max(start);
    }
    !mentions(source, &(start..function.node.range().end), &names)
}

fn contains(node: Node<'_>, range: &Range<usize>) -> bool {
    node.range().start <= range.start && range.end <= node.range().end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn arguments_go_with_their_parameter() {
        check(
            &DELETE_PARAMETER_AND_ARGUMENTS,
            "fn f(_: A, b: B) {} fn g() { f(1, f(2, 3)) }",
            &["fn f(b: B) {} fn g() { f(f(3)) }", "fn f(_: A) {} fn g() { f(1) }"],
        );
    }

    #[test]
    fn methods_are_called_with_and_without_a_point() {
        check(
            &DELETE_PARAMETER_AND_ARGUMENTS,
            "impl A { fn f(&self, b: B) {} } fn g() { a.f(1); A::f(a, 2); a.f(); }",
            &["impl A { fn f(&self) {} } fn g() { a.f(); A::f(a); a.f(); }"],
        );
    }

    #[test]
    fn a_trait_changes_with_its_impls() {
        check(
            &DELETE_PARAMETER_AND_ARGUMENTS,
            "trait T { fn f(a: A); } impl T for B { fn f(b: A) {} } impl T for C { fn f(_: A) {} }",
            &["trait T { fn f(); } impl T for B { fn f() {} } impl T for C { fn f() {} }"],
        );
    }

    #[test]
    fn a_parameter_that_is_used_stays() {
        check(&DELETE_PARAMETER_AND_ARGUMENTS, "fn f(a: A) { a } fn g() { f(1) }", &[]);
        check(&DELETE_PARAMETER_AND_ARGUMENTS, "fn f(a: A) { println!(\"{a}\") } fn g() { f(1) }", &[]);
        check(&DELETE_PARAMETER_AND_ARGUMENTS, "fn f((a, b): A) {} fn g() { f(1) }", &[]);
        check(&DELETE_PARAMETER_AND_ARGUMENTS, "trait T { fn f(a: A); } impl T for B { fn f(b: A) { b } }", &[]);
    }

    #[test]
    fn what_is_only_passed_on_to_itself_is_not_used() {
        check(
            &DELETE_PARAMETER_AND_ARGUMENTS,
            "fn f(a: A, b: &B, c: C) { f(g(a), b, f(a, b, 1)); c }",
            &["fn f(b: &B, c: C) { f(b, f(b, 1)); c }", "fn f(a: A, c: C) { f(g(a), f(a, 1)); c }"],
        );
        check(
            &DELETE_PARAMETER_AND_ARGUMENTS,
            "impl S { fn f(&self, a: A) { self.f(a); Self::f(self, h(a)) } }",
            &["impl S { fn f(&self) { self.f(); Self::f(self) } }"],
        );
        check(&DELETE_PARAMETER_AND_ARGUMENTS, "fn f(a: A, b: B) { f(b, a) }", &[]);
    }

    #[test]
    fn without_calls_there_is_nothing_coupled() {
        check(&DELETE_PARAMETER_AND_ARGUMENTS, "fn f(a: A) {} fn g() { h(1); f(1, 2); a.f(1) }", &[]);
        check(&DELETE_PARAMETER_AND_ARGUMENTS, "fn f() {} fn g() { f() }", &[]);
        check(&DELETE_PARAMETER_AND_ARGUMENTS, "impl A { fn f(self) {} fn g(self) { self.f() } }", &[]);
    }
}
