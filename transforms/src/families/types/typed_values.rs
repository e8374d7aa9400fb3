//! Types that are written next to a value of them, reduced together with it.

use syn::{Expr, GenericArgument, ImplItem, Item, Pat, PathArguments, ReturnType, Stmt, Type, TypeArray, TypeSlice};

use crate::rule::{Proposals, Rule, family};
use crate::syntax::extent::type_range;
use crate::syntax::generics::is_sum;
use crate::syntax::surroundings::{body, signature};
use crate::syntax::{Node, Precedence, Syntax, range};
use crate::text::kept_between;

family! {
    "typed-values", "Reduces types together with the values that stand next to them.", in Types;

    /// Replace the type that is written for a value by a type inside it, and the value by the one that has it.
    ///
    /// Neither can change alone. References, arrays, tuples and calls with one argument are looked through.
    HOIST_TYPED_VALUE = "hoist-typed-value",
        Rule::Node(|node, out| written(node).into_iter().for_each(|pair| hoist(pair, true, out))),
        "const A: &[B] = &[B::C];" => "const A: &B = &B::C;";
}

type Pair<'t> = (&'t Type, &'t Expr);

/// The type that is written in `node`, and the value next to it.
fn written(node: Node<'_>) -> Option<Pair<'_>> {
    Some(match node.syntax() {
        Syntax::Item(Item::Const(item)) => (&item.ty, &item.expr),
        Syntax::Item(Item::Static(item)) => (&item.ty, &item.expr),
        Syntax::ImplItem(ImplItem::Const(item)) => (&item.ty, &item.expr),
        Syntax::Local(local) => match &local.pat {
            Pat::Type(pat) if matches!(*pat.pat, Pat::Ident(_) | Pat::Wild(_)) => (&pat.ty, &local.init.as_ref()?.expr),
            _ => return None,
        },
        _ => match (&signature(node)?.output, body(node)?.stmts.last()?) {
            (ReturnType::Type(_, ty), Stmt::Expr(value, None)) => (ty, value),
            _ => return None,
        },
    })
}

/// Proposes each pair inside `pair` in its place. `is_whole` says that nothing binds the value closer.
fn hoist(pair: Pair<'_>, is_whole: bool, out: &mut Proposals<'_>) {
    for part in parts(pair) {
        let binds = is_whole || Precedence::of_operand(part.1) >= Precedence::Prefix;
        if binds && (is_whole || !is_sum(part.0)) {
            let edits = [(type_range(pair.0), type_range(part.0)), (range(pair.1), range(part.1))]
                .map(|(whole, kept)| kept_between(whole, "", kept, ""));
            out.edit(type_range(pair.0), edits.concat());
        }
        hoist(part, false, out);
    }
}

/// The types that `ty` is made of, each with the value that the expression has for it.
fn parts<'t>((ty, value): Pair<'t>) -> Vec<Pair<'t>> {
    match (ty, value) {
        (Type::Reference(ty), Expr::Reference(value)) => vec![(&ty.elem, &value.expr)],
        (Type::Slice(TypeSlice { elem, .. }) | Type::Array(TypeArray { elem, .. }), Expr::Array(value)) => {
            value.elems.first().map(|first| (&**elem, first)).into_iter().collect()
        }
        (Type::Array(ty), Expr::Repeat(value)) => vec![(&ty.elem, &value.expr)],
        (Type::Tuple(ty), Expr::Tuple(value)) => ty.elems.iter().zip(&value.elems).collect(),
        (Type::Path(ty), Expr::Call(value)) => {
            let Some(PathArguments::AngleBracketed(arguments)) = ty.path.segments.last().map(|last| &last.arguments)
            else {
                return Vec::new();
            };
            match (arguments.args.first(), value.args.first()) {
                (Some(GenericArgument::Type(ty)), Some(argument))
                    if arguments.args.len() == 1 && value.args.len() == 1 =>
                {
                    vec![(ty, argument)]
                }
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn types_change_with_their_values() {
        check(
            &HOIST_TYPED_VALUE,
            "const A: &[B] = &[B::C, d];",
            &["const A: [B] = [B::C, d];", "const A: &B = &B::C;"],
        );
        check(
            &HOIST_TYPED_VALUE,
            "fn f() -> Option<u8> { let a: (B, C) = (b, c + 1); Some(a.0) }",
            &[
                "fn f() -> u8 { let a: (B, C) = (b, c + 1); a.0 }",
                "fn f() -> Option<u8> { let a: B = b; Some(a.0) }",
                "fn f() -> Option<u8> { let a: C = c + 1; Some(a.0) }",
            ],
        );
        check(&HOIST_TYPED_VALUE, "static A: [u8; 2] = [1; 2];", &["static A: u8 = 1;"]);
    }

    #[test]
    fn what_would_bind_otherwise_stays() {
        check(&HOIST_TYPED_VALUE, "const A: &[B] = &[b + c];", &["const A: [B] = [b + c];"]);
    }

    #[test]
    fn types_whose_value_is_made_elsewhere_stay() {
        check(&HOIST_TYPED_VALUE, "fn f() -> Option<u8> { g(); } const A: Option<u8> = None;", &[]);
        check(&HOIST_TYPED_VALUE, "fn f() { let (a, b): (A, B) = (c, d); let e: &[E] = g(); }", &[]);
    }
}
