//! Bindings that give way to their value.

use syn::{Expr, Local, Pat};

use crate::names::references::{Reference, fill_name};
use crate::rule::{Proposals, Rule, family};
use crate::syntax::placement::Filler;
use crate::syntax::tree::{Node, Syntax, range};
use crate::text::edit::Edit;

family! {
    "bindings", "Puts values in the place of the names they are bound to.", in Bindings;

    /// Replace a name that is bound by `let` by its value, where it is used once or the value is a literal.
    INLINE_BINDING = "inline-binding", Rule::Node(inline_binding),
        "fn f() { let a = 1 + 2; let b = 4; g(a * 3, b, b); }" => "fn f() { let b = 4; g((1 + 2) * 3, b, b); }";
}

fn inline_binding(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::Local(local) = node.syntax()
        && let Some(stmt) = node.parent()
        && let Some(edits) = inlined(stmt, local)
    {
        out.edit(stmt.range(), [vec![Edit::delete(stmt.range())], edits].concat());
    }
}

/// The edits that put the value where the name stands: in one place, or in several if it is a literal.
fn inlined(stmt: Node<'_>, local: &Local) -> Option<Vec<Edit>> {
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
    let uses = stmt.tree().uses(name, rest, 0..0).filter(|occurrence| Reference::of(occurrence).is_some());
    let uses: Vec<_> = uses.collect();
    let is_literal = matches!(*init.expr, Expr::Lit(_));
    if uses.is_empty() || uses.len() > 1 && (!is_literal || pat.mutability.is_some()) {
        return None;
    }
    let value = stmt.text_at(range(&*init.expr));
    uses.iter().map(|occurrence| fill_name(occurrence, Filler::Expr(&init.expr), value, is_literal)).collect()
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
    fn a_literal_takes_every_place() {
        check(&INLINE_BINDING, "fn f() { let a = 1; a + a }", &["fn f() { 1 + 1 }"]);
        check(
            &INLINE_BINDING,
            "fn f() { let a = 1; m!(\"{} {}\", a, a); S { a } }",
            &["fn f() { m!(\"{} {}\", 1, 1); S { a: 1 } }"],
        );
        check(&INLINE_BINDING, "fn f() { let mut a = 1; a += a }", &[]);
    }

    #[test]
    fn what_is_used_twice_or_never_stays() {
        check(&INLINE_BINDING, "fn f() { let a = -1; a + a }", &[]);
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
