//! Associated constants that give way to their values.

use syn::{Expr, ImplItem, Item, TraitItem, Type};

use crate::names::references::fill;
use crate::names::traits::{Trait, base};
use crate::rule::{Proposals, Rule, family};
use crate::syntax::placement::Filler;
use crate::syntax::tree::{Node, Syntax, range};
use crate::text::edit::{Edit, outermost};

family! {
    "associated-constants", "Puts values in the place of associated constants.", in Coupled at 25;

    /// Replace an associated constant by its value, and delete it.
    ///
    /// ```text
    /// trait A { const B: u8; }
    /// impl A for u8 { const B: u8 = 1; }
    /// fn f<T: A>() -> u8 { T::B }
    /// =>
    /// trait A { }
    /// impl A for u8 { }
    /// fn f<T: A>() -> u8 { 1 }
    /// ```
    INLINE_ASSOCIATED_CONSTANT = "inline-associated-constant", Rule::Node(inline_associated_constant);
}

fn inline_associated_constant(node: Node<'_>, out: &mut Proposals<'_>) {
    let mut values: Vec<(Node<'_>, &Expr)> = Vec::new();
    let mut doomed = vec![node.range()];
    let (ident, home) = match node.syntax() {
        Syntax::TraitItem(TraitItem::Const(item)) => {
            values.extend(item.default.as_ref().map(|(_, expr)| (node, expr)));
            (&item.ident, Trait::around(node))
        }
        Syntax::ImplItem(ImplItem::Const(item)) if is_inherent(node) => {
            values.push((node, &item.expr));
            (&item.ident, None)
        }
        _ => return,
    };
    let name = node.text_at(range(ident));
    for (_, inner) in home.iter().flat_map(Trait::impl_items) {
        if let Syntax::ImplItem(ImplItem::Const(item)) = inner.syntax()
            && inner.text_at(range(&item.ident)) == name
        {
            doomed.push(inner.range());
            values.push((inner, &item.expr));
        }
    }
    let Some((_, expr)) = values.first() else { return };
    let text = node.text_at(range(*expr));
    if !values.iter().all(|(node, expr)| node.text_at(range(*expr)) == text) {
        return;
    }
    let mut edits: Vec<Edit> = doomed.into_iter().map(Edit::delete).collect();
    let of_type = self_name(node);
    for occurrence in node.tree().occurrences(name) {
        if let Some(base) = base(&occurrence, home.as_ref().map(|home| home.name))
            && (home.is_some() || base == "Self" || of_type.is_some_and(|name| base.contains(name)))
            && let Some(path) = occurrence.path_end().and_then(Node::parent)
        {
            edits.extend(fill(path, Filler::Expr(expr), text));
        }
    }
    out.edit(node.range(), outermost(edits));
}

/// The name of the type that the impl around `node` is for.
fn self_name(node: Node<'_>) -> Option<&str> {
    let Syntax::Item(Item::Impl(item)) = node.parent()?.syntax() else { return None };
    let Type::Path(ty) = &*item.self_ty else { return None };
    Some(node.text_at(range(&ty.path.segments.last()?.ident)))
}

/// Whether `node` is an item of an impl of no trait.
fn is_inherent(node: Node<'_>) -> bool {
    let is = |parent: Node<'_>| matches!(parent.syntax(), Syntax::Item(Item::Impl(item)) if item.trait_.is_none());
    node.parent().is_some_and(is)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn an_associated_constant_becomes_its_value() {
        check(
            &INLINE_ASSOCIATED_CONSTANT,
            "trait A { const B: u8 = 1 + 2; } fn f<T: A>() { T::B * <C as A>::B; B }",
            &["trait A { } fn f<T: A>() { (1 + 2) * (1 + 2); B }"],
        );
        check(
            &INLINE_ASSOCIATED_CONSTANT,
            "impl S { const A: u8 = 1; fn f() { Self::A } } fn f(x: [u8; S::A]) { E::A }",
            &["impl S { fn f() { 1; } } fn f(x: [u8; 1]) { E::A }"],
        );
    }

    #[test]
    fn constants_without_one_value_stay() {
        check(&INLINE_ASSOCIATED_CONSTANT, "trait A { const B: u8; } fn f<T: A>() { T::B }", &[]);
        check(
            &INLINE_ASSOCIATED_CONSTANT,
            "trait A { const B: u8; } impl A for C { const B: u8 = 1; } impl A for D { const B: u8 = 2; }",
            &[],
        );
        check(&INLINE_ASSOCIATED_CONSTANT, "impl A for C { const B: u8 = 1; } const B: u8 = 1;", &[]);
    }
}
