//! Structs with unnamed fields that give way to tuples.

use syn::{Expr, Fields, Item, ItemStruct, Pat};

use crate::families::data::newtypes::replaced_struct;
use crate::names::analysis::Analysis;
use crate::names::imports::without_leaf;
use crate::names::references::{Reference, arguments, retype};
use crate::placeholders::instantiate::Instantiation;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::occurrences::Occurrence;
use crate::syntax::tree::{Node, Syntax, range};
use crate::text::edit::{Edit, outermost};

family! {
    "tuple-structs", "Makes tuples of structs with unnamed fields.", in Coupled at 17;

    /// Replace a struct with unnamed fields by a tuple wherever it is named, made or taken apart.
    ///
    /// Its inherent impls go.
    STRUCT_TO_TUPLE = "struct-to-tuple", Rule::Tree(struct_to_tuple),
        "struct P<T>(T, u8);\n\
         fn f(p: P<i8>) -> P<i8> { let P(a, b) = p; P(a, p.1) }"
        => "fn f(p: (i8, u8)) -> (i8, u8) { let (a, b) = p; (a, p.1) }";
}

fn struct_to_tuple(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    for node in analysis.nodes() {
        if let Syntax::Item(Item::Struct(item)) = node.syntax()
            && matches!(&item.fields, Fields::Unnamed(fields) if !fields.unnamed.is_empty())
            && let Some(edits) = replaced_struct(node, item, |occurrence| tuple(node, item, occurrence))
        {
            out.edit(node.range(), outermost(edits));
        }
    }
}

/// The edits that make a tuple of one mention of a struct; none where a tuple cannot stand.
fn tuple(node: Node<'_>, item: &ItemStruct, occurrence: &Occurrence<'_>) -> Option<Vec<Edit>> {
    let is_single = item.fields.len() == 1;
    Some(match Reference::of(occurrence) {
        None => Vec::new(),
        Some(Reference::Import(leaf)) => without_leaf(leaf),
        Some(Reference::Type(_)) => {
            let arguments = arguments(occurrence)?;
            // The arguments would have to be mended a second time in what is repeated of them.
            if node.tree().uses(node.text_at(range(&item.ident)), range(arguments), 0..0).next().is_some() {
                return None;
            }
            let instantiation = Instantiation::of(node, &item.generics, arguments);
            let types: Vec<String> =
                item.fields.iter().map(|field| instantiation.text(node, range(&field.ty))).collect();
            vec![retype(occurrence, &format!("({}{})", types.join(", "), if is_single { "," } else { "" }))?]
        }
        Some(Reference::Value(made)) => {
            let Syntax::Expr(Expr::Call(expr)) = made.syntax() else { return None };
            let end = range(&expr.paren_token.span.close()).start;
            listed(range(&*expr.func), end, is_single && !expr.args.trailing_punct())
        }
        Some(Reference::Pattern(taken)) => {
            let Syntax::Pat(Pat::TupleStruct(pat)) = taken.syntax() else { return None };
            let end = range(&pat.paren_token.span.close()).start;
            listed(
                range(&pat.path),
                end,
                is_single && !pat.elems.trailing_punct() && !matches!(pat.elems.first(), Some(Pat::Rest(_))),
            )
        }
        Some(_) => return None,
    })
}

/// The edits that delete the name before a list, and put a comma at its end where only that makes a tuple of it.
fn listed(name: std::ops::Range<usize>, end: usize, needs_comma: bool) -> Vec<Edit> {
    let comma = needs_comma.then(|| Edit::replace(end..end, ","));
    [Edit::delete(name)].into_iter().chain(comma).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn one_field_needs_a_comma() {
        check(
            &STRUCT_TO_TUPLE,
            "struct S(u8); fn f(s: S) { let S(a) = s; let S(..) = S(a).0; }",
            &["fn f(s: (u8,)) { let (a,) = s; let (..) = (a,).0; }"],
        );
    }

    #[test]
    fn impls_of_traits_stay_and_others_go() {
        check(
            &STRUCT_TO_TUPLE,
            "struct S<T>(T, u8); impl<T> S<T> { fn f() {} } impl<T> A for S<T> { fn g() -> Self { Self(1, 2) } }",
            &["impl<T> A for (T, u8) { fn g() -> Self { (1, 2) } }"],
        );
    }

    #[test]
    fn a_struct_that_is_named_otherwise_stays() {
        check(&STRUCT_TO_TUPLE, "struct S(u8); fn f() { a.map(S); }", &[]);
        check(&STRUCT_TO_TUPLE, "struct S(u8); fn f() { S { 0: 1 }; }", &[]);
        check(&STRUCT_TO_TUPLE, "struct S; struct T(); struct U { a: u8 }", &[]);
    }
}
