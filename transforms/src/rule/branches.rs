//! Proposals that branches and loops share: their bodies, their conditions and scrutinees, a `let` of these.

use syn::{Expr, Pat};

use super::proposals::Proposals;
use crate::syntax::surroundings::{bindings, block, has_effect, mentions, only_expression};
use crate::syntax::{Filler, FillerPart, Node, Place, Precedence, Syntax, child, range};

/// Proposes the body of an `if` or `while`, after a `let` if the body uses what the condition binds.
pub(crate) fn unwrap_conditional(place: &Place<'_>, cond: Node<'_>, body: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Expr(expr) = cond.syntax() else { return };
    let names: Vec<String> = lets(expr).into_iter().flat_map(bindings).collect();
    if !mentions(cond.tree().source(), &body.range(), &names) {
        place.inline(out, body);
    } else if let Expr::Let(expr) = expr
        && let Some(scrutinee) = child(cond, &expr.expr)
    {
        place_let(place, &expr.pat, scrutinee, body, out);
    }
}

/// Proposes the condition of an `if` or `while`, or the expression that it matches.
pub(crate) fn keep_head(place: &Place<'_>, head: Node<'_>, out: &mut Proposals<'_>) {
    let head = match head.syntax() {
        Syntax::Expr(Expr::Let(expr)) => child(head, &expr.expr),
        _ => Some(head),
    };
    if let Some(head) = head.filter(|head| !place.is_discarded() || has_effect(*head)) {
        place.keep(out, head);
    }
}

/// The patterns of the `let`s in a condition.
fn lets(cond: &Expr) -> Vec<&Pat> {
    let mut open = vec![cond];
    let mut pats = Vec::new();
    while let Some(expr) = open.pop() {
        match expr {
            Expr::Let(expr) => pats.push(&*expr.pat),
            Expr::Binary(expr) => open.extend([&*expr.left, &*expr.right]),
            _ => {}
        }
    }
    pats
}

/// Proposes `let pat = scrutinee;` and then `body`.
pub(crate) fn place_let(place: &Place<'_>, pat: &Pat, scrutinee: Node<'_>, body: Node<'_>, out: &mut Proposals<'_>) {
    if let Some((before, after)) = binding(pat, scrutinee) {
        // A binding that is only returned is replaced by its value.
        let value = block(body).map_or(Some(body), only_expression);
        let name = before.strip_prefix("let ").and_then(|before| before.split_once(" = "));
        if let (Some(value), Some((name, open))) = (value, name)
            && value.text() == name
            && !place.is_discarded()
        {
            let parts = [
                FillerPart::Text(open),
                FillerPart::Kept(scrutinee.range()),
                FillerPart::Text(after.trim_end_matches("; ")),
            ];
            let filler = match scrutinee.syntax() {
                Syntax::Expr(expr) if after == "; " => Filler::Expr(expr),
                _ => Filler::Atom,
            };
            return place.compose(out, filler, &parts);
        }
        let bound = [FillerPart::Text(&before), FillerPart::Kept(scrutinee.range()), FillerPart::Text(&after)];
        place.sequence(out, &bound, body);
    }
}

/// The text before and after `scrutinee` that makes a `let` of `pat` and `scrutinee`. `None` for a pattern that is known
/// to be refutable, except those for which there is an `unwrap`.
pub(crate) fn binding(pat: &Pat, scrutinee: Node<'_>) -> Option<(String, String)> {
    let text = |pat: &Pat| scrutinee.text_at(range(pat)).to_owned();
    match pat {
        Pat::Guard(pat) => binding(&pat.pat, scrutinee),
        Pat::TupleStruct(pat) => {
            let method = match pat.path.segments.last()?.ident.to_string().as_str() {
                "Some" | "Ok" => "unwrap",
                "Err" => "unwrap_err",
                _ => return Some((format!("let {} = ", scrutinee.text_at(range(pat))), "; ".to_owned())),
            };
            let Syntax::Expr(expr) = scrutinee.syntax() else { return None };
            let (open, close) = if Precedence::of_operand(expr) < Precedence::Postfix { ("(", ")") } else { ("", "") };
            let inner = match pat.elems.first()? {
                inner @ Pat::Or(_) => format!("({})", text(inner)),
                inner => text(inner),
            };
            Some((format!("let {inner} = {open}"), format!("{close}.{method}(); ")))
        }
        Pat::Lit(_) | Pat::Range(_) | Pat::Or(_) | Pat::Const(_) => None,
        Pat::Ident(pat) if pat.ident == "None" => None,
        _ => Some((format!("let {} = ", text(pat)), "; ".to_owned())),
    }
}
