//! A type of an item becomes a parameter of it.

use mcve_dd::random::Random;
use mcve_transforms::{Edit, Node, Syntax, Tree, covers, edited, range};
use syn::{Generics, Ident, ImplItem, Item, TraitItem};

/// The program with a new parameter of an item in all places of the item that have some type.
pub(super) fn generalize<'t>(tree: &'t Tree<'t>, random: &mut Random) -> Option<String> {
    let items: Vec<(Node<'_>, usize, &Generics)> =
        tree.nodes().filter_map(|node| generics(node).map(|(at, generics)| (node, at, generics))).collect();
    let (item, at, generics) = items.get(random.index(items.len().max(1)))?;
    let is_type = |node: &Node<'_>| matches!(node.syntax(), Syntax::Type(_)) && node.range().start > *at;
    let types: Vec<Node<'_>> = item.descendants().filter(is_type).collect();
    let chosen = types.get(random.index(types.len().max(1)))?.text();
    let parameter = format!("P{}", random.below(10));
    let declared = match &generics.gt_token {
        Some(gt) if generics.params.is_empty() || generics.params.trailing_punct() => {
            Edit::replace(range(gt).start..range(gt).start, &*parameter)
        }
        Some(gt) => Edit::replace(range(gt).start..range(gt).start, format!(", {parameter}")),
        None => Edit::replace(*at..*at, format!("<{parameter}>")),
    };
    let mut edits = vec![declared];
    for node in types.iter().filter(|node| node.text() == chosen) {
        if !edits.iter().any(|edit| covers(&edit.range, &node.range())) {
            edits.push(Edit::replace(node.range(), &*parameter));
        }
    }
    // A type of the parameters themselves may stand before the end of their list.
    edits.sort_by_key(|edit| edit.range.start);
    let text = tree.source().text();
    Some(edited(text, 0..text.len(), &edits))
}

/// Where an item declares its parameters, and those that it has.
fn generics(node: Node<'_>) -> Option<(usize, &Generics)> {
    let behind = |ident: &Ident| ident.span().byte_range().end;
    Some(match node.syntax() {
        Syntax::Item(Item::Enum(item)) => (behind(&item.ident), &item.generics),
        Syntax::Item(Item::Fn(item)) => (behind(&item.sig.ident), &item.sig.generics),
        Syntax::Item(Item::Impl(item)) => (item.impl_token.span.byte_range().end, &item.generics),
        Syntax::Item(Item::Struct(item)) => (behind(&item.ident), &item.generics),
        Syntax::Item(Item::Trait(item)) => (behind(&item.ident), &item.generics),
        Syntax::Item(Item::Type(item)) => (behind(&item.ident), &item.generics),
        Syntax::ImplItem(ImplItem::Fn(item)) => (behind(&item.sig.ident), &item.sig.generics),
        Syntax::ImplItem(ImplItem::Type(item)) => (behind(&item.ident), &item.generics),
        Syntax::TraitItem(TraitItem::Fn(item)) => (behind(&item.sig.ident), &item.sig.generics),
        Syntax::TraitItem(TraitItem::Type(item)) => (behind(&item.ident), &item.generics),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use mcve_transforms::Source;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let source = Source::parse(text);
        let mutants = (0..200).filter_map(|seed| generalize(&Tree::new(&source), &mut Random::new(seed)));
        // The number of a parameter does not matter.
        let is_digit = |c: char| c.is_ascii_digit();
        let mutants: BTreeSet<String> = mutants.map(|mutant| mutant.replace(is_digit, "")).collect();
        let expected: BTreeSet<String> = expected.iter().map(|text| (*text).to_owned()).collect();
        assert_eq!(mutants, expected);
    }

    #[test]
    fn a_type_becomes_a_parameter_in_all_of_its_places() {
        check("fn f(x: u, y: u) -> i {}", &["fn f<P>(x: P, y: P) -> i {}", "fn f<P>(x: u, y: u) -> P {}"]);
        check("struct S<T> { a: T, b: u }", &["struct S<T, P> { a: P, b: u }", "struct S<T, P> { a: T, b: P }"]);
        check("impl A for B {}", &["impl<P> A for P {}"]);
        check("fn f() {}", &[]);
    }
}
