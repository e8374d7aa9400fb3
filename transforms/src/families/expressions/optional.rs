//! Parts of expressions, statements and patterns that may be left out.

use syn::{Expr, FieldPat, Member, Pat, RangeLimits, Receiver, ReceiverKind};

use crate::rule::{Proposals, Rule, family, parts};
use crate::syntax::generics::token_at;
use crate::syntax::{Node, Syntax, range};
use crate::text::Edit;

family! {
    "optional", "Drops parts of expressions, statements and patterns that may be left out.", in Optional;

    /// Drop the `else` of an `if` or a `let`.
    DROP_ELSE = "drop-else", parts!(of node,
            Syntax::Expr(Expr::If(expr)) => range(&expr.else_branch.as_ref()?.0).start..node.range().end,
            Syntax::Local(local) => range(&local.init.as_ref()?.diverge.as_ref()?.0).start..range(&local.semi_token).start),
        "fn f() { if a { b } else { c } }" => "fn f() { if a { b } }";

    /// Drop the guard of an arm.
    DROP_GUARD = "drop-guard", parts!(of node,
            Syntax::Pat(Pat::Guard(pat)) => range(&pat.if_token).start..node.range().end),
        "fn f() { match a { b if c => d } }" => "fn f() { match a { b => d } }";

    /// Drop the value of a `let`, with its `else`.
    DROP_INITIALISER = "drop-initialiser", parts!(of node,
            Syntax::Local(local) => range(&local.init.as_ref()?.eq_token).start..range(&local.semi_token).start),
        "fn f() { let a: u8 = 1; }" => "fn f() { let a: u8; }";

    /// Drop the type of a `let`, of a closure's parameter or of `self`.
    DROP_ASCRIPTION = "drop-ascription", parts!(of node,
            Syntax::Pat(Pat::Type(pat)) => range(&pat.colon_token).start..node.range().end,
            Syntax::Receiver(Receiver { kind: ReceiverKind::Typed(colon, _), .. }) => range(colon).start..node.range().end),
        "fn f() { let a: u8 = 1; }" => "fn f() { let a = 1; }";

    /// Drop bounds of a range.
    DROP_RANGE_BOUND = "drop-range-bound", Rule::Node(drop_range_bound), "fn f() { a[b..c] }" => "fn f() { a[..c] }";

    /// Drop the pattern after a binding's `@`, or after the name of a field.
    DROP_SUBPATTERN = "drop-subpattern", parts!(of node,
            Syntax::Pat(Pat::Ident(pat)) => range(&pat.subpat.as_ref()?.0).start..node.range().end,
            Syntax::FieldPat(FieldPat { member: Member::Named(_), colon_token: Some(colon), .. })
                => range(colon).start..node.range().end),
        "fn f(a @ B(_): B) {}" => "fn f(a: B) {}";
}

fn drop_range_bound(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Expr(Expr::Range(expr)) = node.syntax() else { return };
    let site = node.range();
    let (dots, closed) = match &expr.limits {
        RangeLimits::HalfOpen(dots) => (range(dots), false),
        RangeLimits::Closed(dots) => (range(dots), true),
    };
    let start = Edit::delete(site.start..dots.start);
    let end = Edit::delete(dots.end..site.end);
    out.edit(site.clone(), vec![start.clone()]);
    if token_at(node, site.end) != "else" {
        if !closed {
            out.edit(site.clone(), vec![end.clone()]);
        }
        out.edit(site, vec![start, Edit::replace(dots, ".."), end]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn an_else_goes_with_its_block_or_its_if() {
        check(
            &DROP_ELSE,
            "fn f() { if a {} else if b {} else {} }",
            &["fn f() { if a {} }", "fn f() { if a {} else if b {} }"],
        );
        check(&DROP_ELSE, "fn f() { if a {} }", &[]);
    }

    #[test]
    fn the_else_of_a_let_goes_and_so_does_that_of_an_if_in_it() {
        check(
            &DROP_ELSE,
            "fn f() { let A = (if b { c } else { d }) else { e }; }",
            &["fn f() { let A = (if b { c } else { d }); }", "fn f() { let A = (if b { c }) else { e }; }"],
        );
        check(
            &DROP_ELSE,
            "fn f() { let a; let b = if c { d } else { e }; }",
            &["fn f() { let a; let b = if c { d }; }"],
        );
    }

    #[test]
    fn guards_go() {
        check(
            &DROP_GUARD,
            "fn f() { match a { B | C if let d = e => f, _ => g } }",
            &["fn f() { match a { B | C => f, _ => g } }"],
        );
        check(&DROP_GUARD, "fn f() { match a { b => if c {} } }", &[]);
    }

    #[test]
    fn initialisers_go_with_their_else() {
        check(&DROP_INITIALISER, "fn f() { let a = b else { c }; }", &["fn f() { let a; }"]);
        check(&DROP_INITIALISER, "const A: u8 = 1; fn f() { let a; a = b; if let c = d {} }", &[]);
    }

    #[test]
    fn types_that_can_be_inferred_go() {
        check(
            &DROP_ASCRIPTION,
            "fn f(self: A) { let (b, c): D; |e: &E, f| g }",
            &[
                "fn f(self) { let (b, c): D; |e: &E, f| g }",
                "fn f(self: A) { let (b, c); |e: &E, f| g }",
                "fn f(self: A) { let (b, c): D; |e, f| g }",
            ],
        );
        check(&DROP_ASCRIPTION, "fn f(&self, a: u8) { let b = c as d; } struct S { a: u8 }", &[]);
    }

    #[test]
    fn ranges_lose_their_bounds() {
        check(
            &DROP_RANGE_BOUND,
            "fn f() { for a in b..c {} }",
            &["fn f() { for a in ..c {} }", "fn f() { for a in b.. {} }", "fn f() { for a in .. {} }"],
        );
        check(&DROP_RANGE_BOUND, "fn f() { a = 1..=2; }", &["fn f() { a = ..=2; }", "fn f() { a = ..; }"]);
        check(&DROP_RANGE_BOUND, "fn f() { (a.., ..) }", &["fn f() { (.., ..) }"]);
        check(&DROP_RANGE_BOUND, "fn f() { match a { 1..=2 => S { ..b } } }", &[]);
    }

    #[test]
    fn patterns_after_an_at_go() {
        check(
            &DROP_SUBPATTERN,
            "fn f(ref mut a @ (b @ 1, _): A) {}",
            &["fn f(ref mut a: A) {}", "fn f(ref mut a @ (b, _): A) {}"],
        );
        check(&DROP_SUBPATTERN, "fn f(a: A, B(b): B) {}", &[]);
    }

    #[test]
    fn patterns_of_named_fields_go() {
        check(
            &DROP_SUBPATTERN,
            "fn f(A { a: B { c, 0: d, .. }, #[e] f: g }: A) {}",
            &["fn f(A { a, #[e] f: g }: A) {}", "fn f(A { a: B { c, 0: d, .. }, #[e] f }: A) {}"],
        );
    }
}
