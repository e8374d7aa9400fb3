//! Chains, closures and macro calls: a link less, the body, the arguments.

use syn::{Expr, Lit, Macro, MacroDelimiter, Stmt};

use crate::rule::{Proposals, Rule, family};
use crate::syntax::fragment::{self, Fragment};
use crate::syntax::generics::inside;
use crate::syntax::surroundings::{bindings, has_metavariables, macro_arguments, mentions};
use crate::syntax::{Filler, FillerPart, Node, Place, Precedence, Syntax, child, precedence};

family! {
    "calls", "Takes calls apart.", in Expressions;

    /// Delete a link of a chain: a method call, field, index, `?`, `.await` or call of a value.
    ///
    /// `x.clone()`, `x.unwrap()`, `x.iter()` and `x.into()` become `x`, and `a.b` becomes `a`.
    /// The links of a chain are independent of each other, so that any set of them can go. That the middle of a chain is
    /// no subtree is why reducers that work on trees do not find it.
    DROP_LINK = "drop-link", Rule::Node(drop_link), "fn f() { a.b(c).d()?; }" => "fn f() { a.d()?; }";

    /// Replace a closure that does not use its parameters by its body.
    CLOSURE_TO_BODY = "closure-to-body", Rule::Node(closure_to_body), "fn f() { g(|a| h()); }" => "fn f() { g(h()); }";

    /// Replace the call of a macro by its arguments.
    ///
    /// `vec![a; n]` becomes `[a; n]`. A format string goes along. `assert_eq!` and its kin become comparisons. A single argument is left to `hoist-expression`.
    MACRO_TO_ARGUMENTS = "macro-to-arguments", Rule::Node(macro_to_arguments),
        r#"fn f() { println!("{} {}", a(), b()); }"# => "fn f() { (a(), b()); }";
}

fn drop_link(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Expr(link) = node.syntax() else { return };
    let Some(base) = precedence::base(link).and_then(|base| child(node, base)) else { return };
    let Syntax::Expr(expr) = base.syntax() else { return };
    let Some(place) = Place::of(node) else { return };
    // A function is seldom of use as a value, and a name alone is not a statement. A path with a type is checked without a call.
    let is_callee = matches!((link, expr), (Expr::Call(_), Expr::Path(_)));
    let is_of_use = match is_callee {
        true => has_type(expr),
        false => !place.is_discarded() || has_effect(expr),
    };
    if !is_of_use {
        return;
    }
    if place.takes(Filler::Expr(expr)) {
        out.delete(base.range().end..node.range().end);
    } else {
        place.keep(out, base);
    }
}

/// Whether `expr` is a path that a type is part of.
fn has_type(expr: &Expr) -> bool {
    let Expr::Path(expr) = expr else { return false };
    expr.qself.is_some() || expr.path.segments.iter().any(|segment| !segment.arguments.is_none())
}

/// Whether `expr` does something as a statement.
fn has_effect(expr: &Expr) -> bool {
    match expr {
        Expr::Field(expr) => has_effect(&expr.base),
        Expr::Path(_) | Expr::Lit(_) => false,
        _ => true,
    }
}

fn closure_to_body(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Expr(Expr::Closure(expr)) = node.syntax() else { return };
    let (Some(place), Some(body)) = (Place::of(node), child(node, &expr.body)) else { return };
    let names: Vec<String> = expr.inputs.iter().flat_map(bindings).collect();
    if !mentions(node.tree().source(), &body.range(), &names) {
        place.inline(out, body);
    }
}

fn macro_to_arguments(node: Node<'_>, out: &mut Proposals<'_>) {
    let mac = match node.syntax() {
        Syntax::Stmt(Stmt::Macro(stmt)) => &stmt.mac,
        Syntax::Expr(Expr::Macro(expr)) => &expr.mac,
        _ => return,
    };
    let Some(place) = Place::of(node) else { return };
    let inside = inside(*mac.delimiter.span());
    let source = node.tree().source();
    let is_in_macro = || node.ancestors().any(|around| matches!(around.syntax(), Syntax::Macro(_)));
    if has_metavariables(source, &inside) && !is_in_macro() {
        return;
    }
    let fragment = fragment::place(&mac.tokens).and_then(|place| source.fragment(place));
    let is_vec = mac.path.segments.last().is_some_and(|segment| segment.ident == "vec");
    let (open, close, inside) = match fragment {
        None if is_vec => ("[", "]", inside),
        // Tokens that parse as `[a; b]` also parse as statements.
        Some(Fragment::Repeat(_) | Fragment::Stmts(_)) if matches!(mac.delimiter, MacroDelimiter::Brace(_)) => {
            ("{", "}", inside)
        }
        Some(Fragment::Repeat(_)) => ("[", "]", inside),
        Some(Fragment::Exprs(_)) if is_vec => ("[", "]", inside),
        Some(Fragment::Exprs(exprs)) => {
            let is_string = |expr: &Expr| matches!(expr, Expr::Lit(expr) if matches!(expr.lit, Lit::Str(_)));
            let format = exprs.first().is_some_and(is_string);
            let kept = exprs.iter().skip(usize::from(format));
            if kept.clone().count() < 2 || kept.clone().any(|expr| matches!(expr, Expr::Assign(_))) {
                return;
            }
            compare(node, &place, mac, out);
            let Some(first) = macro_arguments(node).nth(usize::from(format)) else { return };
            ("(", ")", first.range().start..inside.end)
        }
        _ => return,
    };
    let filler = if open == "{" { Filler::Block } else { Filler::Atom };
    place.compose(out, filler, &[FillerPart::Text(open), FillerPart::Kept(inside), FillerPart::Text(close)]);
}

/// Replaces an assertion of two values by their comparison.
fn compare(node: Node<'_>, place: &Place<'_>, mac: &Macro, out: &mut Proposals<'_>) {
    let name = mac.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
    let operator = match &*name {
        "assert_eq" | "debug_assert_eq" => " == ",
        "assert_ne" | "debug_assert_ne" => " != ",
        _ => return,
    };
    let operands: Vec<Node<'_>> = macro_arguments(node).take(2).collect();
    let binds = |node: &Node<'_>| matches!(node.syntax(), Syntax::Expr(expr) if Precedence::of_operand(expr) > Precedence::Compare);
    if let [left, right] = operands[..]
        && operands.iter().all(binds)
    {
        let [left, right] = [left, right].map(|operand| FillerPart::Kept(operand.range()));
        let parts = [FillerPart::Text("("), left, FillerPart::Text(operator), right, FillerPart::Text(")")];
        place.compose(out, Filler::Atom, &parts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn every_link_can_go() {
        check(
            &DROP_LINK,
            "const A: u8 = a.b::<C>(d)?.e.f[g].await(h);",
            &[
                "const A: u8 = a.b::<C>(d)?.e.f[g].await;",
                "const A: u8 = a.b::<C>(d)?.e.f[g](h);",
                "const A: u8 = a.b::<C>(d)?.e.f.await(h);",
                "const A: u8 = a.b::<C>(d)?.e[g].await(h);",
                "const A: u8 = a.b::<C>(d)?.f[g].await(h);",
                "const A: u8 = a.b::<C>(d).e.f[g].await(h);",
                "const A: u8 = a?.e.f[g].await(h);",
            ],
        );
        check(&DROP_LINK, "const A: u8 = a.0.1;", &["const A: u8 = a.0;", "const A: u8 = a.1;"]);
    }

    #[test]
    fn what_is_left_is_a_statement() {
        check(&DROP_LINK, "fn f() { a().b() }", &["fn f() { a(); }"]);
        check(&DROP_LINK, "fn f() { { a }.b() + c; }", &["fn f() { ({ a }) + c; }"]);
        check(&DROP_LINK, "fn f() -> u8 { a.b() }", &["fn f() -> u8 { a }"]);
    }

    #[test]
    fn names_alone_are_no_statements() {
        check(&DROP_LINK, "fn f() { a.b(); a.b.c(); d(e); }", &["fn f() { a.b(); a.c(); d(e); }"]);
    }

    #[test]
    fn a_path_with_a_type_is_not_called() {
        check(
            &DROP_LINK,
            "fn f() { A::f(); d::<E>(e); <E>::g(); A::<0>::f() }",
            &[
                "fn f() { A::f(); d::<E>; <E>::g(); A::<0>::f() }",
                "fn f() { A::f(); d::<E>(e); <E>::g; A::<0>::f() }",
                "fn f() { A::f(); d::<E>(e); <E>::g(); A::<0>::f; }",
            ],
        );
    }

    #[test]
    fn a_closure_becomes_its_body() {
        check(&CLOSURE_TO_BODY, "fn f() { g(|_, A { .. }| h) }", &["fn f() { g(h) }"]);
        check(&CLOSURE_TO_BODY, "fn f() { g(move || { h; i }); }", &["fn f() { g({ h; i }); }"]);
        check(&CLOSURE_TO_BODY, "fn f() { let a = || -> u8 { b } + c; }", &["fn f() { let a = b + c; }"]);
    }

    #[test]
    fn a_closure_that_uses_its_parameters_stays() {
        check(&CLOSURE_TO_BODY, "fn f() { g(|a| a + 1); h(|(a, b)| format!(\"{b}\")); }", &[]);
    }

    #[test]
    fn a_macro_becomes_its_arguments() {
        check(&MACRO_TO_ARGUMENTS, "fn f() { a!(b, c); }", &["fn f() { (b, c); }"]);
        check(&MACRO_TO_ARGUMENTS, "fn f() { print!(\"{}{}\", b, c); }", &["fn f() { (b, c); }"]);
        check(&MACRO_TO_ARGUMENTS, "fn f() { a! { b; c } d }", &["fn f() { { b; c } d }"]);
        check(&MACRO_TO_ARGUMENTS, "fn f() { a! { b, c } d }", &["fn f() { (b, c); d }"]);
        check(&MACRO_TO_ARGUMENTS, "const A: [u8; 2] = *vec![1, 2];", &["const A: [u8; 2] = *[1, 2];"]);
        check(
            &MACRO_TO_ARGUMENTS,
            "fn f() { vec![]; vec![a; 2]; }",
            &["fn f() { []; vec![a; 2]; }", "fn f() { vec![]; [a; 2]; }"],
        );
    }

    #[test]
    fn an_assertion_of_two_values_becomes_their_comparison() {
        check(
            &MACRO_TO_ARGUMENTS,
            "fn f() { assert_eq!(a.b, 1); }",
            &["fn f() { (a.b == 1); }", "fn f() { (a.b, 1); }"],
        );
        check(
            &MACRO_TO_ARGUMENTS,
            "fn f() { std::assert_ne!(a, &b, \"{}\", c) }",
            &["fn f() { (a != &b); }", "fn f() { (a, &b, \"{}\", c); }"],
        );
        check(&MACRO_TO_ARGUMENTS, "fn f() { assert_eq!(a, b < c); }", &["fn f() { (a, b < c); }"]);
    }

    #[test]
    fn a_macro_without_a_list_of_arguments_stays() {
        check(&MACRO_TO_ARGUMENTS, "fn f() { a!(); a!(b); a!(b => c); a!(\"{}\", b); a!(\"{b}{c}\", b = c, d); }", &[]);
        check(&MACRO_TO_ARGUMENTS, "a! { b, c } fn f(d: e!(f, g)) {}", &[]);
    }
}
