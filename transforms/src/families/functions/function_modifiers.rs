//! Words before functions, closures and blocks: `async`, `const`, `unsafe`, ABIs, `move`.

use syn::{Expr, ForeignItem, Item, Safety, Type};

use crate::rule::proposals::Proposals;
use crate::rule::transform::{Rule, family};
use crate::syntax::surroundings::awaits;
use crate::syntax::tree::{Node, Syntax, range};
use crate::text::edit::Edit;

family! {
    "function-modifiers", "Drops words before functions, closures and blocks.", in Modifiers;

    /// Drop the `async` of a function or closure, with the `.await`s in it.
    ///
    /// ```text
    /// async fn f() { g().await }
    /// =>
    /// fn f() { g() }
    /// ```
    DROP_ASYNC = "drop-async", Rule::Node(drop_async);

    /// Drop the `const` of a function or closure.
    ///
    /// ```text
    /// const fn f() {}
    /// =>
    /// fn f() {}
    /// ```
    DROP_CONST = "drop-const", Rule::Node(drop_const);

    /// Drop the `unsafe` or `safe` of an item or function pointer.
    ///
    /// ```text
    /// unsafe fn f() {}
    /// =>
    /// fn f() {}
    /// ```
    DROP_UNSAFE = "drop-unsafe", Rule::Node(drop_unsafe);

    /// Drop the ABI of a function, or its name.
    ///
    /// ```text
    /// extern "C" fn f() {}
    /// =>
    /// fn f() {}
    /// ```
    DROP_ABI = "drop-abi", Rule::Node(drop_abi);

    /// Drop the `move` of a closure or async block.
    ///
    /// ```text
    /// fn f() { move || a }
    /// =>
    /// fn f() { || a }
    /// ```
    DROP_MOVE = "drop-move", Rule::Node(drop_move);
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

fn drop_const(node: Node<'_>, out: &mut Proposals<'_>) {
    let constness = match node.syntax() {
        Syntax::Signature(signature) => &signature.constness,
        Syntax::Expr(Expr::Closure(expr)) => &expr.constness,
        _ => return,
    };
    constness.iter().for_each(|constness| out.delete(range(constness)));
}

fn drop_unsafe(node: Node<'_>, out: &mut Proposals<'_>) {
    let safety = match node.syntax() {
        Syntax::Signature(signature) => &signature.safety,
        Syntax::ForeignItem(ForeignItem::Static(item)) => &item.safety,
        syntax => {
            let unsafety = match syntax {
                Syntax::Item(Item::ForeignMod(item)) => &item.unsafety,
                Syntax::Item(Item::Impl(item)) => &item.unsafety,
                Syntax::Item(Item::Mod(item)) => &item.unsafety,
                Syntax::Item(Item::Trait(item)) => &item.unsafety,
                Syntax::Type(Type::FnPtr(ty)) => &ty.unsafety,
                _ => return,
            };
            return unsafety.iter().for_each(|unsafety| out.delete(range(unsafety)));
        }
    };
    match safety {
        Safety::Safe(safe) => out.delete(range(safe)),
        Safety::Unsafe(unsafety) => out.delete(range(unsafety)),
        Safety::Default => {}
    }
}

fn drop_abi(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Abi(abi) = node.syntax() else { return };
    // A foreign module needs its `extern`.
    if !matches!(node.parent().map(Node::syntax), Some(Syntax::Item(_))) {
        out.delete(node.range());
    }
    if abi.name.is_some() {
        out.keep(node.range(), range(&abi.extern_token));
    }
}

fn drop_move(node: Node<'_>, out: &mut Proposals<'_>) {
    let capture = match node.syntax() {
        Syntax::Expr(Expr::Async(expr)) => &expr.capture,
        Syntax::Expr(Expr::Closure(expr)) => &expr.capture,
        _ => return,
    };
    capture.iter().for_each(|capture| out.delete(range(capture)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

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
            &DROP_CONST,
            "const unsafe fn f() { const || a }",
            &["unsafe fn f() { const || a }", "const unsafe fn f() { || a }"],
        );
        check(&DROP_CONST, "const A: *const u8 = const { b }; fn f<const N: u8>() {}", &[]);
        check(
            &DROP_UNSAFE,
            "unsafe trait A {} unsafe impl A for unsafe fn() {} unsafe extern { safe static B: C; }",
            &[
                "trait A {} unsafe impl A for unsafe fn() {} unsafe extern { safe static B: C; }",
                "unsafe trait A {} impl A for unsafe fn() {} unsafe extern { safe static B: C; }",
                "unsafe trait A {} unsafe impl A for fn() {} unsafe extern { safe static B: C; }",
                "unsafe trait A {} unsafe impl A for unsafe fn() {} extern { safe static B: C; }",
                "unsafe trait A {} unsafe impl A for unsafe fn() {} unsafe extern { static B: C; }",
            ],
        );
        check(&DROP_UNSAFE, "#[unsafe(a)] fn f() { unsafe { b } }", &[]);
    }

    #[test]
    fn abis_go_whole_or_by_name() {
        check(&DROP_ABI, "type A = extern \"C\" fn();", &["type A = fn();", "type A = extern fn();"]);
        check(&DROP_ABI, "extern \"C\" { fn f(); }", &["extern { fn f(); }"]);
        check(&DROP_ABI, "extern { fn f(); } extern crate a; fn g() {}", &[]);
    }

    #[test]
    fn moves_go() {
        check(
            &DROP_MOVE,
            "fn f() { async move { move |a| b } }",
            &["fn f() { async { move |a| b } }", "fn f() { async move { |a| b } }"],
        );
        check(&DROP_MOVE, "fn f() { async { || a } }", &[]);
    }
}
