//! Variables that earlier ones stand in for.

use syn::{Expr, FnArg, Local, Pat, Stmt};

use crate::names::references::{Reference, fill_name};
use crate::rule::{Proposals, Rule, family};
use crate::syntax::placement::Filler;
use crate::syntax::surroundings::signature;
use crate::syntax::tree::{Node, Syntax, range};
use crate::text::edit::{Edit, outermost};

family! {
    "variables", "Puts earlier variables in the place of later ones.", in Coupled at 20;

    /// Replace a variable by an earlier variable or parameter wherever it is used, and delete its binding.
    ///
    /// ```text
    /// fn f(a: u8) { let b = g(); h(b, i(b)); }
    /// =>
    /// fn f(a: u8) { h(a, i(a)); }
    /// ```
    ///
    /// The nearest ones are tried, of whatever type. Where the variable is not used, `delete-statement` says the same.
    UNIFY_VARIABLES = "unify-variables", Rule::Node(unify_variables);
}

/// How many earlier variables are tried.
const OTHERS: usize = 3;

fn unify_variables(node: Node<'_>, out: &mut Proposals<'_>) {
    let (Syntax::Local(local), Some(stmt)) = (node.syntax(), node.parent()) else { return };
    let (Some(name), Some(block)) = (bound(local), stmt.parent()) else { return };
    for other in earlier(stmt).filter(|other| *other != name).take(OTHERS) {
        let rest = stmt.range().end..block.range().end;
        let uses = node.tree().uses(&name, rest, 0..0).filter(|used| Reference::of(used).is_some());
        let filled = uses.map(|used| fill_name(&used, Filler::Atom, &other, true));
        let Some(edits) = filled.collect::<Option<Vec<Edit>>>().filter(|edits| !edits.is_empty()) else { continue };
        out.edit(stmt.range(), outermost(edits.into_iter().chain([Edit::delete(stmt.range())]).collect()));
    }
}

/// The only name that `local` binds.
fn bound(local: &Local) -> Option<String> {
    local.init.as_ref().filter(|init| init.diverge.is_none())?;
    named(&local.pat)
}

/// The name that `pat` is.
fn named(pat: &Pat) -> Option<String> {
    match pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => Some(pat.ident.to_string()),
        Pat::Type(pat) => named(&pat.pat),
        _ => None,
    }
}

/// The variables and parameters that are in scope at `stmt`, the nearest first.
fn earlier<'t>(stmt: Node<'t>) -> impl Iterator<Item = String> + use<'t> {
    // A function sees nothing of what is around it.
    let mut is_outside = false;
    let scopes = stmt.ancestors().take_while(move |ancestor| {
        let is_seen = !is_outside;
        is_outside = signature(*ancestor).is_some();
        is_seen
    });
    scopes.flat_map(move |ancestor| bound_in(ancestor, stmt.range().start))
}

/// The names that `ancestor` binds before `end`, the nearest first.
fn bound_in<'t>(ancestor: Node<'t>, end: usize) -> Box<dyn Iterator<Item = String> + 't> {
    match ancestor.syntax() {
        Syntax::Block(block) => {
            let before = block.stmts.partition_point(|other| range(other).end <= end);
            Box::new(block.stmts[..before].iter().rev().filter_map(|other| match other {
                Stmt::Local(local) => named(&local.pat),
                _ => None,
            }))
        }
        Syntax::Expr(Expr::Closure(closure)) => Box::new(closure.inputs.iter().rev().filter_map(named)),
        Syntax::Expr(Expr::ForLoop(expr)) => Box::new(named(&expr.pat).into_iter()),
        _ => {
            let inputs = signature(ancestor).map(|signature| signature.inputs.iter().rev());
            Box::new(inputs.into_iter().flatten().filter_map(|input| match input {
                FnArg::Typed(input) => named(&input.pat),
                FnArg::Receiver(_) => Some("self".to_owned()),
            }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn the_nearest_variables_are_tried() {
        check(
            &UNIFY_VARIABLES,
            "fn f(&self, a: A) { for b in c { let d: D = e(); if d.g { m!(d); } let h = i(); } }",
            &[
                "fn f(&self, a: A) { for b in c { if b.g { m!(b); } let h = i(); } }",
                "fn f(&self, a: A) { for b in c { if a.g { m!(a); } let h = i(); } }",
                "fn f(&self, a: A) { for b in c { if self.g { m!(self); } let h = i(); } }",
            ],
        );
        check(
            &UNIFY_VARIABLES,
            "fn f() { let mut a = b(); let c = |d| { let e = g(); S { e } }; }",
            &[
                "fn f() { let mut a = b(); let c = |d| { S { e: d } }; }",
                "fn f() { let mut a = b(); let c = |d| { S { e: a } }; }",
            ],
        );
    }

    #[test]
    fn variables_that_are_not_used_or_come_first_stay() {
        check(&UNIFY_VARIABLES, "fn f(a: A) { let b = c(); } fn g() { let a = b(); a }", &[]);
        check(&UNIFY_VARIABLES, "fn f(a: A) { let Some(b) = c else { d() }; b } fn g(a: A) { let (b, c) = d; b }", &[]);
        check(&UNIFY_VARIABLES, "fn f(a: A) { let b; b } fn g(a: A) { fn h() { let b = c(); b } }", &[]);
        check(&UNIFY_VARIABLES, "fn f(a: A) { let a = a.b(); a.c(a) }", &[]);
    }
}
