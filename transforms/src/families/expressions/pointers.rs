//! Raw pointers: made by operators and not by functions and macros.

use syn::Expr;

use crate::rule::{Proposals, Rule, family};
use crate::syntax::borrows::Borrow;
use crate::syntax::{Filler, FillerPart, Node, Place, Precedence, Syntax};

family! {
    "pointers", "Makes raw pointers by operators.", in Values;

    /// Replace `null()` by a cast.
    NULL_TO_CAST = "null-to-cast", Rule::Node(null_to_cast),
        "fn f() { g(std::ptr::null_mut()); }" => "fn f() { g(0 as _); }";

    /// Replace `addr_of!` by a raw borrow.
    ///
    /// A reference would be shorter, but nobody else may use what it refers to: the behaviour of a program that runs would be
    /// undefined.
    ADDRESS_TO_BORROW = "address-to-borrow", Rule::Node(address_to_borrow),
        "fn f() { g(std::ptr::addr_of_mut!(a)); }" => "fn f() { g(&raw mut a); }";
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

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
}
