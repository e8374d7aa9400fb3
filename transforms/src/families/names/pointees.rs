//! Names of pointers that give way to what they point to.

use syn::{Expr, UnOp};

use crate::names::Variable;
use crate::names::references::{fill, fill_name};
use crate::rule::propose::inline_variables;
use crate::rule::{Rule, family};
use crate::syntax::borrows::Borrow;
use crate::syntax::{Filler, Node, Occurrence, Syntax, child, precedence};
use crate::text::Edit;

family! {
    "pointees", "Puts what a pointer points to in the place of the pointer.", in Bindings;

    /// Replace a name that is bound to a reference or raw pointer by what it points to.
    ///
    /// Where the name is neither dereferenced nor followed by a field, method or index, the pointer takes its place.
    INLINE_POINTER = "inline-pointer", Rule::Tree(|names, out| inline_variables(names, out, inlined)),
        "fn f() { let a = &mut b.c; *a = 1; g(a.d); }" => "fn f() { b.c = 1; g(b.c.d); }";
}

/// The edits that replace the mentions of a pointer.
fn inlined(variable: &Variable<'_>) -> Option<Vec<Edit>> {
    let init = variable.local.init.as_ref().filter(|init| init.diverge.is_none())?;
    let value = variable.stmt.children().find_map(|local| child(local, &init.expr))?;
    let place = Borrow::of(value)?.place;
    if variable.pat.mutability.is_some() || !variable.captures.is_empty() {
        return None;
    }
    let uses: Vec<_> = variable.uses.iter().map(|occurrence| (pointee(occurrence), occurrence)).collect();
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
        Syntax::Expr(Expr::Path(_) | Expr::Field(_) | Expr::Index(_)) => true,
        Syntax::Expr(Expr::Lit(_) | Expr::Paren(_) | Expr::Unary(_)) => true,
        syntax => !matches!(syntax, Syntax::Expr(_)),
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
