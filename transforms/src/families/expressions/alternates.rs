//! Expressions rebuilt in a shorter form out of their own parts.

use syn::{BinOp, Expr, Pat};

use crate::rule::{Proposals, Rule, family};
use crate::syntax::{Filler, FillerPart, Node, Place, Precedence, Syntax, child, range};

family! {
    "alternates", "Rebuilds expressions in a shorter form out of their parts.", in Values;

    /// Replace a `let` with a literal for its pattern by a comparison.
    LET_TO_COMPARISON = "let-to-comparison", Rule::Node(let_to_comparison),
        "fn f() { if let 1 = a { g() } }" => "fn f() { if a == 1 { g() } }";

    /// Replace a calculation with two operands by one with a single operand.
    COMPLEMENT_OPERAND = "complement-operand", Rule::Node(complement_operand),
        "type A<const N: usize> = [u8; N + 1];" => "type A<const N: usize> = [u8; !N];";
}

fn complement_operand(node: Node<'_>, out: &mut Proposals<'_>) {
    use BinOp::{Add, BitAnd, BitOr, BitXor, Div, Mul, Rem, Shl, Shr, Sub};
    let Syntax::Expr(Expr::Binary(expr)) = node.syntax() else { return };
    let is_calculation = matches!(
        expr.op,
        Add(_) | Sub(_) | Mul(_) | Div(_) | Rem(_) | BitXor(_) | BitAnd(_) | BitOr(_) | Shl(_) | Shr(_)
    );
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
