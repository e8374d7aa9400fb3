//! Functions whose bodies go into others.

use std::ops::Range;

use syn::{Item, ItemFn, ReturnType, Signature, Stmt};

use crate::names::Analysis;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::inside;
use crate::syntax::surroundings::{body, has_metavariables, mentions, signature};
use crate::syntax::{Node, Syntax, range};
use crate::text::Edit;

family! {
    "function-forms", "Moves the bodies of functions that nothing refers to.", in Coupled at 12;

    /// Move the body of a function without parameters that nothing refers to into another function.
    ///
    /// Into one that has an empty body, or into one that the body names, whose own body goes: in `fn f(a: &u8) -> u8 { f }` the
    /// body is checked just as in a caller. The last semicolon goes where the other function returns something.
    MOVE_BODY = "move-body", Rule::Tree(move_body),
        "trait T { fn f() {} }\n\
         fn g() { h(1); }"
        => "trait T { fn f() { h(1); } }";
}

/// The function that `node` is, if nothing refers to it and it needs nothing to be called.
fn lonely<'t>(node: Node<'t>) -> Option<&'t ItemFn> {
    let Syntax::Item(Item::Fn(item)) = node.syntax() else { return None };
    let signature = &item.sig;
    let is_plain = signature.inputs.is_empty() && signature.generics.params.is_empty();
    let is_named =
        || node.tree().uses(&signature.ident.to_string(), 0..usize::MAX, range(&signature.ident)).next().is_some();
    (is_plain && !is_named()).then_some(item)
}

fn move_body(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let homes: Vec<Home<'_>> = analysis.nodes().filter_map(home).collect();
    for node in analysis.nodes() {
        let Some(item) = lonely(node) else { continue };
        let own = node.range();
        if item.block.stmts.is_empty() || !matches!(item.sig.output, ReturnType::Default) {
            continue;
        }
        if has_metavariables(analysis.source(), &own) {
            continue;
        }
        // A comment behind it would take the brace in.
        let body = node.text_at(analysis.source().trim(inside(item.block.brace_token.span)));
        let value = match item.block.stmts.last() {
            Some(Stmt::Expr(_, Some(_))) => body.strip_suffix(';').unwrap_or(body),
            _ => body,
        };
        let is_named = |home: &&Home<'_>| mentions(analysis.source(), &own, &[home.signature.ident.to_string()]);
        let others = || homes.iter().filter(|home| !own.contains(&home.body.start));
        let named = others().filter(|home| !home.is_empty).filter(is_named);
        for home in others().filter(|home| home.is_empty).take(TARGETS).chain(named.take(TARGETS)) {
            let body = if matches!(home.signature.output, ReturnType::Default) { body } else { value };
            let moved = Edit::replace(home.body.clone(), format!(" {body} "));
            out.edit(own.clone(), vec![Edit::delete(own.clone()), moved]);
        }
    }
}

/// Into how many functions of either kind a body is moved, one after the other.
const TARGETS: usize = 3;

/// A function that may take the body of another one.
struct Home<'t> {
    signature: &'t Signature,
    /// The bytes between its braces.
    body: Range<usize>,
    /// Whether it has no statement and returns nothing.
    is_empty: bool,
}

fn home(node: Node<'_>) -> Option<Home<'_>> {
    let signature = signature(node)?;
    let body = inside(body(node)?.brace_token.span);
    let is_empty = node.text_at(body.clone()).trim().is_empty() && matches!(signature.output, ReturnType::Default);
    Some(Home { signature, body, is_empty })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn bodies_move_to_where_there_is_none() {
        check(
            &MOVE_BODY,
            "impl S { fn f(&self) {} } fn g() { h(1); i() } fn j() -> u8 {}",
            &["impl S { fn f(&self) { h(1); i() } } fn j() -> u8 {}"],
        );
        check(
            &MOVE_BODY,
            "fn f() { h() } mod m { fn g() { } } fn main() {}",
            &["mod m { fn g() { h() } } fn main() {}", "mod m { fn g() { } } fn main() { h() }"],
        );
    }

    #[test]
    fn bodies_move_into_what_they_name() {
        check(
            &MOVE_BODY,
            "fn f(a: &u8) -> u8 { 1 } fn main() { let b; f == b; }",
            &["fn f(a: &u8) -> u8 { let b; f == b } "],
        );
        check(&MOVE_BODY, "fn f() { 1; } fn g() { f(); }", &["fn f() { f(); } "]);
    }

    #[test]
    fn bodies_stay_where_somebody_calls_or_nobody_takes_them() {
        check(&MOVE_BODY, "fn f() { f() } fn g() {}", &[]);
        check(&MOVE_BODY, "fn f() { g() } fn h() { fn i() {} }", &["fn h() { fn i() { g() } }"]);
        check(&MOVE_BODY, "fn f() { fn g() {} } fn h(a: u8) { a } fn i() -> u8 { 1 } trait T { fn j(); }", &[]);
    }

    #[test]
    fn a_comment_behind_a_body_stays_behind() {
        check(&MOVE_BODY, "fn f() { a(); // b\n } fn g() {}", &["fn g() { a(); }"]);
        check(&MOVE_BODY, "m! { fn f() { $a } fn g() {} } fn h() {}", &[]);
    }
}
