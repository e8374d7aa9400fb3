//! Default values as literals.

use syn::{Expr, ExprCall, Local, Pat, PathSegment, Type};

use crate::placeholders::expectation::{Expectation, expectation};
use crate::placeholders::values;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::{Filler, Node, Place, Syntax, range};
use crate::text::Edit;

family! {
    "defaults", "Writes default values as literals.", in Values;

    /// Replace `Default::default()` by a literal of the type that is written, with that type, or alone.
    DEFAULT_TO_LITERAL = "default-to-literal", Rule::Node(default_to_literal),
        "fn f() { let a: (u8, bool) = Default::default(); }" => "fn f() { let a = (0u8, false); }";
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
}
