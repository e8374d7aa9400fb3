//! Attributes: their names and arguments.

use syn::{AttrStyle, Attribute, Item, Meta, MetaList};

use super::token_groups::{Shape, TokenGroup};
use super::tree::{Node, Syntax};

/// Whether an attribute makes an item a test or a part of tests: `#[test]`, `#[tokio::test]`, `#[cfg(test)]`.
pub fn marks_test(attribute: &Attribute) -> bool {
    let is_cfg = || attribute.path().is_ident("cfg");
    is_test(attribute) || is_cfg() && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
}

/// Whether `node` is the `main` of a program, or a test.
pub fn is_entry(node: Node<'_>) -> bool {
    let Syntax::Item(Item::Fn(function)) = node.syntax() else { return false };
    function.sig.ident == "main" && node.module().is_none() || function.attrs.iter().any(is_test)
}

fn is_test(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == "test")
}

/// Whether an attribute stands in what it is about.
pub(crate) fn is_inner(attribute: &Attribute) -> bool {
    matches!(attribute.style, AttrStyle::Inner(_))
}

/// The name and the arguments of an attribute that has arguments in parentheses. Those of a mark of a
/// [`Document`](crate::document::Document) say how a file is compiled and are not the program's.
pub(crate) fn list_of(node: Node<'_>) -> Option<&MetaList> {
    match node.syntax() {
        Syntax::Attribute(Attribute { meta: Meta::List(list), .. }) => {
            Some(list).filter(|list| list.path.segments[0].ident != "mcve")
        }
        _ => None,
    }
}

/// How many pieces a path at the beginning of `pieces` takes.
pub(crate) fn path_len(node: Node<'_>, pieces: &[TokenGroup]) -> usize {
    let colons = |index: usize| pieces.get(index).is_some_and(|piece| node.text_at(piece.range.clone()) == "::");
    let ident = |index: usize| pieces.get(index).is_some_and(|piece| matches!(piece.shape, Shape::Ident));
    let mut end = usize::from(colons(0));
    if !ident(end) {
        return 0;
    }
    end += 1;
    while colons(end) && ident(end + 1) {
        end += 2;
    }
    end
}
