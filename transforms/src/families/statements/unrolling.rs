//! Loops over a few known values, written out.

use syn::{Expr, ExprRange, Lit, RangeLimits};

use crate::rule::proposals::Proposals;
use crate::rule::transform::{Rule, family};
use crate::syntax::placement::Place;
use crate::syntax::surroundings::{bindings, child_block, is_jumped, mentions, statements};
use crate::syntax::tree::{Node, Syntax, range};
use crate::text::edit::Edit;

family! {
    "unrolling", "Writes loops over a few known values out.", in Control;

    /// Replace a loop over at most four known values by its body for each of them.
    ///
    /// ```text
    /// fn f() { for a in [A] { g(a); } }
    /// =>
    /// fn f() { { let a = A; g(a); } }
    /// ```
    ///
    /// Ranges with literal bounds, and arrays. That it grows makes it a trial: of bodies that are written out, each is
    /// reduced for itself. (LPR does so; Zhang et al., *LPR: Large Language Models-Aided Program Reduction*, 2024.)
    UNROLL_LOOP = "unroll-loop", Rule::Node(unroll_loop);
}

/// How often a loop may run.
const TIMES: u64 = 4;

fn unroll_loop(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Expr(Expr::ForLoop(expr)) = node.syntax() else { return };
    let (Some(place), Some(body)) = (Place::of(node), child_block(node)) else { return };
    let Some(values) = values(node, &expr.expr) else { return };
    let has_attributes = body.children().count() != expr.body.stmts.len() || !expr.attrs.is_empty();
    if !place.is_statement() || is_jumped(node) || has_attributes {
        return;
    }
    let Some(stmts) = statements(body) else { return };
    let stmts = node.text_at(stmts);
    let is_used = mentions(node.tree().source(), &body.range(), &bindings(&expr.pat));
    let pat = node.text_at(range(&expr.pat));
    let written = values.iter().map(|value| match is_used {
        true => format!("{{ let {pat} = {value}; {stmts} }}"),
        false => format!("{{ {stmts} }}"),
    });
    let text = written.collect::<Vec<_>>().join(" ");
    out.trial(place.site(), vec![Edit::replace(place.site(), text)]);
}

/// The values that a loop over `head` runs through, if they are known and few.
fn values(node: Node<'_>, head: &Expr) -> Option<Vec<String>> {
    match head {
        Expr::Paren(head) => values(node, &head.expr),
        Expr::Array(head) => {
            let values = head.elems.iter().map(|value| node.text_at(range(value)).to_owned());
            (1..=TIMES).contains(&(head.elems.len() as u64)).then(|| values.collect())
        }
        Expr::Reference(head) if head.mutability.is_none() => {
            let Expr::Array(array) = &*head.expr else { return None };
            Some(values(node, &Expr::Array(array.clone()))?.into_iter().map(|value| format!("&({value})")).collect())
        }
        Expr::Range(head) => {
            let (start, end, suffix) = bounds(head)?;
            (1..=TIMES).contains(&end.checked_sub(start)?).then_some(())?;
            Some((start..end).map(|value| format!("{value}{suffix}")).collect())
        }
        _ => None,
    }
}

/// The first value of a range, the one behind its last, and the suffix of the bounds.
fn bounds(head: &ExprRange) -> Option<(u64, u64, String)> {
    let bound = |expr: &Expr| match expr {
        Expr::Lit(expr) => match &expr.lit {
            Lit::Int(lit) => Some((lit.base10_parse::<u64>().ok()?, lit.suffix().to_owned())),
            _ => None,
        },
        _ => None,
    };
    let ((start, first), (end, second)) = (bound(head.start.as_ref()?)?, bound(head.end.as_ref()?)?);
    let end = if matches!(head.limits, RangeLimits::Closed(_)) { end.checked_add(1)? } else { end };
    Some((start, end, if first.is_empty() { second } else { first }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{testing::check, testing::check_trials};

    #[test]
    fn a_loop_over_a_short_range_is_written_out() {
        check_trials(
            &UNROLL_LOOP,
            "fn f() { for a in 1..=2u8 { g(a); h() } }",
            &["fn f() { { let a = 1u8; g(a); h() } { let a = 2u8; g(a); h() } }"],
        );
        check_trials(&UNROLL_LOOP, "fn f() { for _ in 0..2 { g(1, 2); } }", &["fn f() { { g(1, 2); } { g(1, 2); } }"]);
    }

    #[test]
    fn a_loop_over_an_array_is_written_out() {
        check_trials(
            &UNROLL_LOOP,
            "fn f() { for (a, b) in [(1, 2), c] { d(a); } e }",
            &["fn f() { { let (a, b) = (1, 2); d(a); } { let (a, b) = c; d(a); } e }"],
        );
        check_trials(
            &UNROLL_LOOP,
            "fn f() { for a in &[b, c] { d(a); } }",
            &["fn f() { { let a = &(b); d(a); } { let a = &(c); d(a); } }"],
        );
    }

    #[test]
    fn what_is_smaller_at_once_is_no_trial() {
        check(&UNROLL_LOOP, "fn f() { for _ in 0..1 { g(); } }", &["fn f() { { g(); } }"]);
        check_trials(&UNROLL_LOOP, "fn f() { for _ in 0..1 { g(); } }", &[]);
    }

    #[test]
    fn loops_that_run_often_or_nobody_knows_how_often_stay() {
        let text =
            "fn f() { for a in 0..5 { g(a) } for a in 2..1 { g(a) } for a in 0..b { g(a) } for a in b { g(a) } }";
        check_trials(&UNROLL_LOOP, text, &[]);
        check_trials(&UNROLL_LOOP, "fn f() { for a in 0..2 { g(a); break } for a in 0..2 {} while a {} }", &[]);
        check_trials(
            &UNROLL_LOOP,
            "fn f() { for a in [] { g(a) } for a in 0.. { g(a) } for a in -1..1 { g(a) } }",
            &[],
        );
    }
}
