//! Functions that become other items, or go into them.

use std::ops::Range;

use syn::{Expr, Item, ItemFn, ReturnType, Signature, Stmt};

use crate::names::Analysis;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::{inside, is_primitive};
use crate::syntax::surroundings::{body, child_block, has_metavariables, mentions, only_expression, signature};
use crate::syntax::{Node, Syntax, range};
use crate::text::{Edit, lex};

family! {
    "function-forms", "Makes other items of functions that nothing refers to.", in Coupled at 12;

    /// Replace a function without parameters that nothing refers to by a constant.
    ///
    /// Of a function without return type, the type is one that its only statement casts to, or the struct that it makes.
    FUNCTION_TO_CONST = "function-to-const", Rule::Node(function_to_const),
        "fn f() -> u8 { 1 + 2 }" => "const f: u8 = 1 + 2;";

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

fn function_to_const(node: Node<'_>, out: &mut Proposals<'_>) {
    let (Some(item), Some(body)) = (lonely(node).filter(|item| item.sig.ident != "main"), child_block(node)) else {
        return;
    };
    let name = node.text_at(range(&item.sig.ident));
    let mut propose = |ty: &str, value: &str| out.replace(node.range(), format!("const {name}: {ty} = {value};"));
    match (&item.sig.output, only_expression(body)) {
        (ReturnType::Type(_, ty), Some(value)) => propose(node.text_at(range(&**ty)), value.text()),
        (ReturnType::Default, _) => {
            if let Some(value) = only_statement(body, item) {
                let made = match &item.block.stmts[..] {
                    [Stmt::Expr(Expr::Struct(expr), _)] => Some(node.text_at(range(&expr.path))),
                    _ => None,
                };
                cast_types(value).into_iter().chain(made).for_each(|ty| propose(ty, value));
            }
        }
        _ => {}
    }
}

/// The expression of the only statement of `body`, even if syn does not know it.
fn only_statement<'t>(body: Node<'t>, item: &ItemFn) -> Option<&'t str> {
    let text = body.text_at(body.tree().source().trim(inside(item.block.brace_token.span)));
    match &item.block.stmts[..] {
        [] if !text.is_empty() => {}
        [Stmt::Expr(..)] => {}
        _ => return None,
    }
    let value = text.strip_suffix(';').unwrap_or(text).trim_end();
    let is_one = !value.is_empty() && !value.contains(';') && !value.starts_with('#');
    is_one.then_some(value)
}

/// The primitive types that `text` casts to.
fn cast_types(text: &str) -> Vec<&str> {
    let words: Vec<&str> = lex::tokens(text).into_iter().map(|token| &text[token.range]).collect();
    let pairs = words.windows(2).filter(|pair| pair[0] == "as" && is_primitive(pair[1]));
    let mut types: Vec<&str> = pairs.map(|pair| pair[1]).collect();
    types.sort_unstable();
    types.dedup();
    types
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
    fn what_a_function_returns_is_a_constant() {
        check(&FUNCTION_TO_CONST, "#[a] pub const fn f() -> Vec<u8> { g(1) }", &["const f: Vec<u8> = g(1);"]);
    }

    #[test]
    fn what_is_cast_tells_the_type() {
        check(&FUNCTION_TO_CONST, "fn f() { 0 as u32 + 1; }", &["const f: u32 = 0 as u32 + 1;"]);
        check(&FUNCTION_TO_CONST, "fn f() { 0 as u32 << 0; }", &["const f: u32 = 0 as u32 << 0;"]);
        check(
            &FUNCTION_TO_CONST,
            "fn f() { S { a: 1 }; } fn g() { b::S {}; }",
            &["const f: S = S { a: 1 }; fn g() { b::S {}; }"],
        );
        check(
            &FUNCTION_TO_CONST,
            "fn f() { 0 as u32 as u8; }",
            &["const f: u32 = 0 as u32 as u8;", "const f: u8 = 0 as u32 as u8;"],
        );
    }

    #[test]
    fn other_functions_are_no_constants() {
        check(&FUNCTION_TO_CONST, "fn f() -> u8 { f() } fn g(a: u8) -> u8 { 1 } fn h<T>() -> u8 { 1 }", &[]);
        check(&FUNCTION_TO_CONST, "fn f() { a(); b as u8; } fn g() { let a = b as u8; } fn main() { a as u8; }", &[]);
        check(&FUNCTION_TO_CONST, "fn f() -> u8 { g(); 1 } fn h() {} fn i() { a as S; }", &[]);
    }

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
        check(&FUNCTION_TO_CONST, "fn f() { a as u8 // b\n }", &["const f: u8 = a as u8;"]);
    }
}
