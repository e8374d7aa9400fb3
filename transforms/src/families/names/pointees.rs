//! Names of pointers that give way to what they point to.

use syn::{Expr, Pat, UnOp};

use crate::names::analysis::Analysis;
use crate::names::references::{Reference, fill, fill_name};
use crate::rule::{Proposals, Rule, family};
use crate::syntax::borrows::Borrow;
use crate::syntax::occurrences::Occurrence;
use crate::syntax::placement::Filler;
use crate::syntax::precedence;
use crate::syntax::surroundings::child;
use crate::syntax::tree::{Node, Syntax, range};
use crate::text::edit::Edit;

family! {
    "pointees", "Puts what a pointer points to in the place of the pointer.", in Bindings;

    /// Replace a name that is bound to a reference or raw pointer by what it points to.
    ///
    /// Where the name is neither dereferenced nor followed by a field, method or index, the pointer takes its place.
    INLINE_POINTER = "inline-pointer", Rule::Tree(inline_pointer),
        "fn f() { let a = &mut b.c; *a = 1; g(a.d); }" => "fn f() { b.c = 1; g(b.c.d); }";
}

fn inline_pointer(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    for node in analysis.nodes() {
        if let Syntax::Local(_) = node.syntax()
            && let Some(stmt) = node.parent()
            && let Some(edits) = inlined(analysis, stmt, node)
        {
            out.edit(stmt.range(), [vec![Edit::delete(stmt.range())], edits].concat());
        }
    }
}

/// The edits that replace the mentions of the pointer that `local`, of `stmt`, binds.
fn inlined(analysis: &Analysis<'_>, stmt: Node<'_>, local: Node<'_>) -> Option<Vec<Edit>> {
    let Syntax::Local(syntax) = local.syntax() else { return None };
    let Pat::Ident(pat) = (match &syntax.pat {
        Pat::Type(pat) => &*pat.pat,
        pat => pat,
    }) else {
        return None;
    };
    let init = syntax.init.as_ref().filter(|init| init.diverge.is_none())?;
    let value = child(local, &init.expr)?;
    let place = Borrow::of(value)?.place;
    let is_plain = pat.by_ref.is_none() && pat.mutability.is_none() && pat.subpat.is_none();
    if !is_plain {
        return None;
    }
    let name = stmt.text_at(range(&pat.ident));
    let rest = stmt.range().end..stmt.parent()?.range().end;
    if analysis.captured().named(name).iter().any(|capture| rest.contains(&capture.start)) {
        return None;
    }
    let uses = stmt.tree().uses(name, rest, 0..0).filter(|occurrence| Reference::of(occurrence).is_some());
    let uses: Vec<_> = uses.map(|occurrence| (pointee(&occurrence), occurrence)).collect();
    if uses.len() > 1 && !std::iter::once(place).chain(place.descendants()).all(is_place) {
        return None;
    }
    uses.iter().find(|(pointee, _)| pointee.is_some())?;
    let filled = uses.iter().map(|(pointee, occurrence)| match pointee {
        Some(pointee) => {
            let Syntax::Expr(expr) = place.syntax() else { return None };
            fill(*pointee, Filler::Expr(expr), place.text())
        }
        None => fill_name(occurrence, Filler::Expr(&init.expr), value.text(), false),
    });
    filled.collect()
}

/// Whether `node` is evaluated without effect.
fn is_place(node: Node<'_>) -> bool {
    match node.syntax() {
        Syntax::Expr(expr) => {
            matches!(
                expr,
                Expr::Path(_) | Expr::Field(_) | Expr::Index(_) | Expr::Lit(_) | Expr::Paren(_) | Expr::Unary(_)
            )
        }
        _ => true,
    }
}

/// The expression of what the pointer `occurrence` points to: `*a` with its parentheses, or `a` in `a.b`, `a.b()` and `a[b]`.
fn pointee<'t>(occurrence: &Occurrence<'t>) -> Option<Node<'t>> {
    let name = occurrence.path_end()?.parent()?;
    let around = name.parent()?;
    let (Syntax::Expr(expr), Syntax::Expr(outer)) = (name.syntax(), around.syntax()) else { return None };
    if precedence::is_dotted(outer) || matches!(outer, Expr::Index(_)) {
        return precedence::base(outer).filter(|base| std::ptr::eq(*base, expr)).map(|_| name);
    }
    let is_deref = matches!(outer, Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)));
    let parentheses =
        around.ancestors().take_while(|node| matches!(node.syntax(), Syntax::Expr(Expr::Paren(_)))).last();
    is_deref.then(|| parentheses.unwrap_or(around))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn what_a_pointer_points_to_takes_its_place() {
        check(&INLINE_POINTER, "fn f() { let a = &mut b; *a = 1; (*a).c(*a); }", &["fn f() { b = 1; b.c(b); }"]);
        check(
            &INLINE_POINTER,
            "fn f() { let a = ptr::addr_of_mut!(b.c); *a = (*a)[0]; }",
            &["fn f() { b.c = b.c[0]; }"],
        );
        check(&INLINE_POINTER, "fn f() { let a: &A = &*b; a.c(); a.d[0]; }", &["fn f() { (*b).c(); (*b).d[0]; }"]);
        check(&INLINE_POINTER, "fn f() { let a = &b(); a.c() }", &["fn f() { b().c() }"]);
        check(&INLINE_POINTER, "fn f() { let a = &b as *const _; g(*a, a) }", &["fn f() { g(b, &b as *const _) }"]);
    }

    #[test]
    fn what_is_no_pointer_to_a_place_stays() {
        check(
            &INLINE_POINTER,
            "fn f() { let a = &b(); *a = *a; } fn g() { let a = b; *a } fn h() { let a = m!(b); *a }",
            &[],
        );
        check(&INLINE_POINTER, "fn f() { let a = &b; c(a) } fn g() { let mut a = &b; *a }", &[]);
        check(&INLINE_POINTER, "fn f() { let a = &b; *a; m!(\"{a}\") } fn g() { let a = &b; m!(=> a); *a }", &[]);
    }
}
