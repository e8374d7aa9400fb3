//! Parameters of functions with the arguments of all calls.

use syn::{FnArg, Pat};

use crate::edit::{Edit, outermost};
use crate::functions::{Function, functions};
use crate::proposals::Proposals;
use crate::surroundings::mentions;
use crate::transform::{Rule, family};
use crate::tree::{Tree, range};

family! {
    "parameters", "Deletes parameters of functions with the arguments of all calls.";

    /// Delete a parameter that the body does not mention, with its argument in every call.
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
            if kin.iter().any(|function| !is_unused(function, index)) {
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

/// Whether the parameter at `index` is one that the function does not mention.
fn is_unused(function: &Function<'_>, index: usize) -> bool {
    let FnArg::Typed(parameter) = &function.signature.inputs[index] else { return false };
    let names = match &*parameter.pat {
        Pat::Wild(_) => return true,
        Pat::Ident(pat) => [pat.ident.to_string()],
        _ => return false,
    };
    let body = range(&function.signature).end..function.node.range().end;
    !mentions(function.node.tree().source(), &body, &names)
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
    fn without_calls_there_is_nothing_coupled() {
        check(&DELETE_PARAMETER_AND_ARGUMENTS, "fn f(a: A) {} fn g() { h(1); f(1, 2); a.f(1) }", &[]);
        check(&DELETE_PARAMETER_AND_ARGUMENTS, "fn f() {} fn g() { f() }", &[]);
        check(&DELETE_PARAMETER_AND_ARGUMENTS, "impl A { fn f(self) {} fn g(self) { self.f() } }", &[]);
    }
}
