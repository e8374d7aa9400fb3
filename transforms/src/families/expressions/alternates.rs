//! Expressions rebuilt in a shorter form out of their own parts.

use std::collections::BTreeSet;

use syn::{Expr, ExprRange, Member, Pat, RangeLimits};

use crate::names::analysis::Analysis;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::placement::{Filler, Part, Place};
use crate::syntax::precedence::{self, Precedence};
use crate::syntax::surroundings::{block, child, only_expression, statements};
use crate::syntax::tree::{Node, Syntax, range};
use crate::text::edit::Edit;

family! {
    "alternates", "Rebuilds expressions in a shorter form out of their parts.", in Values;

    /// Replace a `match` with two arms, of which the second matches always, by `if let`.
    ///
    /// ```text
    /// fn f() { match g() { A(a) => h(a), _ => {} } }
    /// =>
    /// fn f() { if let A(a) = g() { h(a) } }
    /// ```
    MATCH_TO_IF_LET = "match-to-if-let", Rule::Node(match_to_if_let);

    /// Drop a bound of a range.
    ///
    /// ```text
    /// fn f() { a[1..b()]; }
    /// =>
    /// fn f() { a[1..]; }
    /// ```
    OPEN_RANGE = "open-range", Rule::Node(open_range);

    /// Replace a closure that only calls a function with its parameters by the function.
    ///
    /// ```text
    /// fn f() { a.map(|b| g(b)); }
    /// =>
    /// fn f() { a.map(g); }
    /// ```
    CLOSURE_TO_CALLEE = "closure-to-callee", Rule::Node(closure_to_callee);

    /// Replace a method call by a field, where there is a field of that name.
    ///
    /// ```text
    /// struct S { a: u8 }
    /// fn f(s: S) -> u8 { s.a() }
    /// =>
    /// struct S { a: u8 }
    /// fn f(s: S) -> u8 { s.a }
    /// ```
    METHOD_TO_FIELD = "method-to-field", Rule::Tree(method_to_field);

    /// Write a field that is initialised with a variable of its name in short.
    ///
    /// ```text
    /// fn f(a: u8) -> S { S { a: a } }
    /// =>
    /// fn f(a: u8) -> S { S { a } }
    /// ```
    FIELD_SHORTHAND = "field-shorthand", Rule::Node(field_shorthand);

    /// Replace an assigning operator by a plain assignment.
    ///
    /// ```text
    /// fn f() { a += b; }
    /// =>
    /// fn f() { a = b; }
    /// ```
    ASSIGN_PLAINLY = "assign-plainly", Rule::Node(assign_plainly);
}

fn match_to_if_let(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Expr(Expr::Match(expr)) = node.syntax() else { return };
    let [first, second] = expr.arms.as_slice() else { return };
    if matches!(first.pat, Pat::Guard(_) | Pat::Wild(_)) || !matches!(second.pat, Pat::Wild(_)) {
        return;
    }
    let bodies: Vec<Node<'_>> = node
        .children()
        .filter_map(|arm| match arm.syntax() {
            Syntax::Arm(syntax) => child(arm, &syntax.body),
            _ => None,
        })
        .collect();
    let (Some(place), Some(head), [body, other]) = (Place::of(node), child(node, &expr.expr), bodies.as_slice()) else {
        return;
    };
    let loose = Precedence::of_operand(&expr.expr) < Precedence::Compare;
    let before = format!("if let {} = {}", node.text_at(range(&first.pat)), if loose { "(" } else { "" });
    let mut parts = vec![Part::Text(&before), Part::Kept(head.range()), Part::Text(if loose { ") " } else { " " })];
    parts.extend(braced(*body));
    if !is_nothing(*other) {
        parts.push(Part::Text(" else "));
        parts.extend(braced(*other));
    }
    place.compose(out, Filler::BlockLike, &parts);
}

/// `body` as a block.
fn braced(body: Node<'_>) -> Vec<Part<'static>> {
    match block(body) {
        Some(block) => vec![Part::Kept(block.range())],
        None => vec![Part::Text("{ "), Part::Kept(body.range()), Part::Text(" }")],
    }
}

/// Whether `body` is `{}` or `()`.
fn is_nothing(body: Node<'_>) -> bool {
    match body.syntax() {
        Syntax::Expr(Expr::Tuple(expr)) => expr.elems.is_empty(),
        _ => block(body).is_some_and(|block| statements(block).is_none()),
    }
}

fn open_range(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Expr(Expr::Range(ExprRange { start, limits, end, .. })) = node.syntax() else { return };
    if let Some(start) = start.as_ref().and_then(|start| child(node, start)) {
        out.delete(start.range());
    }
    let limits = match limits {
        RangeLimits::Closed(limits) => range(limits),
        RangeLimits::HalfOpen(limits) => range(limits),
    };
    if let Some(end) = end.as_ref().and_then(|end| child(node, end)) {
        out.edit(end.range(), vec![Edit::replace(limits.start..end.range().end, "..")]);
    }
    out.replace(limits, "..");
}

fn closure_to_callee(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Expr(Expr::Closure(closure)) = node.syntax() else { return };
    let (Some(place), Some(body)) = (Place::of(node), child(node, &closure.body)) else { return };
    let call = block(body).and_then(only_expression).unwrap_or(body);
    let Syntax::Expr(Expr::Call(expr)) = call.syntax() else { return };
    let passes = |(pat, argument): (&Pat, &Expr)| match (pat, argument) {
        (Pat::Ident(pat), Expr::Path(argument)) => argument.path.is_ident(&pat.ident),
        _ => false,
    };
    if expr.args.len() == closure.inputs.len()
        && closure.inputs.iter().zip(&expr.args).all(passes)
        && let Some(callee) = child(call, &expr.func)
    {
        place.keep(out, callee);
    }
}

fn method_to_field(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let fields: BTreeSet<String> = analysis
        .nodes()
        .filter_map(|node| match node.syntax() {
            Syntax::Field(field) => field.ident.as_ref().map(ToString::to_string),
            _ => None,
        })
        .collect();
    for node in analysis.nodes() {
        let Syntax::Expr(Expr::MethodCall(expr)) = node.syntax() else { continue };
        if fields.contains(&expr.method.to_string()) && Place::of(node).is_some_and(|place| !place.is_discarded()) {
            out.delete(range(&expr.method).end..node.range().end);
        }
    }
}

fn field_shorthand(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::FieldValue(field) = node.syntax() else { return };
    if let (Some(_), Member::Named(name), Expr::Path(expr)) = (&field.colon_token, &field.member, &field.expr)
        && expr.path.is_ident(name)
    {
        out.keep(node.range(), range(name));
    }
}

fn assign_plainly(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Expr(expr @ Expr::Binary(binary)) = node.syntax() else { return };
    if precedence::is_unit(expr) {
        out.replace(range(&binary.op), "=");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn a_match_becomes_if_let() {
        check(
            &MATCH_TO_IF_LET,
            "const A: u8 = match b && c { D | E => { g; h }, _ => () };",
            &["const A: u8 = if let D | E = (b && c) { g; h };"],
        );
        check(
            &MATCH_TO_IF_LET,
            "fn f() -> u8 { match a { B { c } => { c } _ => { d } } }",
            &["fn f() -> u8 { if let B { c } = a { c } else { d } }"],
        );
    }

    #[test]
    fn a_match_that_if_let_does_not_shorten_stays() {
        check(&MATCH_TO_IF_LET, "fn f() { match a { B => c, _ => d } }", &[]);
        check(&MATCH_TO_IF_LET, "fn f() { match a { _ => {} } match a { B => {}, C => {} } }", &[]);
        check(&MATCH_TO_IF_LET, "fn f() { match a { B if c => {}, _ => {} } match a { B => {}, _ if c => {} } }", &[]);
    }

    #[test]
    fn a_range_opens() {
        check(
            &OPEN_RANGE,
            "const A: B = c()..=d;",
            &["const A: B = ..=d;", "const A: B = c()..;", "const A: B = c()..d;"],
        );
        check(
            &OPEN_RANGE,
            "fn f() { for a in 0..b {} }",
            &["fn f() { for a in ..b {} }", "fn f() { for a in 0.. {} }"],
        );
        check(&OPEN_RANGE, "fn f() { a[..]; match b { 0..1 => {} } }", &[]);
    }

    #[test]
    fn a_closure_becomes_what_it_calls() {
        check(&CLOSURE_TO_CALLEE, "fn f() { a(|b, c| { d::e(b, c) }); }", &["fn f() { a(d::e); }"]);
        check(&CLOSURE_TO_CALLEE, "fn f() { a(|| b()); }", &["fn f() { a(b); }"]);
        check(&CLOSURE_TO_CALLEE, "fn f() { a(|b| c(&b)); a(|b, c| d(c, b)); a(|b| b.c()); a(|_| b(c)); }", &[]);
    }

    #[test]
    fn a_method_becomes_a_field() {
        check(
            &METHOD_TO_FIELD,
            "struct S { a: u8 } fn f() { b(c.a::<D>(e)); }",
            &["struct S { a: u8 } fn f() { b(c.a); }"],
        );
        check(&METHOD_TO_FIELD, "struct S { a: u8 } struct T(u8); fn f() { b.c(); b.a; b.a(); }", &[]);
    }

    #[test]
    fn a_field_is_written_in_short() {
        check(&FIELD_SHORTHAND, "fn f() { S { #[b] a: a } }", &["fn f() { S { a } }"]);
        check(&FIELD_SHORTHAND, "fn f() { S { a: b, c, d: d(), e: e::e, 0: a }; let S { a: a } = b; }", &[]);
    }

    #[test]
    fn an_assignment_is_plain() {
        check(
            &ASSIGN_PLAINLY,
            "fn f() { a <<= b; c[0] |= d; }",
            &["fn f() { a = b; c[0] |= d; }", "fn f() { a <<= b; c[0] = d; }"],
        );
        check(&ASSIGN_PLAINLY, "fn f() { a = b; c == d; e <= g; h + i; }", &[]);
    }

    #[test]
    fn the_space_that_keeps_two_ranges_apart_counts() {
        check(&OPEN_RANGE, "fn f() { ..=.. .. }", &["fn f() { .. }", "fn f() { ..= .. }"]);
    }
}
