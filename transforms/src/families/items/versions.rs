//! Two versions of a node, each with a `cfg`.

use crate::rule::{Proposals, Rule, family};
use crate::syntax::Node;
use crate::syntax::versions::{condition, is_conditional, merged_nodes};
use crate::text::Edit;

family! {
    "versions", "Merges nodes that differ in their `cfg`.", in Attributes;

    /// Keep one of two nodes that each have a `cfg`, without it.
    KEEP_VERSION = "keep-version", Rule::Node(keep_version),
        "#[cfg(a)]\n\
         struct S(u8);\n\
         #[cfg(b)]\n\
         struct S(u16);"
        => "struct S(u16);";

    /// Move the `cfg`s of two nodes to what they differ in.
    NARROW_VERSIONS = "narrow-versions", Rule::Node(narrow_versions),
        "#[cfg(a)]\n\
         fn f() { g(1); h() }\n\
         #[cfg(b)]\n\
         fn f() { h() }"
        => "fn f() {  #[cfg(a)] g(1); h() }";
}

/// The node behind `node`, if both have a `cfg` of their own; the condition of each and where the rest of each begins.
fn pair(node: Node<'_>) -> Option<(Node<'_>, [(&str, usize); 2])> {
    if !is_conditional(node) {
        return None;
    }
    let own = condition(node)?;
    let next = node
        .parent()?
        .children()
        .filter(|next| next.range().start >= node.range().end)
        .min_by_key(|next| next.range().start)?;
    let other = condition(next).filter(|(other, _)| is_conditional(next) && *other != own.0)?;
    Some((next, [own, other]))
}

fn keep_version(node: Node<'_>, out: &mut Proposals<'_>) {
    let Some((next, [(_, own), (_, other)])) = pair(node) else { return };
    let (first, second) = (node.range(), next.range());
    let site = first.start..second.end;
    // The comma between goes with the first one.
    out.edit(site.clone(), vec![Edit::delete(first.start..second.start), Edit::delete(second.start..other)]);
    out.edit(site, vec![Edit::delete(first.start..own), Edit::delete(first.end..second.end)]);
}

fn narrow_versions(node: Node<'_>, out: &mut Proposals<'_>) {
    let Some((next, [own, other])) = pair(node) else { return };
    if let Some(text) = merged_nodes([(node, own.1), (next, other.1)], [own.0, other.0]) {
        out.replace(node.range().start..next.range().end, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn either_version_is_kept() {
        check(&KEEP_VERSION, "enum E { #[cfg(a)] A, #[cfg(b)] B }", &["enum E { B }", "enum E { A }"]);
        let text = "fn f() -> u8 { #[cfg(a)] { 1 } #[cfg(b)] { 2 } }";
        check(&KEEP_VERSION, text, &["fn f() -> u8 { { 2 } }", "fn f() -> u8 { { 1 } }"]);
    }

    #[test]
    fn nodes_of_one_condition_are_no_versions() {
        for text in ["#[cfg(a)] fn f() {} #[cfg(a)] fn g() {}", "#[cfg(a)] fn f() {} fn g() {} #[cfg(b)] fn h() {}"] {
            check(&KEEP_VERSION, text, &[]);
            check(&NARROW_VERSIONS, text, &[]);
        }
    }

    #[test]
    fn conditions_move_inside() {
        check(
            &NARROW_VERSIONS,
            "#[cfg(a)] impl S { fn f() { x() } fn g() { x() } } #[cfg(b)] impl S { fn f() { x() } fn g() { y() } }",
            &["impl S { fn f() { x() } fn g() { #[cfg(a)] { x() } #[cfg(b)] { y() } } }"],
        );
        check(&NARROW_VERSIONS, "#[cfg(a)] struct S(u8); #[cfg(b)] struct T(u8);", &[]);
    }
}
