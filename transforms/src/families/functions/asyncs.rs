//! `async` that goes everywhere at once, with what awaits it.

use std::ops::Range;

use syn::{Expr, GenericArgument, PathArguments, Type, TypeParamBound};

use crate::names::analysis::Analysis;
use crate::names::functions::Function;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::placement::{Filler, Part, Place};
use crate::syntax::surroundings::awaits;
use crate::syntax::surroundings::child_block;
use crate::syntax::tree::{Node, Syntax, range};
use crate::text::edit::{Edit, outermost};

family! {
    "asyncs", "Drops `async` everywhere at once, with what awaits it.", in Coupled at 6;

    /// Drop every `async` and `.await` of the file.
    ///
    /// ```text
    /// async fn f() -> u8 { async { 1 }.await }
    /// async fn g() { f().await; }
    /// =>
    /// fn f() -> u8 { { 1 } }
    /// fn g() { f(); }
    /// ```
    ///
    /// An alternative replaces each `impl Future<Output = T>` by `T` as well, as the functions that return one do not return
    /// a future any more.
    DROP_ALL_ASYNC = "drop-all-async", Rule::Tree(drop_all_async);

    /// Drop the `async` of a function, with the `.await`s in it and those of its calls.
    ///
    /// ```text
    /// async fn f() { h().await; }
    /// async fn g() { f().await; }
    /// =>
    /// fn f() { h(); }
    /// async fn g() { f(); }
    /// ```
    ///
    /// A function of a trait goes with those of the impls. An alternative leaves the `.await`s in it alone.
    DROP_ASYNC_EVERYWHERE = "drop-async-everywhere", Rule::Tree(drop_async_everywhere);
}

fn drop_all_async(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let (mut edits, mut futures) = (Vec::new(), Vec::new());
    let mut words = 0;
    for node in analysis.nodes() {
        let before = edits.len();
        match node.syntax() {
            Syntax::Signature(signature) => {
                edits.extend(signature.asyncness.iter().map(|asyncness| Edit::delete(range(asyncness))));
            }
            Syntax::Expr(Expr::Closure(expr)) => {
                edits.extend(expr.asyncness.iter().map(|asyncness| Edit::delete(range(asyncness))));
            }
            Syntax::Expr(Expr::Async(_)) => edits.extend(without_async(node).into_iter().flatten()),
            Syntax::Expr(Expr::Await(expr)) => {
                edits.push(Edit::delete(range(&expr.dot_token).start..range(&expr.await_token).end));
            }
            Syntax::Type(ty) => futures.extend(output(ty).map(|output| {
                let site = node.range();
                [Edit::delete(site.start..output.start), Edit::delete(output.end..site.end)]
            })),
            _ => {}
        }
        words += usize::from(edits.len() > before);
    }
    let site = 0..analysis.source().text().len();
    // Alone it is what others propose.
    if words > 1 {
        out.edit(site.clone(), outermost(edits.clone()));
    }
    if !futures.is_empty() {
        edits.extend(futures.into_iter().flatten());
        out.edit(site, outermost(edits));
    }
}

/// The edits that reduce an `async` block to the block.
fn without_async(node: Node<'_>) -> Option<Vec<Edit>> {
    let kept = child_block(node)?.range();
    // The point behind it goes as well, so that the block must be able to stand where the whole does.
    let parent = node.parent()?;
    if matches!(parent.syntax(), Syntax::Expr(Expr::Await(_))) && !Place::of(parent)?.takes(Filler::Block) {
        return None;
    }
    Place::of(node)?.composed(Filler::Block, &[Part::Kept(kept)])
}

/// The bytes of `T` in `impl Future<Output = T>`.
fn output(ty: &Type) -> Option<Range<usize>> {
    let Type::ImplTrait(ty) = ty else { return None };
    let mut bounds = ty.bounds.iter().filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => Some(&bound.path),
        _ => None,
    });
    let segment = bounds.next()?.segments.last().filter(|segment| segment.ident == "Future")?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::AssocType(argument) if argument.ident == "Output" => Some(range(&argument.ty)),
        _ => None,
    }
}

fn drop_async_everywhere(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let functions = analysis.functions();
    for function in functions {
        let kin = function.kin(functions);
        // Of a trait's function and those of the impls, the first stands for all.
        let is_first = kin.first().is_some_and(|first| first.node.row() == function.node.row());
        let Some(asyncness) = function.signature.asyncness.as_ref().filter(|_| is_first) else { continue };
        let words = kin.iter().filter_map(|kin| kin.signature.asyncness.as_ref()).map(range);
        let words: Vec<Range<usize>> = words.collect();
        let calls = awaited_calls(function);
        // Alone it is what `drop-async` proposes.
        if calls.is_empty() && words.len() == 1 {
            continue;
        }
        let without: Vec<Edit> = words.into_iter().chain(calls).map(Edit::delete).collect();
        let inside = kin.iter().flat_map(|kin| awaits(kin.node)).map(Edit::delete);
        let all: Vec<Edit> = without.iter().cloned().chain(inside).collect();
        out.edit(range(asyncness), outermost(all));
        out.edit(range(asyncness), outermost(without));
    }
}

/// The `.await`s of the calls of `function`.
fn awaited_calls(function: &Function<'_>) -> Vec<Range<usize>> {
    let awaited = function.calls().into_iter().filter_map(|call| {
        let parent = call.node.parent()?;
        let Syntax::Expr(Expr::Await(expr)) = parent.syntax() else { return None };
        Some(range(&expr.dot_token).start..range(&expr.await_token).end)
    });
    awaited.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn everything_asynchronous_goes_at_once() {
        check(
            &DROP_ALL_ASYNC,
            "async fn f() { let a = async || 1; let b = async move { 2 }; a().await + b.await; async { 3 }; }",
            &["fn f() { let a = || 1; let b = { 2 }; a() + b; { 3 }; }"],
        );
        check(
            &DROP_ALL_ASYNC,
            "trait T { async fn f(); } impl T for A { async fn f() { g(async { 1 }.await).await } }",
            &["trait T { fn f(); } impl T for A { fn f() { g({ 1 }) } }"],
        );
    }

    #[test]
    fn futures_become_what_they_lead_to() {
        check(
            &DROP_ALL_ASYNC,
            "fn f() -> impl Future<Output = Vec<u8>> + Send { async { a } } fn g() -> impl Fn() {}",
            &["fn f() -> Vec<u8> { { a } } fn g() -> impl Fn() {}"],
        );
    }

    #[test]
    fn calls_are_not_awaited_any_more() {
        check(
            &DROP_ASYNC_EVERYWHERE,
            "async fn f(a: A) { a.await; } async fn g() { f(1).await; f(2); f().await; h(f(3).await).await }",
            &[
                "fn f(a: A) { a; } async fn g() { f(1); f(2); f().await; h(f(3)).await }",
                "fn f(a: A) { a.await; } async fn g() { f(1); f(2); f().await; h(f(3)).await }",
            ],
        );
        check(
            &DROP_ASYNC_EVERYWHERE,
            "trait T { async fn f(&self); } impl T for A { async fn f(&self) {} } impl T for B { async fn f(&self) {} }",
            &["trait T { fn f(&self); } impl T for A { fn f(&self) {} } impl T for B { fn f(&self) {} }"],
        );
    }

    #[test]
    fn what_is_alone_is_for_others() {
        check(&DROP_ALL_ASYNC, "fn f() { g(); }", &[]);
        check(&DROP_ALL_ASYNC, "async fn f() {}", &[]);
        check(&DROP_ASYNC_EVERYWHERE, "async fn f() { g().await } async fn h() { f(); }", &[]);
        check(&DROP_ASYNC_EVERYWHERE, "fn f() {} async fn h() { f().await; }", &[]);
    }
}
