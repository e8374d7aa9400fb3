//! Removes `#[ignore]` from a test so that it runs like the others.

use mcve_reduce::program::edited;
use mcve_transforms::{Source, Syntax, Tree, range};

/// The text without `#[ignore]` on the tests of this name, in any module; none if there is no such attribute.
pub fn enabled(text: &str, test: &str) -> Option<String> {
    let name = test.rsplit("::").next().unwrap_or(test);
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let attributes = tree.nodes().filter_map(|node| match node.syntax() {
        Syntax::Item(syn::Item::Fn(function)) if function.sig.ident == name => Some(&function.attrs),
        _ => None,
    });
    let ignoring = attributes.flatten().filter(|attribute| attribute.path().is_ident("ignore"));
    let mut edits: Vec<_> = ignoring.map(|attribute| (range(attribute), String::new())).collect();
    edits.dedup();
    (!edits.is_empty()).then(|| edited(text, edits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_is_ignored_becomes_one_that_is_not() {
        let text = "#[ignore] fn g() {}\nmod tests { #[test] #[ignore = \"slow\"] fn f() {} }";
        let expected = "#[ignore] fn g() {}\nmod tests { #[test]  fn f() {} }";
        assert_eq!(enabled(text, "tests::f").as_deref(), Some(expected));
        assert_eq!(enabled("#[test] fn f() {}", "f"), None);
    }
}
