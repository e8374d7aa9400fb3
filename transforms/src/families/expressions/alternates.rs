//! Expressions rebuilt in a shorter form: default values as literals, pointers by operators, fewer operands.

use syn::{Expr, ExprCall, Local, Pat, PathSegment, Type};

use crate::placeholders::expectation::{Expectation, expectation};
use crate::placeholders::values;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::borrows::Borrow;
use crate::syntax::{Filler, FillerPart, Node, Place, Precedence, Syntax, child, range};
use crate::text::Edit;

family! {
    "alternates", "Rebuilds expressions in a shorter form.", in Values;

    /// Replace `Default::default()` by a literal of the type that is written, with that type, or alone.
    DEFAULT_TO_LITERAL = "default-to-literal", Rule::Node(default_to_literal),
        "fn f() { let a: (u8, bool) = Default::default(); }" => "fn f() { let a = (0u8, false); }";

    /// Replace `null()` by a cast.
    NULL_TO_CAST = "null-to-cast", Rule::Node(null_to_cast),
        "fn f() { g(std::ptr::null_mut()); }" => "fn f() { g(0 as _); }";

    /// Replace `addr_of!` by a raw borrow.
    ///
    /// A reference would be shorter, but nobody else may use what it refers to: the behaviour of a program that runs would be
    /// undefined.
    ADDRESS_TO_BORROW = "address-to-borrow", Rule::Node(address_to_borrow),
        "fn f() { g(std::ptr::addr_of_mut!(a)); }" => "fn f() { g(&raw mut a); }";

    /// Replace a `let` with a literal for its pattern by a comparison.
    LET_TO_COMPARISON = "let-to-comparison", Rule::Node(let_to_comparison),
        "fn f() { if let 1 = a { g() } }" => "fn f() { if a == 1 { g() } }";

    /// Replace a calculation with two operands by one with a single operand.
    COMPLEMENT_OPERAND = "complement-operand", Rule::Node(complement_operand),
        "type A<const N: usize> = [u8; N + 1];" => "type A<const N: usize> = [u8; !N];";
}

fn default_to_literal(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Expr(Expr::Call(call)) = node.syntax() else { return };
    let (Some(place), Some(own)) = (Place::of(node), own_type(call)) else { return };
    if let Some(ty) = own {
        if let Some(value) = values::default_of(&ty, true) {
            place.put(out, Filler::Atom, &value);
        }
        return;
    }
    let Expectation::Type(ty) = expectation(node) else { return };
    if let Some(Syntax::Local(Local { pat: Pat::Type(pat), .. })) = node.parent().map(Node::syntax)
        && let Some(value) = values::default_of(ty, true)
    {
        let written = Edit::delete(range(&pat.colon_token).start..range(&*pat.ty).end);
        out.edit(node.range(), vec![written, Edit::replace(node.range(), value)]);
    }
    if let Some(value) = values::default_of(ty, false) {
        place.put(out, Filler::Atom, &value);
    }
}

/// The type in a call of `default`, if it is one; `Some(None)` if the call does not show it.
fn own_type(call: &ExprCall) -> Option<Option<Type>> {
    let Expr::Path(func) = &*call.func else { return None };
    let segments: Vec<&PathSegment> = func.path.segments.iter().collect();
    let [owner @ .., last] = segments.as_slice() else { return None };
    if last.ident != "default" || !call.args.is_empty() {
        return None;
    }
    match (&func.qself, owner) {
        (Some(qself), _) => Some(Some((*qself.ty).clone())),
        (None, [.., owner]) if owner.ident == "Default" => Some(None),
        (None, [owner]) => Some(Some(syn::parse_str(&owner.ident.to_string()).ok()?)),
        _ => None,
    }
}

fn null_to_cast(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::Expr(Expr::Call(call)) = node.syntax()
        && call.args.is_empty()
        && let Expr::Path(path) = &*call.func
        && path.path.segments.last().is_some_and(|last| last.ident == "null" || last.ident == "null_mut")
    {
        put(node, "0 as _", &[FillerPart::Text("0 as _")], out);
    }
}

fn address_to_borrow(node: Node<'_>, out: &mut Proposals<'_>) {
    let Some(Borrow { place, is_mut }) = Borrow::of_macro(node) else { return };
    let Syntax::Expr(expr) = place.syntax() else { return };
    if Precedence::of_operand(expr) < Precedence::Prefix {
        return;
    }
    let operator = if is_mut { "&raw mut " } else { "&raw const " };
    put(node, &format!("{operator}a"), &[FillerPart::Text(operator), FillerPart::Kept(place.range())], out);
}

/// Proposes `parts` in place of `node`, which together form an expression like `example`.
fn put(node: Node<'_>, example: &str, parts: &[FillerPart<'_>], out: &mut Proposals<'_>) {
    if let (Some(place), Ok(example)) = (Place::of(node), syn::parse_str(example)) {
        place.compose(out, Filler::Expr(&example), parts);
    }
}

fn complement_operand(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Expr(Expr::Binary(expr)) = node.syntax() else { return };
    let is_calculation = (Precedence::BitOr..=Precedence::Product).contains(&Precedence::of_operator(&expr.op));
    let Some(place) = Place::of(node).filter(|_| is_calculation) else { return };
    for operand in [&*expr.left, &*expr.right] {
        // The operator would belong to a part of a looser operand.
        if Precedence::of_operand(operand) >= Precedence::Prefix
            && let Some(operand) = child(node, operand)
        {
            place.compose(out, Filler::Atom, &[FillerPart::Text("!"), FillerPart::Kept(operand.range())]);
        }
    }
}

fn let_to_comparison(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Expr(Expr::Let(expr)) = node.syntax() else { return };
    let (Some(place), Some(value)) = (Place::of(node), child(node, &expr.expr)) else { return };
    if matches!(*expr.pat, Pat::Lit(_)) && Precedence::of_operand(&expr.expr) > Precedence::Compare {
        let literal = format!(" == {}", node.text_at(range(&*expr.pat)));
        place.compose(out, Filler::Atom, &[FillerPart::Kept(value.range()), FillerPart::Text(&literal)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn a_default_is_a_literal_of_the_written_type() {
        check(
            &DEFAULT_TO_LITERAL,
            "fn f() { let a: [u8; 8] = Default::default(); }",
            &["fn f() { let a = [0u8; 8]; }", "fn f() { let a: [u8; 8] = [0; 8]; }"],
        );
        check(
            &DEFAULT_TO_LITERAL,
            "fn f() { let mut a: ((u64, f32), _) = Default::default(); }",
            &["fn f() { let mut a = ((0u64, 0f32), Default::default()); }"],
        );
        check(&DEFAULT_TO_LITERAL, "fn f() -> (u8,) { Default::default() }", &["fn f() -> (u8,) { (0,) }"]);
    }

    #[test]
    fn a_type_before_its_default_goes_along() {
        check(&DEFAULT_TO_LITERAL, "fn f() { a(u8::default()); }", &["fn f() { a(0u8); }"]);
        check(&DEFAULT_TO_LITERAL, "fn f() { a(<(u8, &str)>::default()); }", &["fn f() { a((0u8, \"\")); }"]);
    }

    #[test]
    fn a_default_of_another_type_stays() {
        check(&DEFAULT_TO_LITERAL, "fn f() { let a: A = Default::default(); A::default(); Default::default(); }", &[]);
        check(
            &DEFAULT_TO_LITERAL,
            "fn f() { let a: u8 = b.default(); let c: u8 = d::default(1); let e: u8 = g(); }",
            &[],
        );
    }

    #[test]
    fn a_null_pointer_is_cast() {
        check(
            &NULL_TO_CAST,
            "fn f() { ptr::null::<u8>().a(); null_mut(); b::null(1) }",
            &[
                "fn f() { (0 as _).a(); null_mut(); b::null(1) }",
                "fn f() { ptr::null::<u8>().a(); 0 as _; b::null(1) }",
            ],
        );
    }

    #[test]
    fn an_address_is_taken_by_an_operator() {
        check(&ADDRESS_TO_BORROW, "fn f() { a = ptr::addr_of_mut!((*b).c); }", &["fn f() { a = &raw mut (*b).c; }"]);
        check(&ADDRESS_TO_BORROW, "fn f() { *addr_of!(a) }", &["fn f() { *&raw const a }"]);
        check(&ADDRESS_TO_BORROW, "fn f() { addr!(a); addr_of!(a, b); a::addr_of_mut!(=> a) }", &[]);
    }

    #[test]
    fn a_let_with_a_literal_becomes_a_comparison() {
        check(
            &LET_TO_COMPARISON,
            "fn f() { if a && let -1 = b {} while let \"c\" = d.e() {} }",
            &[
                "fn f() { if a && b == -1 {} while let \"c\" = d.e() {} }",
                "fn f() { if a && let -1 = b {} while d.e() == \"c\" {} }",
            ],
        );
        check(&LET_TO_COMPARISON, "fn f() { if let A = b {} if let 1..2 = c {} if let 1 = d == e {} let 1 = g; }", &[]);
    }

    #[test]
    fn one_operand_is_complemented() {
        check(&COMPLEMENT_OPERAND, "const A: u8 = -b + c(d);", &["const A: u8 = !-b;", "const A: u8 = !c(d);"]);
        check(
            &COMPLEMENT_OPERAND,
            "const A: u8 = b * (c - 1);",
            &["const A: u8 = !b;", "const A: u8 = !(c - 1);", "const A: u8 = b * (!c);", "const A: u8 = b * (!1);"],
        );
        check(
            &COMPLEMENT_OPERAND,
            "const A: bool = b < c && d == e; const B: u8 = c as u8 + (d);",
            &["const A: bool = b < c && d == e; const B: u8 = !(d);"],
        );
    }
}
