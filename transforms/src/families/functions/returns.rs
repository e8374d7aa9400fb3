//! Return types that go together with what is returned.

use syn::{Expr, ExprReturn, Item, ReturnType};

use crate::names::definitions::is_of_trait;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::token_at;
use crate::syntax::surroundings::{has_effect, without_return_type};
use crate::syntax::{Filler, FillerPart, Node, Place, Syntax, child, precedence, range};
use crate::text::Edit;

family! {
    "returns", "Drops return types with what is returned.", in Coupled at 7;

    /// Drop a return type and all values that are returned, and make the last expression a statement.
    ///
    /// An alternative evaluates before the `return` what was returned, if that does something. Where nothing is returned
    /// early it is left to `drop-return-type`.
    DROP_RETURN_VALUES = "drop-return-values", Rule::Node(drop_return_values),
        "fn f(a: bool) -> u8 { if a { return g(); } h() }" => "fn f(a: bool) { if a { return; } h(); }";
}

fn drop_return_values(node: Node<'_>, out: &mut Proposals<'_>) {
    let (Syntax::ReturnType(ReturnType::Type(..)), Some(parent)) = (node.syntax(), node.parent()) else { return };
    let function = match parent.syntax() {
        Syntax::Signature(_) => parent.parent().filter(|function| !is_of_trait(*function)),
        Syntax::Expr(Expr::Closure(_)) => Some(parent),
        _ => None,
    };
    let Some(function) = function else { return };
    let returns = returns(function);
    if returns.is_empty() {
        return;
    }
    let head = without_return_type(node);
    // Before a brace it would be read as the value.
    if returns.iter().any(|(node, _)| token_at(*node, node.range().end) == "{") {
        return;
    }
    let gone: Vec<Edit> = returns.iter().filter_map(|(_, expr)| without_value(expr)).collect();
    out.edit(node.range(), head.iter().cloned().chain(gone).collect());
    let mut any = false;
    let evaluated = returns.iter().flat_map(|(node, expr)| {
        let edits = evaluated(*node, expr);
        any |= edits.is_some();
        edits.unwrap_or_else(|| without_value(expr).into_iter().collect())
    });
    let edits: Vec<Edit> = head.into_iter().chain(evaluated).collect();
    if any {
        out.edit(node.range(), edits);
    }
}

fn without_value(expr: &ExprReturn) -> Option<Edit> {
    let value = expr.expr.as_ref()?;
    Some(Edit::delete(range(&expr.return_token).end..range(&**value).end))
}

/// The `return`s with a value of `function`, except those inside such a value.
fn returns<'t>(function: Node<'t>) -> Vec<(Node<'t>, &'t ExprReturn)> {
    let mut found = Vec::new();
    let mut end = 0;
    for inner in function.descendants().filter(|inner| !matches!(inner.syntax(), Syntax::Signature(_))) {
        if inner.range().start < end {
            continue;
        }
        match inner.syntax() {
            Syntax::Expr(Expr::Return(expr)) if expr.expr.is_some() => {
                found.push((inner, expr));
                end = inner.range().end;
            }
            // These return for themselves.
            Syntax::Expr(Expr::Closure(_) | Expr::Async(_)) => end = inner.range().end,
            Syntax::Item(item) if !matches!(item, Item::Macro(_)) => end = inner.range().end,
            _ => {}
        }
    }
    found
}

/// The edits that evaluate the value of the `return` at `node` before it, if it does more than to name something.
fn evaluated(node: Node<'_>, expr: &ExprReturn) -> Option<Vec<Edit>> {
    let value = child(node, expr.expr.as_ref()?).filter(|value| has_effect(*value))?;
    let Syntax::Expr(syntax) = value.syntax() else { return None };
    let mut inside = value.descendants();
    let is_plain = !precedence::is_cut(syntax) && !value.text().starts_with('#') && expr.attrs.is_empty();
    if !is_plain || inside.any(|inner| matches!(inner.syntax(), Syntax::Expr(Expr::Return(_)))) {
        return None;
    }
    let place = Place::of(node)?;
    let kept = value.range();
    if place.semicolon().is_some() {
        let own = node.range();
        return Some(vec![Edit::delete(own.start..kept.start), Edit::replace(kept.end..own.end, "; return")]);
    }
    place.composed(Filler::Block, &[FillerPart::Text("{ "), FillerPart::Kept(kept), FillerPart::Text("; return }")])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn values_go_or_are_evaluated_before() {
        check(
            &DROP_RETURN_VALUES,
            "fn f(a: bool) -> A { if a { return g(); } match a { b => return c, _ => d } }",
            &[
                "fn f(a: bool) { if a { return; } match a { b => return, _ => d }; }",
                "fn f(a: bool) { if a { g(); return; } match a { b => return, _ => d }; }",
            ],
        );
        check(
            &DROP_RETURN_VALUES,
            "impl S { fn f(self) -> A { if a { return (return b); } loop {} } }",
            &["impl S { fn f(self) { if a { return; } loop {} } }"],
        );
    }

    #[test]
    fn what_ends_with_a_return_gets_its_semicolon() {
        check(&DROP_RETURN_VALUES, "fn f() -> bool { a || return b }", &["fn f() { a || return; }"]);
        check(&DROP_RETURN_VALUES, "fn f() -> bool { return b }", &["fn f() { return }"]);
    }

    #[test]
    fn closures_return_for_themselves() {
        check(
            &DROP_RETURN_VALUES,
            "fn f() -> A { let a = || { return 1; }; let b = || -> B { return 2; }; fn g() -> u8 { 3 } a() }",
            &["fn f() -> A { let a = || { return 1; }; let b = || { return; }; fn g() -> u8 { 3 } a() }"],
        );
    }

    #[test]
    fn where_nothing_is_returned_early_others_see_to_it() {
        check(&DROP_RETURN_VALUES, "fn f() -> A { a } fn g() { return; } fn h(a: fn() -> B) { return c; }", &[]);
        check(&DROP_RETURN_VALUES, "trait T { fn f() -> A { return a; } }", &[]);
        check(&DROP_RETURN_VALUES, "impl T for S { fn f() -> A { return a; } }", &[]);
    }

    #[test]
    fn a_brace_behind_it_is_not_read_as_its_value() {
        check(&DROP_RETURN_VALUES, "fn f() -> A { match return 1 { _ => b } }", &[]);
    }
}
