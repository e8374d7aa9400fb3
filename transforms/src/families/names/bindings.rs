//! Bindings that give way to their value.

use syn::{Expr, Local, Pat, Type};

use crate::names::references::{Reference, fill_name};
use crate::rule::proposals::Proposals;
use crate::rule::transform::{Rule, family};
use crate::syntax::placement::Filler;
use crate::syntax::precedence::{self, Precedence};
use crate::syntax::surroundings::{bindings, mentions};
use crate::syntax::tree::{Node, Syntax, range};
use crate::text::edit::Edit;

family! {
    "bindings", "Puts values in the place of the names they are bound to.", in Bindings;

    /// Replace a name that is bound by `let` and used once by its value.
    ///
    /// ```text
    /// fn f() { let a = 1 + 2; g(a * 3); }
    /// =>
    /// fn f() { g((1 + 2) * 3); }
    /// ```
    INLINE_BINDING = "inline-binding", Rule::Node(inline_binding);

    /// Replace a name of a written type that is bound by `let` and not used by a cast of its value.
    ///
    /// ```text
    /// fn f(a: &u8) { let b: &dyn T = a; }
    /// =>
    /// fn f(a: &u8) { a as &dyn T; }
    /// ```
    BINDING_TO_CAST = "binding-to-cast", Rule::Node(binding_to_cast);
}

fn binding_to_cast(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::Local(local) = node.syntax()
        && let Some(stmt) = node.parent()
        && let Pat::Type(pat) = &local.pat
        && let Some(init) = local.init.as_ref().filter(|init| init.diverge.is_none())
        && !matches!(*pat.ty, Type::Infer(_))
        && is_unused(stmt, &pat.pat)
    {
        let mut firsts = std::iter::successors(Some(&*init.expr), |expr| precedence::first(expr));
        let fits = Precedence::of_operand(&init.expr) >= Precedence::Cast && !firsts.any(precedence::is_block_like);
        let (open, close) = if fits { ("", "") } else { ("(", ")") };
        let (value, ty) = (stmt.text_at(range(&*init.expr)), stmt.text_at(range(&*pat.ty)));
        out.replace(stmt.range(), format!("{open}{value}{close} as {ty};"));
    }
}

/// Whether what `pat` binds in `stmt` is not mentioned after it.
fn is_unused(stmt: Node<'_>, pat: &Pat) -> bool {
    let Some(block) = stmt.parent() else { return false };
    !mentions(stmt.tree().source(), &(stmt.range().end..block.range().end), &bindings(pat))
}

fn inline_binding(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::Local(local) = node.syntax()
        && let Some(stmt) = node.parent()
        && let Some(edit) = inlined(stmt, local)
    {
        out.edit(stmt.range(), vec![Edit::delete(stmt.range()), edit]);
    }
}

/// The edit that puts the value where the name stands, if that is one place.
fn inlined(stmt: Node<'_>, local: &Local) -> Option<Edit> {
    let pat = match &local.pat {
        Pat::Type(pat) => &*pat.pat,
        pat => pat,
    };
    let Pat::Ident(pat) = pat else { return None };
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    if pat.by_ref.is_some() || pat.subpat.is_some() {
        return None;
    }
    let name = stmt.text_at(range(&pat.ident));
    let rest = stmt.range().end..stmt.parent()?.range().end;
    let mut uses = stmt.tree().uses(name, rest, 0..0).filter(|occurrence| Reference::of(occurrence).is_some());
    let (Some(occurrence), None) = (uses.next(), uses.next()) else { return None };
    let is_literal = matches!(*init.expr, Expr::Lit(_));
    fill_name(&occurrence, Filler::Expr(&init.expr), stmt.text_at(range(&*init.expr)), is_literal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn a_value_takes_the_place_of_its_name() {
        check(&INLINE_BINDING, "fn f() { let mut a: u8 = b(); a.c(d) }", &["fn f() { b().c(d) }"]);
        check(&INLINE_BINDING, "fn f() { let a = |b| b; a(1) }", &["fn f() { (|b| b)(1) }"]);
        check(&INLINE_BINDING, "fn f() { let a = S { b }; if a == c {} }", &["fn f() { if (S { b }) == c {} }"]);
    }

    #[test]
    fn a_field_of_the_same_name_gets_its_value() {
        check(&INLINE_BINDING, "fn f() { let a = 1; S { a } }", &["fn f() { S { a: 1 } }"]);
    }

    #[test]
    fn a_literal_stands_among_bare_tokens() {
        check(&INLINE_BINDING, "fn f() { let a = 1; m!(=> a) }", &["fn f() { m!(=> 1) }"]);
    }

    #[test]
    fn bindings_in_a_row_are_inlined_one_by_one() {
        check(
            &INLINE_BINDING,
            "fn f() { let a = 1; let b = -a; b }",
            &["fn f() { let b = -1; b }", "fn f() { let a = 1; -a; }"],
        );
    }

    #[test]
    fn a_cast_tells_the_type_of_a_value() {
        check(
            &BINDING_TO_CAST,
            "fn f() { let a: &dyn A = &b; let _: u8 = c + d; let (e, g): B<C> = loop {}; h(); }",
            &[
                "fn f() { &b as &dyn A; let _: u8 = c + d; let (e, g): B<C> = loop {}; h(); }",
                "fn f() { let a: &dyn A = &b; (c + d) as u8; let (e, g): B<C> = loop {}; h(); }",
                "fn f() { let a: &dyn A = &b; let _: u8 = c + d; (loop {}) as B<C>; h(); }",
            ],
        );
    }

    #[test]
    fn without_a_type_or_with_a_use_there_is_no_cast() {
        check(&BINDING_TO_CAST, "fn f() { let a = b; let c: _ = d; let e: u8; let g: u8 = h else { i() }; }", &[]);
        check(&BINDING_TO_CAST, "fn f() { let a: u8 = b; println!(\"{a}\"); }", &[]);
    }

    #[test]
    fn what_is_used_twice_or_never_stays() {
        check(&INLINE_BINDING, "fn f() { let a = 1; a + a }", &[]);
        check(&INLINE_BINDING, "fn f() { let a = 1; b.a; b.a(); } fn g() { a }", &[]);
    }

    #[test]
    fn what_is_no_plain_binding_or_use_stays() {
        check(&INLINE_BINDING, "fn f() { let (a,) = b; a }", &[]);
        check(&INLINE_BINDING, "fn f() { let ref a = b; a }", &[]);
        check(&INLINE_BINDING, "fn f() { let a; a }", &[]);
        check(&INLINE_BINDING, "fn f() { let a = b else { c() }; a }", &[]);
        check(&INLINE_BINDING, "fn f() { let a = b; m!(=> a) }", &[]);
    }
}
