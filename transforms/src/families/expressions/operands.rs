//! The operands of an operator that somebody else implements.

use syn::{BinOp, Expr, GenericArgument, PathArguments, TypeParamBound, WherePredicate};

use crate::names::analysis::Analysis;
use crate::rule::proposals::Proposals;
use crate::rule::transform::{Rule, family};
use crate::syntax::precedence::Precedence;
use crate::syntax::tree::{Syntax, Tree, range};
use crate::text::edit::{Edit, outermost};

family! {
    "operands", "Swaps the operands of operators.", in Coupled;

    /// Swap the type of a bound by the trait of an operator with its argument, and the operands of that operator.
    ///
    /// ```text
    /// fn f<T>() where *const T: Add<u8> { 0 as *const T + 1; }
    /// =>
    /// fn f<T>() where u8: Add<*const T> { 1 + 0 as *const T; }
    /// ```
    ///
    /// The right operand has its type told by the bound, where the left one must tell it: a trial.
    SWAP_OPERANDS = "swap-operands", Rule::Tree(swap_operands);
}

fn swap_operands(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    for node in analysis.nodes() {
        let Syntax::WherePredicate(WherePredicate::Type(predicate)) = node.syntax() else { continue };
        let [TypeParamBound::Trait(bound)] = &predicate.bounds.iter().collect::<Vec<_>>()[..] else { continue };
        let Some(segment) = bound.path.segments.last() else { continue };
        let PathArguments::AngleBracketed(given) = &segment.arguments else { continue };
        let [GenericArgument::Type(argument)] = &given.args.iter().collect::<Vec<_>>()[..] else { continue };
        let name = segment.ident.to_string();
        let operands: Vec<Edit> =
            analysis.nodes().filter_map(|node| swapped(node.syntax(), &name, analysis)).flatten().collect();
        if operands.is_empty() {
            continue;
        }
        let (left, right) = (range(&predicate.bounded_ty), range(argument));
        let mut edits =
            vec![Edit::replace(left.clone(), node.text_at(right.clone())), Edit::replace(right, node.text_at(left))];
        edits.extend(operands);
        out.trial(node.range(), outermost(edits));
    }
}

/// What swaps the operands of an operation that the trait `name` stands for, where both are tighter than the operator.
fn swapped(syntax: Syntax<'_>, name: &str, tree: &Tree<'_>) -> Option<[Edit; 2]> {
    let Syntax::Expr(Expr::Binary(expr)) = syntax else { return None };
    let own = Precedence::of_operator(&expr.op);
    let is_tight = |operand: &Expr| Precedence::of_operand(operand) > own && !matches!(operand, Expr::Binary(_));
    if operator(&expr.op)? != name || !is_tight(&expr.left) || !is_tight(&expr.right) {
        return None;
    }
    let (left, right) = (range(&*expr.left), range(&*expr.right));
    let text = tree.source().text();
    // What would be read as generic arguments, or begin a statement that ends early.
    if text[left.clone()].contains(" as ") && name == "Shl" || crate::syntax::precedence::is_block_like(&expr.right) {
        return None;
    }
    Some([Edit::replace(left.clone(), &text[right.clone()]), Edit::replace(right, &text[left])])
}

/// The trait of an operator.
fn operator(op: &BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::Add(_) => "Add",
        BinOp::Sub(_) => "Sub",
        BinOp::Mul(_) => "Mul",
        BinOp::Div(_) => "Div",
        BinOp::Rem(_) => "Rem",
        BinOp::BitXor(_) => "BitXor",
        BinOp::BitAnd(_) => "BitAnd",
        BinOp::BitOr(_) => "BitOr",
        BinOp::Shl(_) => "Shl",
        BinOp::Shr(_) => "Shr",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{testing::check, testing::check_trials};

    #[test]
    fn operands_are_swapped_with_the_types_of_the_bound() {
        check_trials(
            &SWAP_OPERANDS,
            "fn f<T>() where T: std::ops::Mul<u8> { a * b; (c + d) * e; g - h }",
            &["fn f<T>() where u8: std::ops::Mul<T> { b * a; e * (c + d); g - h }"],
        );
    }

    #[test]
    fn without_such_a_bound_or_operation_nothing_is_swapped() {
        check_trials(
            &SWAP_OPERANDS,
            "fn f<T>() where T: Mul<u8> { a + b; a * b * c }",
            &["fn f<T>() where u8: Mul<T> { a + b; b * a * c }"],
        );
        check_trials(&SWAP_OPERANDS, "fn f<T>() where T: Mul<u8> { a + b } fn g<T: Add<u8>>() { a + b }", &[]);
        check_trials(&SWAP_OPERANDS, "fn f<T>() where T: Mul { a * b } fn g<T>() where T: A + Mul<u8> { a * b }", &[]);
        check(&SWAP_OPERANDS, "fn f<T>() where T: Add<u8> { a + b }", &[]);
    }
}
