//! Casts that are written elsewhere, or as several.

use syn::{Expr, Pat, ReturnType, Stmt, Type};

use crate::names::analysis::Analysis;
use crate::names::definitions::is_of_trait;
use crate::names::functions::Function;
use crate::names::references::fill;
use crate::placeholders::values::of_type;
use crate::rule::proposals::Proposals;
use crate::rule::transform::{Rule, family};
use crate::syntax::placement::Filler;
use crate::syntax::precedence;
use crate::syntax::surroundings::{child_block, signature};
use crate::syntax::tree::{Node, Syntax, range};
use crate::text::edit::Edit;

family! {
    "casts", "Writes casts in another way.", in Coupled;

    /// Return what is cast or bound last, with its type as the return type.
    ///
    /// ```text
    /// fn f(a: &S) { a as &dyn T; }
    /// =>
    /// fn f(a: &S) -> &dyn T { a }
    /// ```
    ///
    /// What is returned is coerced like what is cast.
    RETURN_CAST = "return-cast", Rule::Tree(return_cast);

    /// Replace a cast to a tuple by a tuple of values with one cast.
    ///
    /// ```text
    /// fn f() { a() as (u8, S); }
    /// =>
    /// fn f() { (0, a() as S); }
    /// ```
    CAST_IN_TUPLE = "cast-in-tuple", Rule::Node(cast_in_tuple);
}

fn return_cast(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    for node in analysis.nodes() {
        return_last_cast(node, analysis, out);
    }
}

/// Proposes it for the function `node`.
fn return_last_cast(node: Node<'_>, analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let Some(signature) = signature(node) else { return };
    let (ReturnType::Default, false) = (&signature.output, signature.ident == "main") else { return };
    let Some(body) = child_block(node) else { return };
    let Syntax::Block(block) = body.syntax() else { return };
    let (value, ty) = match block.stmts.last() {
        Some(Stmt::Expr(Expr::Cast(cast), _)) if cast.attrs.is_empty() => (&*cast.expr, &*cast.ty),
        Some(Stmt::Local(local)) if local.attrs.is_empty() => {
            let (Some(init), Pat::Type(pat)) = (&local.init, &local.pat) else { return };
            if init.diverge.is_some() {
                return;
            }
            (&*init.expr, &*pat.ty)
        }
        _ => return,
    };
    // At the beginning of a statement it would end early.
    if precedence::is_cut(value) || matches!(ty, Type::Infer(_)) {
        return;
    }
    let is_fixed = is_of_trait(node) && !is_provided_only(node, analysis, &signature.ident.to_string());
    if is_fixed {
        return;
    }
    let Some(stmt) = body.children().last().map(Node::range) else { return };
    let end = signature.paren_token.span.close().byte_range().end;
    let kept = range(value);
    let ty = format!(" -> {}", node.text_at(range(ty)));
    out.edit(
        stmt.clone(),
        vec![Edit::replace(end..end, ty), Edit::delete(stmt.start..kept.start), Edit::delete(kept.end..stmt.end)],
    );
}

/// Whether `node` is a function of a trait that no impl has, told by its name.
fn is_provided_only(node: Node<'_>, analysis: &Analysis<'_>, name: &str) -> bool {
    let mut named = analysis.functions().iter().filter(|function| function.signature.ident == name);
    let is_in_impl = |function: &Function<'_>| matches!(function.node.syntax(), Syntax::ImplItem(_));
    matches!(node.syntax(), Syntax::TraitItem(_)) && !named.any(is_in_impl)
}

fn cast_in_tuple(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Expr(Expr::Cast(cast)) = node.syntax() else { return };
    let (Type::Tuple(tuple), true) = (&*cast.ty, cast.attrs.is_empty()) else { return };
    let values: Vec<&str> = tuple.elems.iter().map(|ty| of_type(ty).first().copied().unwrap_or("()")).collect();
    let value = node.text_at(range(&*cast.expr));
    for (index, ty) in tuple.elems.iter().enumerate().filter(|_| values.len() > 1) {
        let cast = format!("{value} as {}", node.text_at(range(ty)));
        let mut slots = values.clone();
        slots[index] = &cast;
        if let Some(edit) = fill(node, Filler::Atom, &format!("({})", slots.join(", "))) {
            out.edit(node.range(), vec![edit]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn what_is_cast_last_is_returned() {
        check(
            &RETURN_CAST,
            "fn f<T>(a: &T) where T: A { g(); a as &dyn A; }",
            &["fn f<T>(a: &T) -> &dyn A where T: A { g(); a }"],
        );
        check(
            &RETURN_CAST,
            "impl S { fn f(self) { let a: B = self.c; } fn g() { (1 + 2) as u8; } }",
            &[
                "impl S { fn f(self) -> B { self.c } fn g() { (1 + 2) as u8; } }",
                "impl S { fn f(self) { let a: B = self.c; } fn g() -> u8 { (1 + 2) } }",
            ],
        );
    }

    #[test]
    fn functions_that_a_trait_provides_return_it_if_no_impl_does() {
        check(&RETURN_CAST, "trait T { fn f(a: &A) { a as &dyn B; } }", &["trait T { fn f(a: &A) -> &dyn B { a } }"]);
        check(&RETURN_CAST, "trait T { fn f(a: &A) { a as &dyn B; } } impl T for C { fn f(a: &A) {} }", &[]);
    }

    #[test]
    fn what_is_not_last_or_cannot_be_returned_stays() {
        check(&RETURN_CAST, "fn f() { a as u8; b(); } fn main() { a as u8; } fn g() -> u8 { a as u8 }", &[]);
        check(
            &RETURN_CAST,
            "fn f() { let a: u8; } fn g() { let a = 1; } fn h() { let Some(b): A = c else { d() }; }",
            &[],
        );
        check(&RETURN_CAST, "fn f() { let a: u8 = match b {} + 1; } impl T for S { fn f() { a as u8; } }", &[]);
        check(&RETURN_CAST, "fn f() { || a as u8; } fn g() { let a: _ = b; }", &[]);
    }

    #[test]
    fn each_slot_is_cast_to_its_type() {
        check(
            &CAST_IN_TUPLE,
            "fn f() -> A { g(a as (u16, u8)) }",
            &["fn f() -> A { g((a as u16, 0)) }", "fn f() -> A { g((0, a as u8)) }"],
        );
        // A type without a short value becomes `()`, which is longer.
        check(&CAST_IN_TUPLE, "fn f() { a as (u8, S); }", &["fn f() { (0, a as S); }"]);
    }

    #[test]
    fn other_casts_stay() {
        check(&CAST_IN_TUPLE, "fn f() { a as u8; b as (S,); c as (); }", &[]);
        check(&CAST_IN_TUPLE, "fn f() { let a: (u8, S) = b; m!(c as (S)); }", &[]);
    }
}
