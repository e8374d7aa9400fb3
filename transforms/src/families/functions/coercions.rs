//! Functions that do nothing but coerce what they are given.

use std::collections::HashMap;
use std::ops::Range;

use syn::punctuated::Pair;
use syn::{Expr, FnArg, Item, ItemTrait, Pat, PatType, ReturnType, Type};

use crate::names::analysis::Analysis;
use crate::names::functions::Function;
use crate::rule::proposals::Proposals;
use crate::rule::transform::{Rule, family};
use crate::syntax::occurrences::Occurrence;
use crate::syntax::surroundings::{child_block, mentions, only_expression};
use crate::syntax::tree::{Node, Syntax, range};
use crate::text::edit::{Edit, outermost};

family! {
    "coercions", "Makes constants of functions that coerce.", in Coupled;

    /// Replace a function that only coerces the pointer that it is given by a constant, a coerced null pointer.
    ///
    /// ```text
    /// trait A: Copy { fn f(a: &Vec<Self>) -> &dyn T { a } }
    /// fn g() { u8::f as usize; }
    /// =>
    /// trait A: Copy { const f: *const dyn T = 0 as *const Vec<Self>; }
    /// fn g() { u8::f; }
    /// ```
    ///
    /// Its address and its calls become the constant. It borrows nothing, so that a trait that is the type of something in
    /// it may have to outlive everything: an alternative adds that to the supertraits.
    COERCION_TO_CONST = "coercion-to-const", Rule::Tree(coercion_to_const);
}

fn coercion_to_const(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let functions = analysis.functions();
    let mut times: HashMap<String, usize> = HashMap::new();
    for function in functions {
        *times.entry(function.name()).or_default() += 1;
    }
    for function in functions {
        let name = &function.signature.ident;
        let is_only = times[&function.name()] == 1;
        let Some(constant) = constant(function).filter(|_| is_only) else { continue };
        let uses = analysis.uses(&function.name(), 0..usize::MAX, range(name)).map(|used| read(&used));
        let Some(uses) = uses.collect::<Option<Vec<Edit>>>().filter(|uses| !uses.is_empty()) else { continue };
        let edits: Vec<Edit> = uses.into_iter().chain([Edit::replace(function.node.range(), constant)]).collect();
        let bound = outliving(function);
        out.edit(range(name), outermost(edits.clone()));
        if let Some(bound) = bound {
            out.edit(range(name), outermost(edits.into_iter().chain([bound]).collect()));
        }
    }
}

/// The constant that `function` becomes, if all that it does is to return its only parameter, as another pointer.
fn constant(function: &Function<'_>) -> Option<String> {
    let (node, signature) = (function.node, function.signature);
    let (1, Some(FnArg::Typed(parameter))) = (signature.inputs.len(), signature.inputs.first()) else { return None };
    let ReturnType::Type(_, output) = &signature.output else { return None };
    let returned = only_expression(child_block(node)?)?;
    let Pat::Ident(pat) = &*parameter.pat else { return None };
    if !signature.generics.params.is_empty() || !is_parameter(returned, node.text_at(range(&pat.ident))) {
        return None;
    }
    let [from, to] = [pointed(&parameter.ty)?, pointed(output)?].map(|ty| node.text_at(ty));
    let name = node.text_at(range(&signature.ident));
    (from != to).then(|| format!("const {name}: *const {to} = 0 as *const {from};"))
}

/// Whether `node` is the parameter `name`, or that in a cast.
fn is_parameter(node: Node<'_>, name: &str) -> bool {
    let Syntax::Expr(mut expr) = node.syntax() else { return false };
    if let Expr::Cast(cast) = expr {
        expr = &cast.expr;
    }
    matches!(expr, Expr::Path(path) if path.attrs.is_empty() && path.path.is_ident(name))
}

/// What a reference or pointer points to.
fn pointed(ty: &Type) -> Option<Range<usize>> {
    match ty {
        Type::Reference(ty) => Some(range(&*ty.elem)),
        Type::Ptr(ty) => Some(range(&*ty.elem)),
        _ => None,
    }
}

/// The edit that makes a constant of a function's address or of a call of it; none where it is used otherwise.
fn read(used: &Occurrence<'_>) -> Option<Edit> {
    let path = used.path_end()?.parent()?;
    let parent = path.parent()?;
    let is_use = match parent.syntax() {
        Syntax::Expr(Expr::Cast(cast)) => cast.attrs.is_empty(),
        Syntax::Expr(Expr::Call(call)) => used.call().is_some() && call.args.len() == 1,
        _ => false,
    };
    (is_use && parent.range().start == path.range().start).then(|| Edit::delete(path.range().end..parent.range().end))
}

/// The edit by which the trait of a function, the type of something in its signature, outlives everything.
fn outliving(function: &Function<'_>) -> Option<Edit> {
    let node = function.node.parent()?;
    let Syntax::Item(Item::Trait(item)) = node.syntax() else { return None };
    let Some(FnArg::Typed(PatType { ty, .. })) = function.signature.inputs.first() else { return None };
    let names = ["Self".to_owned()];
    mentions(node.tree().source(), &range(&**ty), &names).then(|| bounded(item))
}

fn bounded(item: &ItemTrait) -> Edit {
    let last = item.supertraits.pairs().next_back();
    let (at, text) = match (last.map(Pair::into_tuple), &item.colon_token) {
        (Some((_, Some(plus))), _) => (range(plus).end, " 'static"),
        (Some((bound, None)), _) => (range(bound).end, " + 'static"),
        (None, Some(colon)) => (range(colon).end, " 'static"),
        (None, None) => (item.generics.gt_token.map_or(range(&item.ident).end, |angle| range(&angle).end), ": 'static"),
    };
    Edit::replace(at..at, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn a_coercion_becomes_a_constant() {
        check(
            &COERCION_TO_CONST,
            "fn f(a: &mut [u8; 2]) -> &[u8] { a } fn g() { f as usize; let b = f(&c); }",
            &["const f: *const [u8] = 0 as *const [u8; 2]; fn g() { f; let b = f; }"],
        );
        check(
            &COERCION_TO_CONST,
            "impl S { fn f(a: *const u8) -> *const dyn T { a as *const dyn T } } fn g() { S::f(h::<u8>()) }",
            &["impl S { const f: *const dyn T = 0 as *const u8; } fn g() { S::f }"],
        );
    }

    #[test]
    fn what_a_trait_is_the_type_of_outlives_everything() {
        check(
            &COERCION_TO_CONST,
            "trait A { fn f(a: &fn(Self)) -> &dyn T { a } } fn g() { u8::f as usize; }",
            &[
                "trait A { const f: *const dyn T = 0 as *const fn(Self); } fn g() { u8::f; }",
                "trait A: 'static { const f: *const dyn T = 0 as *const fn(Self); } fn g() { u8::f; }",
            ],
        );
        check(
            &COERCION_TO_CONST,
            "trait A<T>: B + { fn f(a: &Self) -> &dyn T { a } } fn g() { u8::f(h); }",
            &[
                "trait A<T>: B + { const f: *const dyn T = 0 as *const Self; } fn g() { u8::f; }",
                "trait A<T>: B + 'static { const f: *const dyn T = 0 as *const Self; } fn g() { u8::f; }",
            ],
        );
        check(
            &COERCION_TO_CONST,
            "trait A: { fn f(a: &u8) -> &dyn T { a } } fn g() { u8::f(h); }",
            &["trait A: { const f: *const dyn T = 0 as *const u8; } fn g() { u8::f; }"],
        );
    }

    #[test]
    fn functions_that_do_more_stay() {
        for function in [
            "fn f(a: &u8) -> &dyn T { h(); a }",
            "fn f(a: &u8) -> &dyn T { &a }",
            "fn f(a: &u8) -> &dyn T { b }",
            "fn f(a: &u8) -> &u8 { a }",
            "fn f(a: &u8, b: u8) -> &dyn T { a }",
            "fn f<S>(a: &S) -> &dyn T { a }",
            "fn f(a: Box<u8>) -> Box<dyn T> { a }",
            "fn f(a: &u8) { a }",
        ] {
            check(&COERCION_TO_CONST, &format!("{function} fn g() {{ f(i); }}"), &[]);
        }
    }

    #[test]
    fn functions_that_are_used_otherwise_stay() {
        let function = "fn f(a: &u8) -> &dyn T { a }";
        for used in ["", "let a = f;", "m!(f => 1);", "g(f);", "&f as A;", "x.f(a);"] {
            check(&COERCION_TO_CONST, &format!("{function} fn g() {{ {used} }}"), &[]);
        }
        check(&COERCION_TO_CONST, "trait A { fn f(&self) -> &dyn T { self } } fn g() { u8::f as usize; }", &[]);
        check(
            &COERCION_TO_CONST,
            "trait A { fn f(a: &u8) -> &dyn T { a } } impl A for B { fn f(a: &u8) -> &dyn T { c } } fn g() { B::f(d); }",
            &[],
        );
    }
}
