//! Functions that take the place of an empty `main`.

use syn::{Block, FnArg, Item, ReturnType, Safety};

use crate::names::analysis::Analysis;
use crate::names::functions::{Function, Home};
use crate::placeholders::constructors::Constructors;
use crate::placeholders::values;
use crate::rule::proposals::Proposals;
use crate::rule::transform::{Rule, family};
use crate::syntax::generics::inside;
use crate::syntax::tree::{Syntax, range};
use crate::text::edit::{Edit, outermost};

family! {
    "mains", "Puts functions in the place of an empty `main`.", in Coupled;

    /// Make another function `main` instead of an empty one, with variables for its parameters.
    ///
    /// ```text
    /// struct S;
    /// fn f(a: S) { g(a) }
    /// fn main() {}
    /// =>
    /// struct S;
    /// fn main() { let a = S; g(a) }
    /// ```
    ///
    /// Variables have the shortest values of the parameters' types; an alternative writes the types.
    FUNCTION_TO_MAIN = "function-to-main", Rule::Tree(function_to_main);
}

fn function_to_main(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let functions = analysis.functions();
    let is_empty = |function: &&Function<'_>| {
        function.name() == "main" && body(function).is_some_and(|body| body.stmts.is_empty())
    };
    let Some(main) = functions.iter().find(is_empty) else { return };
    let values = Constructors::of(analysis);
    for function in functions.iter().filter(|function| can_be_main(function)) {
        let Some(body) = body(function) else { continue };
        let uses: Vec<_> = analysis.uses(&function.name(), 0..usize::MAX, range(&function.signature.ident)).collect();
        let parameters = &function.signature.inputs;
        if !parameters.is_empty() && !uses.is_empty() {
            continue;
        }
        let names = uses.into_iter().map(|occurrence| occurrence.range).chain([range(&function.signature.ident)]);
        let mut edits: Vec<Edit> = names.map(|name| Edit::replace(name, "main")).collect();
        edits.push(Edit::delete(main.node.range()));
        edits.push(Edit::delete(inside(function.signature.paren_token.span)));
        for typed in [false, true] {
            let lets: Option<String> =
                parameters.iter().map(|parameter| variable(function, parameter, &values, typed)).collect();
            let Some(lets) = lets else { continue };
            let open = body.brace_token.span.open().byte_range();
            let opened = Edit::replace(open, format!("{{{lets}"));
            out.edit(range(&function.signature.ident), outermost([edits.clone(), vec![opened]].concat()));
        }
    }
}

/// The body of a function at the root of the file.
fn body<'t>(function: &Function<'t>) -> Option<&'t Block> {
    let is_root = matches!(function.node.parent()?.syntax(), Syntax::File(_));
    match function.node.syntax() {
        Syntax::Item(Item::Fn(item)) if is_root && function.home == Home::Module => Some(&item.block),
        _ => None,
    }
}

/// Whether a function is what `main` may be, but for its parameters.
fn can_be_main(function: &Function<'_>) -> bool {
    let signature = function.signature;
    let returns = match &signature.output {
        ReturnType::Type(_, ty) => !values::is_unit(ty),
        ReturnType::Default => false,
    };
    let has_modifiers = signature.asyncness.is_some() || signature.abi.is_some() || signature.constness.is_some();
    let is_unsafe = !matches!(signature.safety, Safety::Default);
    let generics = &signature.generics;
    let is_generic = generics.lt_token.is_some() || generics.where_clause.is_some();
    function.name() != "main" && !returns && !has_modifiers && !is_unsafe && !is_generic
}

/// The variable that stands for `parameter`.
fn variable(function: &Function<'_>, parameter: &FnArg, values: &Constructors<'_>, typed: bool) -> Option<String> {
    let FnArg::Typed(parameter) = parameter else { return None };
    let value = values.value(&parameter.ty, "")?;
    let text = |range| function.node.text_at(range);
    let ty = if typed { format!(": {}", text(range(&*parameter.ty))) } else { String::new() };
    Some(format!(" let {}{ty} = {value};", text(range(&*parameter.pat))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn parameters_become_variables() {
        check(
            &FUNCTION_TO_MAIN,
            "enum E { A } #[a] pub fn f(mut a: E, b: u8) { c; } fn main() {}",
            &["enum E { A } #[a] pub fn main() { let mut a = E::A; let b = 0; c; }"],
        );
        check(
            &FUNCTION_TO_MAIN,
            "fn f(a: bool) {} fn main() {}",
            &["fn main() { let a = true; }", "fn main() { let a: bool = true; }"],
        );
    }

    #[test]
    fn functions_without_parameters_may_be_called() {
        check(
            &FUNCTION_TO_MAIN,
            "fn f() -> () { f(); g() } fn g() { f() } fn main() {}",
            &["fn main() -> () { main(); g() } fn g() { main() }", "fn f() -> () { f(); main() } fn main() { f() }"],
        );
    }

    #[test]
    fn a_main_that_does_something_stays() {
        check(&FUNCTION_TO_MAIN, "fn f() {} fn main() { f() }", &[]);
        check(&FUNCTION_TO_MAIN, "fn f() {} mod m { fn main() {} }", &[]);
    }

    #[test]
    fn what_cannot_be_main_stays() {
        check(&FUNCTION_TO_MAIN, "fn main() {} fn f<T>() {} unsafe fn g() {} async fn h() {} fn i() -> u8 { 0 }", &[]);
        check(
            &FUNCTION_TO_MAIN,
            "fn main() {} struct S(u8); fn f(s: S) {} fn g(a: u8) { g(1) } mod m { fn h() {} }",
            &[],
        );
    }
}
