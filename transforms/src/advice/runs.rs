//! The code that runs when a program does, and the text that can be instrumented.

use syn::{Expr, ImplItem, Item, Pat, TraitItem};

use crate::syntax::surroundings::{is_evaluated, signature};
use crate::syntax::{Node, Syntax, Tree};

/// The text of the program with `allow` for `forbid`: the runtime could not allow a forbidden lint.
pub(super) fn permitted(tree: &Tree<'_>) -> String {
    const FORBID: &str = "forbid";
    const ALLOW: &str = "allow ";
    let mut text = tree.source().text().to_owned();
    for attribute in tree.nodes().filter(|node| matches!(node.syntax(), Syntax::Attribute(_))) {
        // Both have the same length, so the sites do not move.
        text.replace_range(attribute.range(), &attribute.text().replace(FORBID, ALLOW));
    }
    text
}

/// Whether `node` is a `const fn`, which the compiler may evaluate.
pub(super) fn is_const_fn(node: Node<'_>) -> bool {
    signature(node).is_some_and(|signature| signature.constness.is_some())
}

/// Whether the code in `node` runs unchanged when the program does.
pub(super) fn is_run(node: Node<'_>) -> bool {
    match node.syntax() {
        _ if is_const_fn(node) => false,
        Syntax::Macro(call) => is_evaluated(call),
        Syntax::Pat(pat) => matches!(pat, Pat::Guard(_)),
        Syntax::Item(item) => !matches!(item, Item::Const(_) | Item::Static(_) | Item::Macro(_)),
        Syntax::ImplItem(ImplItem::Const(_))
        | Syntax::TraitItem(TraitItem::Const(_))
        | Syntax::Expr(Expr::Const(_)) => false,
        Syntax::Attribute(_)
        | Syntax::GenericArgument(_)
        | Syntax::Tokens(_)
        | Syntax::Type(_)
        | Syntax::Variant(_) => false,
        _ => true,
    }
}
