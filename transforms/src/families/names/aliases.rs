//! Names for types and values that give way to what they stand for.

use syn::{Expr, Item, Lit, Pat};

use crate::names::references::{arguments, fill, retype};
use crate::names::{Reference, without_leaf};
use crate::placeholders::instantiate::Instantiation;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::{Filler, Node, Occurrence, Syntax, range};
use crate::text::{Edit, outermost};

family! {
    "aliases", "Puts types and values in the place of their names.", in Coupled at 23;

    /// Replace a type alias by its type wherever it is named, and delete it.
    INLINE_ALIAS = "inline-alias",
        Rule::Node(|node, out| out.edit_any(node.range(), inlined_alias(node))),
        "type A<T, U = u8> = Vec<(T, U)>;\n\
         fn f(a: A<bool>) {}"
        => "fn f(a: Vec<(bool, u8)>) {}";

    /// Replace a constant or static by its value wherever it is named, and delete it.
    ///
    /// An alternative for arguments and defaults of generics: the compiler does not compute a literal.
    INLINE_CONSTANT = "inline-constant", Rule::Node(inline_constant),
        "const N: usize = 1 + 2;\n\
         fn f(a: [u8; N]) -> usize { N * 2 }"
        => "fn f(a: [u8; 1 + 2]) -> usize { (1 + 2) * 2 }";
}

/// A number that has to be computed.
const COMPUTED: &str = "{ !0 }";

/// Where the item `node` with the given name is mentioned outside of itself; none if all of that would be larger than
/// the file, were `size` bytes to stand there.
fn uses<'t>(node: Node<'t>, name: &str, size: usize) -> Option<Vec<Occurrence<'t>>> {
    let uses: Vec<Occurrence<'t>> = node.mentions_elsewhere(name).collect();
    (uses.len() * size <= node.source_text().len()).then_some(uses)
}

/// The edits that replace an alias; none if it is mentioned where its type cannot stand.
fn inlined_alias(node: Node<'_>) -> Option<Vec<Edit>> {
    let Syntax::Item(Item::Type(item)) = node.syntax() else { return None };
    let ty = range(&*item.ty);
    let mut edits = vec![Edit::delete(node.range())];
    for occurrence in uses(node, node.text_at(range(&item.ident)), ty.len())? {
        match Reference::of(&occurrence) {
            Some(Reference::Import(leaf)) => edits.extend(without_leaf(leaf)),
            Some(Reference::Token) if item.generics.params.is_empty() => {
                edits.push(Edit::replace(occurrence.range, node.text_at(ty.clone())));
            }
            Some(_) => {
                let text = Instantiation::of(node, &item.generics, arguments(&occurrence)?).text(node, ty.clone());
                edits.push(retype(&occurrence, &text)?);
            }
            None => {}
        }
    }
    apart(edits)
}

/// The edits, if none lies in another one but a deletion: what a replacement repeats would still have the old name.
fn apart(edits: Vec<Edit>) -> Option<Vec<Edit>> {
    let written = |edits: &[Edit]| edits.iter().filter(|edit| !edit.text.is_empty()).count();
    let before = written(&edits);
    let edits = outermost(edits);
    (written(&edits) == before).then_some(edits)
}

fn inline_constant(node: Node<'_>, out: &mut Proposals<'_>) {
    let (ident, expr) = match node.syntax() {
        Syntax::Item(Item::Const(item)) => (&item.ident, &*item.expr),
        Syntax::Item(Item::Static(item)) => (&item.ident, &*item.expr),
        _ => return,
    };
    let name = node.text_at(range(ident));
    if name != "_" {
        out.edit_any(node.range(), inlined_constant(node, name, expr));
        out.edit_any(node.range(), computed_constant(node, name, expr));
    }
}

/// The edits that replace a constant; none if it is mentioned where its value cannot stand.
fn inlined_constant(node: Node<'_>, name: &str, expr: &Expr) -> Option<Vec<Edit>> {
    let text = node.text_at(range(expr));
    let is_literal = matches!(expr, Expr::Lit(_));
    let mut edits = vec![Edit::delete(node.range())];
    for occurrence in uses(node, name, text.len())? {
        edits.extend(match Reference::of(&occurrence) {
            Some(Reference::Value(_)) => vec![fill(occurrence.path_end()?.parent()?, Filler::Expr(expr), text)?],
            Some(Reference::Type(ty)) if is_argument(ty) => {
                let text = if is_literal { text.to_owned() } else { format!("{{ {text} }}") };
                vec![Edit::replace(ty.range(), text)]
            }
            Some(Reference::Pattern(pat))
                if is_literal && matches!(pat.syntax(), Syntax::Pat(Pat::Ident(_) | Pat::Path(_))) =>
            {
                vec![Edit::replace(pat.range(), text)]
            }
            Some(Reference::Import(leaf)) => without_leaf(leaf),
            Some(Reference::Token) if is_literal => vec![Edit::replace(occurrence.range, text)],
            Some(_) => return None,
            None => Vec::new(),
        });
    }
    apart(edits)
}

/// The edits that replace a number by one that has to be computed; none if it is mentioned where it cannot stand.
fn computed_constant(node: Node<'_>, name: &str, expr: &Expr) -> Option<Vec<Edit>> {
    if !matches!(expr, Expr::Lit(literal) if matches!(literal.lit, Lit::Int(_))) {
        return None;
    }
    let mut edits = vec![Edit::delete(node.range())];
    for occurrence in uses(node, name, COMPUTED.len())? {
        let place = match Reference::of(&occurrence)? {
            Reference::Type(ty) if is_argument(ty) => ty,
            Reference::Value(value) if matches!(value.parent()?.syntax(), Syntax::GenericParam(_)) => value,
            _ => return None,
        };
        edits.push(Edit::replace(place.range(), COMPUTED));
    }
    (edits.len() > 1).then(|| apart(edits))?
}

/// Whether a type is an argument in angle brackets.
fn is_argument(ty: Node<'_>) -> bool {
    ty.parent().is_some_and(|parent| matches!(parent.syntax(), Syntax::GenericArgument(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn an_alias_becomes_its_type() {
        check(
            &INLINE_ALIAS,
            "type A<'a, T> = S<&'a T>; fn f(x: &m::A<'static, u8>) { A::<u8>::g(); let A { y } = A { y: 1 }; }",
            &["fn f(x: &S<&'static u8>) { <S<&'_ u8>>::g(); let S { y } = S { y: 1 }; }"],
        );
    }

    #[test]
    fn defaults_parentheses_and_imports_are_minded() {
        check(
            &INLINE_ALIAS,
            "type A<T = u8> = dyn B<T> + C; fn f(x: &A, y: Box<A<()>>) {} mod m { use super::{A, d}; }",
            &["fn f(x: &(dyn B<u8> + C), y: Box<(dyn B<()> + C)>) {} mod m { use super::{d}; }"],
        );
        check(
            &INLINE_ALIAS,
            "type A = T; impl B for A { type A = A; } m!(=> A);",
            &["impl B for T { type A = T; } m!(=> T);"],
        );
    }

    #[test]
    fn an_alias_that_cannot_go_everywhere_stays() {
        check(&INLINE_ALIAS, "type A<T> = [T]; fn f() { A { x: 1 } }", &[]);
        check(&INLINE_ALIAS, "type A<T> = [T]; m!(=> A);", &[]);
        check(&INLINE_ALIAS, "type A<T> = [T]; fn f(x: A<A<u8>>) {}", &[]);
        check(&INLINE_ALIAS, "type A = B<C<D>>; fn f(a: A, b: A, c: A) {}", &[]);
        check(&INLINE_ALIAS, "trait T { type A; } impl T for u8 { type A = u8; }", &[]);
    }

    #[test]
    fn a_constant_becomes_its_value() {
        check(
            &INLINE_CONSTANT,
            "const A: i8 = -1; fn f(x: S<A>) { A + x.A; A.g(); a(m::A) }",
            &["fn f(x: S<{ -1 }>) { -1 + x.A; (-1).g(); a(-1) }"],
        );
        check(
            &INLINE_CONSTANT,
            "static A: u8 = 1; fn f(x: S<A>) { match x { A => {} _ => {} } } use m::A; m!(=> A);",
            &["fn f(x: S<1>) { match x { 1 => {} _ => {} } } m!(=> 1);"],
        );
    }

    #[test]
    fn a_constant_that_cannot_go_everywhere_stays() {
        check(&INLINE_CONSTANT, "const A: i8 = b(); fn f() { match x { A => {} } }", &[]);
        check(&INLINE_CONSTANT, "macro_rules! m { ($b:expr) => { const A: u8 = $b; fn f() { A } } }", &[]);
        check(
            &INLINE_CONSTANT,
            "macro_rules! m { ($b:expr) => { const A: u8 = 1; fn f() { A } } }",
            &["macro_rules! m { ($b:expr) => { fn f() { 1; } } }"],
        );
        check(&INLINE_CONSTANT, "const A: fn() = b; fn f() { A::c() }", &[]);
        check(&INLINE_CONSTANT, "const A: [u8; 3] = [1, 2, 3]; fn f() { (A, A, A) }", &[]);
        check(&INLINE_CONSTANT, "const _: u8 = 1; impl S { const B: u8 = 1; } fn f() { S::B }", &[]);
    }

    #[test]
    fn a_constant_that_is_an_argument_is_computed() {
        check(
            &INLINE_CONSTANT,
            "const A: u8 = 0; struct S<const B: u8 = A>; fn f(x: S<A>) {}",
            &["struct S<const B: u8 = 0>; fn f(x: S<0>) {}", "struct S<const B: u8 = { !0 }>; fn f(x: S<{ !0 }>) {}"],
        );
    }

    #[test]
    fn a_trait_behind_as_is_no_type() {
        check(&INLINE_ALIAS, "type A = u8; fn f() { <B as A>::C }", &[]);
    }
}
