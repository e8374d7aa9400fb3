//! Items that are related to a text by name.

use std::collections::HashSet;
use std::ops::Range;

use super::analysis::Analysis;
use super::items::Item;
use crate::syntax::{Node, Syntax};
use crate::text::covers;
use crate::text::lex::{self, plain};

/// The items of the file and of its modules that hold the change `now`, or mention a name that the file defines and that the
/// change mentions. `before` is the text before the change, with its bytes there.
pub fn related_items(names: &Analysis<'_>, before: (&str, Range<usize>), now: &Range<usize>) -> Vec<Range<usize>> {
    let parts = [before, (names.source().text(), now.clone())];
    let words = parts.iter().flat_map(|(text, part)| {
        let tokens = lex::tokens(text).into_iter().map(|token| token.range);
        let inside = tokens.filter(|token| token.start < part.end && part.start < token.end);
        inside.map(|token| plain(&text[token]))
    });
    let words: HashSet<&str> = words.collect();
    let items = &names.items().all;
    let defined = items.iter().filter(|item| !item.is_import()).flat_map(Item::names);
    let shared: HashSet<&str> = defined.filter(|name| words.contains(name)).collect();
    let is_related = |item: &Range<usize>| {
        covers(item, now) || shared.iter().any(|name| names.uses(name, item.clone(), 0..0).next().is_some())
    };
    items.iter().map(|item| item.node).filter(|node| is_whole(*node)).map(Node::range).filter(is_related).collect()
}

/// Whether it is an item, but no module, that no other item but modules holds.
fn is_whole(node: Node<'_>) -> bool {
    let is_thing = |node: Node<'_>| matches!(node.syntax(), Syntax::Item(item) if !matches!(item, syn::Item::Mod(_)));
    is_thing(node) && !node.ancestors().any(is_thing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::source::Source;
    use crate::syntax::tree::Tree;

    #[track_caller]
    fn check(text: &str, before: (&str, Range<usize>), now: &str, expected: &[&str]) {
        let source = Source::parse(text);
        let at = text.find(now).expect("the change is in the text");
        let found = related_items(&Analysis::of(&Tree::new(&source)), before, &(at..at + now.len()));
        assert_eq!(found.into_iter().map(|range| &text[range]).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_shares_a_name_is_related() {
        check(
            "struct A; mod m { impl A { fn f() {} } fn g() {} } fn h() { m!(A::f) } macro_rules! m { () => {} }",
            ("f(A {})", 2..6),
            "",
            &["struct A;", "impl A { fn f() {} }", "fn h() { m!(A::f) }"],
        );
        check("macro_rules! m { () => {} } fn f() { g() }", ("m!(1)", 0..6), "", &["macro_rules! m { () => {} }"]);
    }

    #[test]
    fn the_item_that_changes_is_related() {
        check("fn f() -> A { 1 } fn g() { 2 } mod m { fn h() {} }", ("B(c)", 0..4), "2", &["fn g() { 2 }"]);
    }

    #[test]
    fn names_from_elsewhere_are_no_relation() {
        check(" fn f(x: u8) { x } fn g(x: u8) { x }", ("x: u8", 0..5), "", &[]);
        check(" fn f() {}", ("é f", 0..1), "", &[]);
    }
}
