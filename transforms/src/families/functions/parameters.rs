//! Parameters of functions with the arguments of all calls.

use std::ops::Range;

use syn::{Expr, FnArg, Pat, Type};

use crate::names::references::fill_name;
use crate::names::{Analysis, Call, Function, Reference};
use crate::placeholders::values::of_type;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::surroundings::mentions;
use crate::syntax::{Filler, Node, range};
use crate::text::{Edit, covers, outermost};

family! {
    "parameters", "Deletes parameters of functions with the arguments of all calls.", in Coupled at 1;

    /// Delete a parameter that the body at most passes on to itself, with its argument in every call.
    ///
    /// The function of a trait changes with those of all impls. Calls are told by name and number of arguments; a method
    /// is called as one or by a path.
    DELETE_PARAMETER_AND_ARGUMENTS = "delete-parameter-and-arguments", Rule::Tree(delete_parameter_and_arguments),
        "fn f(a: u8, b: u8) {}\n\
         fn g() { f(1, 2); }"
        => "fn f(b: u8) {}\n\
            fn g() { f(2); }";

    /// Replace a parameter by the constant of all calls or a short value of its type, and delete it with its arguments.
    PARAMETER_TO_VALUE = "parameter-to-value", Rule::Tree(parameter_to_value),
        "fn f(a: u8, b: &str) -> u8 { g(b); a + 1 }\n\
         fn h() { f(i(), \"j\"); }"
        => "fn f(b: &str) -> u8 { g(b); 0 + 1 }\n\
            fn h() { f(\"j\"); }";
}

fn delete_parameter_and_arguments(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    each_parameter(analysis, |parameter| {
        // Without calls it is what `delete-parameter` proposes.
        let is_coupled = !parameter.arguments.is_empty() || parameter.kin.len() > 1;
        let is_unused = |function: &&Function<'_>| is_unused(function, parameter.index, &parameter.arguments);
        if is_coupled && parameter.kin.iter().all(is_unused) {
            out.edit(parameter.site(), parameter.deletion());
        }
    });
}

fn parameter_to_value(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    each_parameter(analysis, |parameter| {
        if out.is_full() {
            return;
        }
        let Some(FnArg::Typed(typed)) = parameter.kin.first().map(|first| &first.signature.inputs[parameter.index])
        else {
            return;
        };
        let constant = parameter.constant();
        let short = values(parameter.kin[0].node, &typed.ty);
        let others = short.iter().filter(|value| Some(*value) != constant.as_ref());
        for value in constant.iter().chain(others) {
            let uses: Option<Vec<_>> =
                parameter.kin.iter().map(|function| valued(function, parameter, value)).collect();
            // An unused parameter needs no value.
            if let Some(uses) = uses.map(|uses| uses.concat()).filter(|uses| !uses.is_empty()) {
                let edits = parameter.deletion().into_iter().chain(uses).collect();
                out.edit(parameter.site(), outermost(edits));
            }
        }
    });
}

/// A parameter of a function and of all that must have the same signature.
struct Parameter<'a, 't> {
    kin: Vec<&'a Function<'t>>,
    index: usize,
    calls: &'a [Call<'t>],
    arguments: Vec<Range<usize>>,
}

impl Parameter<'_, '_> {
    fn site(&self) -> Range<usize> {
        self.kin[0].parameters().elements[self.index].clone()
    }

    /// The literal that all calls pass.
    fn constant(&self) -> Option<String> {
        let node = self.kin[0].node;
        let text = |argument: &Range<usize>| node.tree().source().text()[argument.clone()].trim();
        let first = text(self.arguments.first()?);
        let is_literal = matches!(syn::parse_str(first).ok()?, Expr::Lit(_));
        (is_literal && self.arguments.iter().all(|argument| text(argument) == first)).then(|| first.to_owned())
    }

    /// The edits that delete it with its arguments.
    fn deletion(&self) -> Vec<Edit> {
        let mut edits: Vec<Edit> =
            self.kin.iter().flat_map(|function| function.parameters().without(self.index)).collect();
        for call in self.calls {
            edits.extend(call.arguments.without(self.index - usize::from(call.is_method)));
        }
        outermost(edits)
    }
}

fn each_parameter(analysis: &Analysis<'_>, mut propose: impl FnMut(&Parameter<'_, '_>)) {
    let functions = analysis.functions();
    for function in functions.iter().filter(|function| !function.signature.inputs.is_empty()) {
        let kin = function.kin(functions);
        // The first one proposes for all.
        if kin.first().is_some_and(|first| first.node.row() != function.node.row()) {
            continue;
        }
        let calls: Vec<_> = kin.iter().flat_map(|function| function.calls()).collect();
        for index in 0..function.signature.inputs.len() {
            let argument =
                |call: &Call<'_>| call.arguments.elements.get(index.checked_sub(usize::from(call.is_method))?).cloned();
            let arguments: Vec<Range<usize>> = calls.iter().filter_map(argument).collect();
            // The receiver of a method call is no argument.
            let is_receiver = matches!(function.signature.inputs[index], FnArg::Receiver(_));
            if !is_receiver || calls.iter().all(|call| !call.is_method) {
                propose(&Parameter { kin: kin.clone(), index, calls: &calls, arguments });
            }
        }
    }
}

/// Short values of the type `ty`, which is written in `node`.
fn values(node: Node<'_>, ty: &Type) -> Vec<String> {
    match ty {
        Type::Ptr(ptr) if matches!(*ptr.elem, Type::Path(_)) => vec![format!("0 as {}", node.text_at(range(ty)))],
        Type::Reference(reference) if of_type(ty).is_empty() => {
            let taken = if reference.mutability.is_some() { "&mut " } else { "&" };
            of_type(&reference.elem).iter().map(|value| format!("{taken}{value}")).collect()
        }
        _ => of_type(ty).iter().map(ToString::to_string).collect(),
    }
}

/// The edits that put `value` in the place of the parameter in the body of `function`; `None` where it cannot stand.
fn valued(function: &Function<'_>, parameter: &Parameter<'_, '_>, value: &str) -> Option<Vec<Edit>> {
    let FnArg::Typed(typed) = &function.signature.inputs[parameter.index] else { return None };
    let ident = match &*typed.pat {
        Pat::Wild(_) => return Some(Vec::new()),
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => &pat.ident,
        _ => return None,
    };
    let body = function.behind_signature();
    let expr: Expr = syn::parse_str(value).ok()?;
    let is_argument = |used: &Range<usize>| parameter.arguments.iter().any(|argument| covers(argument, used));
    let uses = function.node.tree().uses(&ident.to_string(), body, range(ident));
    let uses = uses.filter(|used| Reference::of(used).is_some() && !is_argument(&used.range));
    uses.map(|used| fill_name(&used, Filler::Expr(&expr), value, matches!(expr, Expr::Lit(_) | Expr::Path(_))))
        .collect()
}

/// Whether the parameter at `index` is one that the function does not mention but in `arguments`, which go with it.
fn is_unused(function: &Function<'_>, index: usize, arguments: &[Range<usize>]) -> bool {
    let names = match &function.signature.inputs[index] {
        FnArg::Receiver(_) => ["self".to_owned()],
        FnArg::Typed(parameter) => match &*parameter.pat {
            Pat::Wild(_) => return true,
            Pat::Ident(pat) => [pat.ident.to_string()],
            _ => return false,
        },
    };
    let own = function.node.range();
    let mut inside: Vec<&Range<usize>> = arguments.iter().filter(|range| covers(&own, range)).collect();
    inside.sort_by_key(|range| range.start);
    let source = function.node.tree().source();
    let mut start = function.behind_signature().start;
    for argument in inside {
        if mentions(source, &(start..argument.start.max(start)), &names) {
            return false;
        }
        start = argument.end.max(start);
    }
    !mentions(source, &(start..function.node.range().end), &names)
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
    fn a_receiver_goes_where_no_method_is_called() {
        check(
            &DELETE_PARAMETER_AND_ARGUMENTS,
            "trait T { fn f(&self); } impl T for A { fn f(&self) { g() } } fn h() { T::f(a) }",
            &["trait T { fn f(); } impl T for A { fn f() { g() } } fn h() { T::f() }"],
        );
        check(&DELETE_PARAMETER_AND_ARGUMENTS, "impl A { fn f(&self) {} } fn g() { a.f(); A::f(a) }", &[]);
        check(&DELETE_PARAMETER_AND_ARGUMENTS, "impl A { fn f(&self) { self } } fn g() { A::f(a) }", &[]);
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
    fn a_value_stands_for_a_parameter() {
        check(
            &PARAMETER_TO_VALUE,
            "fn f(a: u8, b: &str) { a + a.c(b, S { a }); m!(=> a, b) } fn g() { f(1, h()); }",
            &[
                "fn f(b: &str) { 1 + 1.c(b, S { a: 1 }); m!(=> 1, b) } fn g() { f(h()); }",
                "fn f(b: &str) { 0 + 0.c(b, S { a: 0 }); m!(=> 0, b) } fn g() { f(h()); }",
                "fn f(a: u8) { a + a.c(\"\", S { a }); m!(=> a, \"\") } fn g() { f(1); }",
            ],
        );
        check(
            &PARAMETER_TO_VALUE,
            "fn f(a: bool) -> bool { a }",
            &["fn f() -> bool { true }", "fn f() -> bool { false }"],
        );
    }

    #[test]
    fn the_value_stands_in_every_impl() {
        check(
            &PARAMETER_TO_VALUE,
            "trait T { fn f(&self, a: u8); } impl T for A { fn f(&self, b: u8) { b.b } } impl T for B { fn f(&self, _: u8) {} } fn g() { h.f(1) }",
            &[
                "trait T { fn f(&self); } impl T for A { fn f(&self) { 1.b } } impl T for B { fn f(&self) {} } fn g() { h.f() }",
                "trait T { fn f(&self); } impl T for A { fn f(&self) { 0.b } } impl T for B { fn f(&self) {} } fn g() { h.f() }",
            ],
        );
    }

    #[test]
    fn pointers_and_references_have_values() {
        check(
            &PARAMETER_TO_VALUE,
            "fn f<T>(a: *const T, b: &u8) { g(a + 1); b.c() }",
            &["fn f<T>(b: &u8) { g(0 as *const T + 1); b.c() }", "fn f<T>(a: *const T) { g(a + 1); (&0).c() }"],
        );
    }

    #[test]
    fn what_has_no_value_or_is_assigned_to_stays() {
        check(&PARAMETER_TO_VALUE, "fn f(a: A, b: &A, (c, d): (u8, u8)) { a + b + c + d }", &[]);
        check(&PARAMETER_TO_VALUE, "fn f(a: u8) { let a = 1; a } fn g(b: u8) {} fn h(s: Vec<A>) { m!(=> s) }", &[]);
        check(&PARAMETER_TO_VALUE, "fn f(a: String) { a; a; a; a }", &[]);
    }

    #[test]
    fn without_calls_there_is_nothing_coupled() {
        check(&DELETE_PARAMETER_AND_ARGUMENTS, "fn f(a: A) {} fn g() { h(1); f(1, 2); a.f(1) }", &[]);
        check(&DELETE_PARAMETER_AND_ARGUMENTS, "fn f() {} fn g() { f() }", &[]);
        check(&DELETE_PARAMETER_AND_ARGUMENTS, "impl A { fn f(self) {} fn g(self) { self.f() } }", &[]);
    }
}
