//! Takes macros of other crates out of a program that is run, where it fails in the same way without them: the result then needs
//! fewer crates.

use std::ops::Range;

use mcve_reduce::program::{Program, edited};
use mcve_transforms::{Node, Source, Syntax, Tree, range};
use syn::{Item, UseTree};

/// Crates whose assertions have the names and the meaning of those of `std`, and print more.
const ASSERTIONS: [&str; 3] = ["pretty_assertions", "similar_asserts", "pretty_assertions_sorted"];

/// Their macros that `std` has, too.
const OF_STD: [&str; 3] = ["assert_eq", "assert_ne", "*"];

/// Macros that make documentation tests of a file, which no check runs.
const OF_DOCUMENTATION: [&str; 2] = ["doctest", "doc_comment"];

/// The program with the assertions of `std` and without the macros that test documentation; none if it has no other ones.
#[must_use]
pub fn without_macros(program: &Program) -> Option<Program> {
    let source = Source::parse(&program.text[..program.lists()]);
    let tree = Tree::new(&source);
    let mut edits: Vec<(Range<usize>, String)> =
        tree.nodes().filter_map(gone).map(|bytes| (bytes, String::new())).collect();
    edits.dedup();
    let plain = program.with_text(edited(&program.text, edits));
    (plain.text != program.text && plain.is_whole()).then_some(plain)
}

/// The bytes that go at this node.
fn gone(node: Node<'_>) -> Option<Range<usize>> {
    match node.syntax() {
        Syntax::Item(Item::Use(item)) => is_of_std(&item.tree).then(|| node.range()),
        Syntax::Item(Item::ExternCrate(item)) => {
            let is_macro_use = item.attrs.iter().any(|attribute| attribute.path().is_ident("macro_use"));
            (is_macro_use && ASSERTIONS.iter().any(|name| item.ident == name)).then(|| node.range())
        }
        Syntax::Item(Item::Macro(item)) => {
            let name = item.mac.path.segments.last()?;
            (item.ident.is_none() && OF_DOCUMENTATION.iter().any(|other| name.ident == other)).then(|| node.range())
        }
        Syntax::Macro(call) => {
            let (first, last) = (call.path.segments.first()?, call.path.segments.last()?);
            let is_assertion = ASSERTIONS.iter().any(|name| first.ident == name) && call.path.segments.len() > 1;
            let start = range(&call.path).start;
            (is_assertion && OF_STD.iter().any(|name| last.ident == name)).then(|| start..range(&last.ident).start)
        }
        _ => None,
    }
}

/// Whether a `use` brings only assertions that `std` has.
fn is_of_std(tree: &UseTree) -> bool {
    let UseTree::Path(path) = tree else { return false };
    let is_leaf = |tree: &UseTree| match tree {
        UseTree::Name(name) => OF_STD.iter().any(|other| name.ident == other),
        UseTree::Glob(_) => true,
        _ => false,
    };
    let is_of_std = match &*path.tree {
        UseTree::Group(group) => group.items.iter().all(is_leaf),
        tree => is_leaf(tree),
    };
    is_of_std && ASSERTIONS.iter().any(|name| path.ident == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let plain = without_macros(&Program::new("lib.rs", text));
        assert_eq!(plain.map(|program| program.text.to_string()).as_deref(), expected);
    }

    #[test]
    fn assertions_become_those_of_std() {
        check("mod t { use pretty_assertions::assert_eq; fn f() {} }", Some("mod t {  fn f() {} }"));
        check("use pretty_assertions::{assert_eq, assert_ne}; fn f() {}", Some(" fn f() {}"));
        check("#[macro_use] extern crate pretty_assertions; fn f() {}", Some(" fn f() {}"));
        check("fn f() { similar_asserts::assert_eq!(1, 2); }", Some("fn f() { assert_eq!(1, 2); }"));
        check("use pretty_assertions::{assert_eq, Comparison}; fn f() {}", None);
        check("use other::assert_eq; fn f() { other::assert_eq!(1, 2); }", None);
    }

    #[test]
    fn macros_that_test_documentation_go() {
        check("mod t { doctest!(\"../README.md\"); fn f() {} }", Some("mod t {  fn f() {} }"));
        check("macro_rules! doctest { () => {} } fn f() {}", None);
    }
}
