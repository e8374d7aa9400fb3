//! Punctuation that changes nothing: separators after the last element of a list.

use syn::{Expr, Pat, Stmt, Type};

use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::{arguments, generics, inside};
use crate::syntax::{List, Node, Syntax, precedence, range};

family! {
    "separators", "Drops separators after the last element of a list.", in Modifiers;

    /// Drop the separator after the last element of a list, or after an arm that ends with a brace.
    ///
    /// That of a tuple of one stays: it makes the tuple. Groups of imports have a transform of their own.
    DROP_TRAILING_SEPARATOR = "drop-trailing-separator", Rule::Node(drop_trailing_separator),
        "fn f() { g(a, b,) }" => "fn f() { g(a, b) }";

    /// Drop the semicolon after the last statement of a block, or after an expression that ends with a brace.
    DROP_LAST_SEMICOLON = "drop-last-semicolon", Rule::Node(drop_last_semicolon), "fn f() { g(); }" => "fn f() { g() }";
}

fn drop_last_semicolon(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Block(block) = node.syntax() else { return };
    for (index, stmt) in block.stmts.iter().enumerate() {
        let is_last = index + 1 == block.stmts.len();
        let semicolon = match stmt {
            Stmt::Macro(stmt) if is_last => stmt.semi_token,
            Stmt::Expr(expr, semicolon) if is_last || precedence::is_block_like(expr) => *semicolon,
            _ => None,
        };
        if let Some(semicolon) = semicolon {
            out.delete(range(&semicolon));
        }
    }
}

fn drop_trailing_separator(node: Node<'_>, out: &mut Proposals<'_>) {
    let lists = [
        List::of(node).filter(|_| !needs_separator(node.syntax())),
        arguments(node.syntax()).map(|arguments| List::arguments(node, arguments)),
        List::bounds(node).map(|(list, _)| list),
        generics(node.syntax()).and_then(|generics| List::params(node, generics)),
    ];
    for separator in lists.iter().flatten().filter_map(List::trailing) {
        out.delete(separator);
    }
    if let Syntax::Arm(arm) = node.syntax()
        && let Some(comma) = &arm.comma
        && (ends_arm(&arm.body) || is_last_arm(node))
    {
        out.delete(range(comma));
    }
}

/// Whether the separator makes the list what it is, or is followed by more.
fn needs_separator(syntax: Syntax<'_>) -> bool {
    match syntax {
        Syntax::Expr(Expr::Struct(expr)) => expr.dot2_token.is_some(),
        Syntax::Expr(Expr::Tuple(expr)) => expr.elems.len() == 1,
        Syntax::Pat(Pat::Tuple(pat)) => pat.elems.len() == 1 && !matches!(pat.elems[0], Pat::Rest(_)),
        Syntax::Type(Type::Tuple(ty)) => ty.elems.len() == 1,
        _ => false,
    }
}

/// Whether no comma is needed after an arm with this body.
fn ends_arm(body: &Expr) -> bool {
    precedence::is_block_like(body) && !matches!(body, Expr::Const(_) | Expr::TryBlock(_) | Expr::Macro(_))
}

fn is_last_arm(node: Node<'_>) -> bool {
    node.parent().is_some_and(|parent| match parent.syntax() {
        Syntax::Expr(Expr::Match(expr)) => {
            node.range().end == node.tree().source().trim(inside(expr.brace_token.span)).end
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    /// Checks that each of the separators marked by `@` is dropped, and nothing else.
    #[track_caller]
    fn check_marked(text: &str) {
        let plain = text.replace('@', "");
        let mut expected = Vec::new();
        for (index, (at, _)) in text.match_indices('@').enumerate() {
            let at = at - index;
            expected.push(format!("{}{}", &plain[..at], &plain[at + 1..]));
        }
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        check(&DROP_TRAILING_SEPARATOR, &plain, &expected);
    }

    #[test]
    fn lists_in_expressions_lose_it() {
        check_marked("const A: B = [a, b@,];");
        check_marked("fn f() { a(b@,); }");
        check_marked("fn f() { a.b(c, d@,); }");
        check_marked("fn f() { |a, b@,| c; }");
        check_marked("fn f() { S { a: b@, }; }");
        check_marked("fn f() { (a, b@,) }");
    }

    #[test]
    fn lists_in_patterns_lose_it() {
        check_marked("fn f([a@,]: A) {}");
        check_marked("fn f(S { a@, }: S) {}");
        check_marked("fn f((a, b@,): A) {}");
        check_marked("fn f((..@,): A) {}");
        check_marked("fn f(S(a@,): S) {}");
    }

    #[test]
    fn lists_in_types_lose_it() {
        check_marked("type A = fn(B@,);");
        check_marked("type A = fn(B, ...@,);");
        check_marked("type A = (B, C@,);");
        check_marked("type A = Box<dyn B @+>;");
        check_marked("type A = B<C@,>;");
        check_marked("type A = dyn Fn(B@,);");
        check_marked("fn f() -> impl A + use<'a@,> {}");
    }

    #[test]
    fn lists_in_declarations_lose_it() {
        check_marked("struct S { a: A@, }");
        check_marked("struct S(A@,);");
        check_marked("enum E { A@, }");
        check_marked("fn f(self, a: A@,) {}");
        check_marked("extern { fn f(a: A, ...@,); }");
        check_marked("trait A: B @+ {}");
        check_marked("fn f<T: A @+>() {}");
        check_marked("fn f<'a: 'b @+>() {}");
        check_marked("fn f<T@,>() {}");
        check_marked("impl<T@,> A<T> {}");
        check_marked("type A = for<'a@,> fn(&'a u8);");
        check_marked("fn f() where A: B @+ {}");
        check_marked("fn f() where A: B@, {}");
    }

    #[test]
    fn arms_lose_it_where_a_brace_or_nothing_follows() {
        check_marked("fn f() { match a { b => {}@, c => if d {}@, e => f, g => h@, } }");
    }

    #[test]
    fn separators_that_mean_something_or_are_not_there_stay() {
        check_marked("fn f() { (a,); S { b, ..c }; d((e)); match g { _ => h } }");
        check_marked("type A = (B,); fn f((a,): A, S { b, .. }: S) {} extern { fn g(a: A, ...); }");
        check_marked("use a::{b, c,}; m!(d,);");
    }

    #[test]
    fn what_ends_a_block_needs_no_semicolon() {
        check(
            &DROP_LAST_SEMICOLON,
            "fn f() { a(); if b { c = d; } m!(e); } fn g() { loop { a.b(); } }",
            &[
                "fn f() { a(); if b { c = d; } m!(e) } fn g() { loop { a.b(); } }",
                "fn f() { a(); if b { c = d } m!(e); } fn g() { loop { a.b(); } }",
                "fn f() { a(); if b { c = d; } m!(e); } fn g() { loop { a.b() } }",
            ],
        );
        check(&DROP_LAST_SEMICOLON, "fn f() { return; }", &["fn f() { return }"]);
        check(
            &DROP_LAST_SEMICOLON,
            "fn f() { if a {}; S {}; S {}; }",
            &["fn f() { if a {} S {}; S {}; }", "fn f() { if a {}; S {}; S {} }"],
        );
        check(&DROP_LAST_SEMICOLON, "fn f() { let a = b(); } fn h() { a; b } fn i() { j() }", &[]);
    }
}
