//! Words before items: visibility, `mut`, `default`, `auto`, `!`.

use syn::{ForeignItem, ImplItem, Item, StaticMutability, TraitItem, Visibility};

use crate::rule::proposals::Proposals;
use crate::rule::transform::{Rule, family};
use crate::syntax::tree::{Node, Syntax, range};

family! {
    "modifiers", "Drops words before items.", in Modifiers;

    /// Drop a visibility, or what restricts it.
    ///
    /// ```text
    /// pub(crate) struct S;
    /// =>
    /// struct S;
    /// ```
    DROP_VISIBILITY = "drop-visibility", Rule::Node(drop_visibility);

    /// Drop the `mut` of a static.
    ///
    /// ```text
    /// static mut A: u8 = 1;
    /// =>
    /// static A: u8 = 1;
    /// ```
    DROP_STATIC_MUT = "drop-static-mut", Rule::Node(drop_static_mut);

    /// Drop the `default` of a specialised item.
    ///
    /// ```text
    /// impl A for B { default fn f() {} }
    /// =>
    /// impl A for B { fn f() {} }
    /// ```
    DROP_DEFAULT = "drop-default", Rule::Node(drop_default);

    /// Drop the `auto` of a trait.
    ///
    /// ```text
    /// auto trait A {}
    /// =>
    /// trait A {}
    /// ```
    DROP_AUTO = "drop-auto", Rule::Node(drop_auto);

    /// Drop the `!` of a negative impl.
    ///
    /// ```text
    /// impl !A for B {}
    /// =>
    /// impl A for B {}
    /// ```
    DROP_POLARITY = "drop-polarity", Rule::Node(drop_polarity);
}

fn drop_visibility(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::Visibility(visibility) = node.syntax() {
        out.delete(node.range());
        if let Visibility::Restricted(visibility) = visibility {
            out.keep(node.range(), range(&visibility.pub_token));
        }
    }
}

fn drop_static_mut(node: Node<'_>, out: &mut Proposals<'_>) {
    let mutability = match node.syntax() {
        Syntax::Item(Item::Static(item)) => &item.mutability,
        Syntax::ForeignItem(ForeignItem::Static(item)) => &item.mutability,
        _ => return,
    };
    if let StaticMutability::Mut(mutability) = mutability {
        out.delete(range(mutability));
    }
}

fn drop_default(node: Node<'_>, out: &mut Proposals<'_>) {
    let defaultness = match node.syntax() {
        Syntax::ImplItem(ImplItem::Const(item)) => &item.modifiers.defaultness,
        Syntax::ImplItem(ImplItem::Fn(item)) => &item.modifiers.defaultness,
        Syntax::ImplItem(ImplItem::Type(item)) => &item.modifiers.defaultness,
        Syntax::Item(Item::Impl(item)) => &item.modifiers.defaultness,
        Syntax::TraitItem(TraitItem::Const(item)) => &item.modifiers.defaultness,
        Syntax::TraitItem(TraitItem::Fn(item)) => &item.modifiers.defaultness,
        Syntax::TraitItem(TraitItem::Type(item)) => &item.modifiers.defaultness,
        _ => return,
    };
    defaultness.iter().for_each(|defaultness| out.delete(range(defaultness)));
}

fn drop_auto(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::Item(Item::Trait(item)) = node.syntax() {
        item.modifiers.auto_token.iter().for_each(|auto| out.delete(range(auto)));
    }
}

fn drop_polarity(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::Item(Item::Impl(item)) = node.syntax() {
        item.modifiers.polarity.iter().for_each(|polarity| out.delete(range(polarity)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn visibilities_go_or_are_no_longer_restricted() {
        check(
            &DROP_VISIBILITY,
            "pub fn f() {} struct S(pub A);",
            &["fn f() {} struct S(pub A);", "pub fn f() {} struct S(A);"],
        );
        check(&DROP_VISIBILITY, "pub(in a::b) use c;", &["use c;", "pub use c;"]);
        check(&DROP_VISIBILITY, "fn f() {} struct S(A);", &[]);
    }

    #[test]
    fn rare_words_go() {
        check(&DROP_STATIC_MUT, "extern { static mut A: B; }", &["extern { static A: B; }"]);
        check(&DROP_STATIC_MUT, "static A: &mut B = &mut c;", &[]);
        check(
            &DROP_DEFAULT,
            "default impl A for B { default type C = D; }",
            &["impl A for B { default type C = D; }", "default impl A for B { type C = D; }"],
        );
        check(&DROP_DEFAULT, "fn default() { default() }", &[]);
        check(&DROP_AUTO, "unsafe auto trait A {}", &["unsafe trait A {}"]);
        check(&DROP_AUTO, "trait A {}", &[]);
        check(&DROP_POLARITY, "impl<T> !A for B {}", &["impl<T> A for B {}"]);
        check(&DROP_POLARITY, "impl A for ! { fn f() -> ! { !a } }", &[]);
    }
}
