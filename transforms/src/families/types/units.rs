//! The unit type and its value, which are two tokens each, replaced by a number.

use syn::{Expr, Type};

use crate::names::Analysis;
use crate::placeholders::expectation::{Expectation, expectation};
use crate::rule::{Proposals, Rule, family};
use crate::syntax::types::begins_arguments;
use crate::syntax::{Node, Syntax};
use crate::text::Edit;

family! {
    "units", "Puts numbers in the place of units.", in Types;

    /// Replace `()` by `u8` as a type and by `0` as a value, everywhere or in one place.
    UNIT_TO_NUMBER = "unit-to-number", Rule::Tree(unit_to_number),
        "impl A for () {} fn f() { g(()) }" => "impl A for u8 {} fn f() { g(0) }";
}

fn unit_to_number(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let edits: Vec<Edit> = analysis.nodes().filter_map(as_number).collect();
    if let [first, _, ..] = &edits[..] {
        out.edit(first.range.clone(), edits.clone());
    }
    for edit in edits {
        out.edit(edit.range.clone(), vec![edit]);
    }
}

/// The edit that makes a unit a number. What a function returns and what nothing is done with stays.
fn as_number(node: Node<'_>) -> Option<Edit> {
    let text = match node.syntax() {
        Syntax::Type(Type::Tuple(ty)) if ty.elems.is_empty() && !begins_arguments(node) => {
            let is_returned = matches!(node.parent()?.syntax(), Syntax::ReturnType(_));
            (!is_returned).then_some("u8")?
        }
        Syntax::Expr(Expr::Tuple(value)) if value.elems.is_empty() => {
            let is_written = matches!(node.parent()?.syntax(), Syntax::Local(_) | Syntax::Item(_));
            let is_free = is_written || matches!(expectation(node), Expectation::Open);
            is_free.then_some("0")?
        }
        _ => return None,
    };
    Some(Edit::replace(node.range(), text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn types_change_with_their_values() {
        check(
            &UNIT_TO_NUMBER,
            "fn f(a: [(); 2]) { g(()); let b: () = (); }",
            &[
                "fn f(a: [u8; 2]) { g(0); let b: u8 = 0; }",
                "fn f(a: [u8; 2]) { g(()); let b: () = (); }",
                "fn f(a: [(); 2]) { g(0); let b: () = (); }",
                "fn f(a: [(); 2]) { g(()); let b: u8 = (); }",
                "fn f(a: [(); 2]) { g(()); let b: () = 0; }",
            ],
        );
        check(&UNIT_TO_NUMBER, "impl A for () {}", &["impl A for u8 {}"]);
    }

    #[test]
    fn what_is_returned_or_discarded_stays() {
        check(&UNIT_TO_NUMBER, "fn f() -> () { (); () } fn g() { match a { _ => () } }", &[]);
    }
}
