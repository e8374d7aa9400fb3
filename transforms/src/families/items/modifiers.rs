//! Words before items, functions, closures and blocks: visibility, `async`, `const`, `unsafe`, ABIs, `move`, `default`.

use syn::{Expr, ForeignItem, ImplItem, Item, TraitItem, Type, Visibility};

use crate::rule::{Proposals, Rule, family};
use crate::syntax::surroundings::awaits;
use crate::syntax::{Node, Syntax, range};
use crate::text::Edit;

family! {
    "modifiers", "Drops words before items, functions, closures and blocks.", in Modifiers;

    /// Drop a visibility, or what restricts it.
    DROP_VISIBILITY = "drop-visibility", Rule::Node(drop_visibility), "pub(crate) struct S;" => "struct S;";

    /// Drop the `async` of a function or closure, with the `.await`s in it.
    DROP_ASYNC = "drop-async", Rule::Node(drop_async), "async fn f() { g().await }" => "fn f() { g() }";

    /// Drop `const`, `unsafe`, `safe`, an ABI or its name, `move`, `default`, `auto`, the `mut` of a static or the `!` of an impl.
    DROP_QUALIFIER = "drop-qualifier", Rule::Node(drop_qualifier),
        r#"unsafe extern "C" fn f() {}"# => r#"extern "C" fn f() {}"#;
}

fn drop_visibility(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::Visibility(visibility) = node.syntax() {
        out.delete(node.range());
        if let Visibility::Restricted(visibility) = visibility {
            out.keep(node.range(), range(&visibility.pub_token));
        }
    }
}

fn drop_async(node: Node<'_>, out: &mut Proposals<'_>) {
    let (asyncness, whole) = match node.syntax() {
        Syntax::Signature(signature) => (&signature.asyncness, node.parent()),
        Syntax::Expr(Expr::Closure(expr)) => (&expr.asyncness, Some(node)),
        _ => return,
    };
    if let (Some(asyncness), Some(whole)) = (asyncness, whole) {
        let mut edits = vec![Edit::delete(range(asyncness))];
        edits.extend(awaits(whole).into_iter().map(Edit::delete));
        out.edit(range(asyncness), edits);
    }
}

fn drop_qualifier(node: Node<'_>, out: &mut Proposals<'_>) {
    let words = match node.syntax() {
        Syntax::Abi(abi) => {
            // A foreign module needs its `extern`.
            if !matches!(node.parent().map(Node::syntax), Some(Syntax::Item(_))) {
                out.delete(node.range());
            }
            if abi.name.is_some() {
                out.keep(node.range(), range(&abi.extern_token));
            }
            return;
        }
        Syntax::Expr(Expr::Async(expr)) => vec![range(&expr.capture)],
        Syntax::Expr(Expr::Closure(expr)) => vec![range(&expr.constness), range(&expr.capture)],
        Syntax::ForeignItem(ForeignItem::Static(item)) => vec![range(&item.safety), range(&item.mutability)],
        Syntax::ImplItem(ImplItem::Const(item)) => vec![range(&item.modifiers.defaultness)],
        Syntax::ImplItem(ImplItem::Fn(item)) => vec![range(&item.modifiers.defaultness)],
        Syntax::ImplItem(ImplItem::Type(item)) => vec![range(&item.modifiers.defaultness)],
        Syntax::Item(Item::ForeignMod(item)) => vec![range(&item.unsafety)],
        Syntax::Item(Item::Impl(item)) => {
            vec![range(&item.modifiers.defaultness), range(&item.unsafety), range(&item.modifiers.polarity)]
        }
        Syntax::Item(Item::Mod(item)) => vec![range(&item.unsafety)],
        Syntax::Item(Item::Static(item)) => vec![range(&item.mutability)],
        Syntax::Item(Item::Trait(item)) => vec![range(&item.unsafety), range(&item.modifiers.auto_token)],
        Syntax::Signature(signature) => vec![range(&signature.constness), range(&signature.safety)],
        Syntax::TraitItem(TraitItem::Const(item)) => vec![range(&item.modifiers.defaultness)],
        Syntax::TraitItem(TraitItem::Fn(item)) => vec![range(&item.modifiers.defaultness)],
        Syntax::TraitItem(TraitItem::Type(item)) => vec![range(&item.modifiers.defaultness)],
        Syntax::Type(Type::FnPtr(ty)) => vec![range(&ty.unsafety)],
        _ => return,
    };
    words.into_iter().filter(|word| !word.is_empty()).for_each(|word| out.delete(word));
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
        check(&DROP_QUALIFIER, "extern { static mut A: B; }", &["extern { static A: B; }"]);
        check(&DROP_QUALIFIER, "static A: &mut B = &mut c;", &[]);
        check(
            &DROP_QUALIFIER,
            "default impl A for B { default type C = D; }",
            &["impl A for B { default type C = D; }", "default impl A for B { type C = D; }"],
        );
        check(&DROP_QUALIFIER, "fn default() { default() }", &[]);
        check(&DROP_QUALIFIER, "unsafe auto trait A {}", &["auto trait A {}", "unsafe trait A {}"]);
        check(&DROP_QUALIFIER, "trait A {}", &[]);
        check(&DROP_QUALIFIER, "impl<T> !A for B {}", &["impl<T> A for B {}"]);
        check(&DROP_QUALIFIER, "impl A for ! { fn f() -> ! { !a } }", &[]);
    }

    #[test]
    fn async_goes_with_the_awaits_that_belong_to_it() {
        check(
            &DROP_ASYNC,
            "async fn f() { a.await; async { b.await }; m!(c.await?); async move |d| d.await }",
            &[
                "fn f() { a; async { b.await }; m!(c?); async move |d| d.await }",
                "async fn f() { a.await; async { b.await }; m!(c.await?); move |d| d }",
            ],
        );
        check(&DROP_ASYNC, "trait T { async fn f(); }", &["trait T { fn f(); }"]);
        check(&DROP_ASYNC, "fn f() { async { a.await } }", &[]);
    }

    #[test]
    fn const_and_unsafe_go() {
        check(
            &DROP_QUALIFIER,
            "const unsafe fn f() { const || a }",
            &["unsafe fn f() { const || a }", "const fn f() { const || a }", "const unsafe fn f() { || a }"],
        );
        check(&DROP_QUALIFIER, "const A: *const u8 = const { b }; fn f<const N: u8>() {}", &[]);
        check(
            &DROP_QUALIFIER,
            "unsafe trait A {} unsafe impl A for unsafe fn() {} unsafe extern { safe static B: C; }",
            &[
                "trait A {} unsafe impl A for unsafe fn() {} unsafe extern { safe static B: C; }",
                "unsafe trait A {} impl A for unsafe fn() {} unsafe extern { safe static B: C; }",
                "unsafe trait A {} unsafe impl A for fn() {} unsafe extern { safe static B: C; }",
                "unsafe trait A {} unsafe impl A for unsafe fn() {} extern { safe static B: C; }",
                "unsafe trait A {} unsafe impl A for unsafe fn() {} unsafe extern { static B: C; }",
            ],
        );
        check(&DROP_QUALIFIER, "#[unsafe(a)] fn f() { unsafe { b } }", &[]);
    }

    #[test]
    fn abis_go_whole_or_by_name() {
        check(&DROP_QUALIFIER, "type A = extern \"C\" fn();", &["type A = fn();", "type A = extern fn();"]);
        check(&DROP_QUALIFIER, "extern \"C\" { fn f(); }", &["extern { fn f(); }"]);
        check(&DROP_QUALIFIER, "extern { fn f(); } extern crate a; fn g() {}", &[]);
    }

    #[test]
    fn moves_go() {
        check(
            &DROP_QUALIFIER,
            "fn f() { async move { move |a| b } }",
            &["fn f() { async { move |a| b } }", "fn f() { async move { |a| b } }"],
        );
        check(&DROP_QUALIFIER, "fn f() { async { || a } }", &[]);
    }
}
