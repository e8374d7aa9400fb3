//! Items that are nothing but macro calls.

use syn::{Expr, Item, Macro, MacroDelimiter, Stmt, Type};

use crate::macros::macro_def::macro_defs;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::outside;
use crate::syntax::token_groups::{Shape, token_groups};
use crate::syntax::{Node, Syntax, Tree, range};
use crate::text::{Edit, outermost};

family! {
    "macro-items", "Makes macro calls of items.", in MacroProtocols;

    /// Replace an item that holds only a macro call by that call, with braces.
    ///
    /// What the macro matches is the same; what it makes has to be items then: in an alternative, the calls that the rules of
    /// the macro make get braces, too.
    ITEM_TO_MACRO_CALL = "item-to-macro-call", Rule::Node(item_to_macro_call), "const A: u8 = m!(a b);" => "m!{a b}";
}

fn item_to_macro_call(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Item(item) = node.syntax() else { return };
    let mac = match item {
        Item::Const(item) => called(&item.expr),
        Item::Static(item) => called(&item.expr),
        Item::Type(item) => match &*item.ty {
            Type::Macro(ty) => Some(&ty.mac),
            _ => None,
        },
        Item::Fn(item) => match item.block.stmts.as_slice() {
            [Stmt::Macro(stmt)] => Some(&stmt.mac),
            [Stmt::Expr(expr, _)] => called(expr),
            _ => None,
        },
        Item::Macro(item) if item.ident.is_none() && item.semi_token.is_some() => Some(&item.mac),
        _ => None,
    };
    let Some(mac) = mac else { return };
    let (whole, call) = (node.range(), range(mac));
    let mut edits = vec![Edit::delete(whole.start..call.start)];
    if !matches!(mac.delimiter, MacroDelimiter::Brace(_)) {
        let group = outside(*mac.delimiter.span());
        edits.push(Edit::replace(group.start..group.start + 1, "{"));
        edits.push(Edit::replace(group.end - 1..group.end, "}"));
    }
    edits.push(Edit::delete(call.end..whole.end));
    edits.retain(|edit| !edit.range.is_empty());
    let made = braced(node.tree(), mac);
    out.edit(whole.clone(), edits.clone());
    if !made.is_empty() {
        // A rule of the macro may hold the call itself.
        out.edit(whole, outermost(edits.into_iter().chain(made).collect()));
    }
}

fn called(expr: &Expr) -> Option<&Macro> {
    match expr {
        Expr::Macro(expr) => Some(&expr.mac),
        _ => None,
    }
}

/// The edits that make braces of the parentheses and brackets of the calls that the rules of a macro make.
fn braced(tree: &Tree<'_>, mac: &Macro) -> Vec<Edit> {
    let Some(name) = mac.path.segments.last().map(|segment| segment.ident.to_string()) else { return Vec::new() };
    let mut edits = Vec::new();
    for macro_def in macro_defs(tree).filter(|macro_def| macro_def.name == name) {
        for rule in &macro_def.rules {
            let made = token_groups(macro_def.text, &rule.transcriber.stream);
            for (bang, group) in made.iter().zip(made.iter().skip(1)) {
                if macro_def.literal(bang) == Some("!")
                    && let Shape::Group(contents) = &group.shape
                    && !macro_def.text[group.range.clone()].starts_with('{')
                {
                    edits.push(Edit::replace(group.range.start..contents.range.start, "{"));
                    edits.push(Edit::replace(contents.range.end..group.range.end, "}"));
                }
            }
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn what_holds_a_macro_call_only_becomes_that() {
        check(
            &ITEM_TO_MACRO_CALL,
            "static A: u8 = a::m!(b); pub fn f() -> u8 { n!{}; } type T<U> = o![U]; p!(c);",
            &[
                "a::m!{b} pub fn f() -> u8 { n!{}; } type T<U> = o![U]; p!(c);",
                "static A: u8 = a::m!(b); n!{} type T<U> = o![U]; p!(c);",
                "static A: u8 = a::m!(b); pub fn f() -> u8 { n!{}; } o!{U} p!(c);",
                "static A: u8 = a::m!(b); pub fn f() -> u8 { n!{}; } type T<U> = o![U]; p!{c}",
            ],
        );
    }

    #[test]
    fn what_the_macro_makes_gets_braces_in_an_alternative() {
        check(
            &ITEM_TO_MACRO_CALL,
            "const A: u8 = m!(b); macro_rules! m { (c) => { d(e) }; ($b:tt) => { m!($b) n!{} o![] } }",
            &[
                "m!{b} macro_rules! m { (c) => { d(e) }; ($b:tt) => { m!($b) n!{} o![] } }",
                "m!{b} macro_rules! m { (c) => { d(e) }; ($b:tt) => { m!{$b} n!{} o!{} } }",
            ],
        );
    }

    #[test]
    fn a_call_in_its_own_macro_gets_braces_once() {
        check(
            &ITEM_TO_MACRO_CALL,
            "macro_rules! m { () => { struct S; m!(b); struct $($a)*; } }",
            &["macro_rules! m { () => { struct S; m!{b} struct $($a)*; } }"],
        );
    }

    #[test]
    fn what_holds_more_stays() {
        check(&ITEM_TO_MACRO_CALL, "const A: u8 = 1; fn f() { g() } fn h() {} m!{} macro_rules! n { () => {} }", &[]);
        check(&ITEM_TO_MACRO_CALL, "const B: u8 = p!{} + 1; fn g() { q!(); r!() }", &[]);
    }
}
