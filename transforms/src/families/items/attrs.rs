//! Attributes and documentation, whole.

use syn::{Attribute, Meta};

use crate::rule::{Proposals, Rule, family, parts};
use crate::syntax::attributes::{is_inner, list_of, path_len};
use crate::syntax::generics::inside;
use crate::syntax::token_groups::{Shape, TokenGroup, segments, token_groups};
use crate::syntax::{Node, Syntax, range};
use crate::text::Edit;

family! {
    "attrs", "Deletes attributes and documentation.", in Attributes;

    /// Delete the documentation of a node: all doc comments and `doc` attributes that follow each other.
    DELETE_DOC = "delete-doc", Rule::Node(delete_doc),
        "/// What it does,\n\
         /// and why.\n\
         #[inline]\n\
         fn f() {}"
        => "#[inline]\n\
            fn f() {}";

    /// Delete an attribute.
    DELETE_ATTRIBUTE = "delete-attribute", parts!(node, Syntax::Attribute(attr) if !is_doc(attr) => node.range()),
        "#[inline]\n\
         fn f() {}"
        => "fn f() {}";

    /// Replace `#[cfg_attr(..)]` or `#[unsafe(..)]` by an attribute that it holds.
    UNWRAP_ATTRIBUTE = "unwrap-attribute", Rule::Node(unwrap_attribute),
        "#[cfg_attr(test, inline)]\n\
         fn f() {}"
        => "#[inline]\n\
            fn f() {}";

    /// Delete what an attribute says after its name.
    DELETE_ATTRIBUTE_ARGUMENTS = "delete-attribute-arguments", Rule::Node(delete_attribute_arguments),
        "#[inline(always)]\n\
         fn f() {}"
        => "#[inline]\n\
            fn f() {}";

}

/// Attributes that mean nothing without arguments.
const NEED_ARGUMENTS: [&str; 13] = [
    "allow", "cfg", "cfg_attr", "deny", "derive", "doc", "expect", "feature", "forbid", "link", "repr", "unsafe",
    "warn",
];

fn is_doc(attr: &Attribute) -> bool {
    matches!(attr.meta, Meta::NameValue(_)) && attr.path().is_ident("doc")
}

fn delete_doc(node: Node<'_>, out: &mut Proposals<'_>) {
    let doc = |child: &Node<'_>| match child.syntax() {
        Syntax::Attribute(attr) if is_doc(attr) => Some(is_inner(attr)),
        _ => None,
    };
    let children: Vec<Node<'_>> = node.children().collect();
    for docs in children.chunk_by(|child, next| doc(child) == doc(next)).filter(|docs| doc(&docs[0]).is_some()) {
        let site = docs[0].range().start..docs[docs.len() - 1].range().end;
        out.edit(site, docs.iter().map(|doc| Edit::delete(doc.range())).collect());
    }
}

fn unwrap_attribute(node: Node<'_>, out: &mut Proposals<'_>) {
    let Some(list) = list_of(node) else { return };
    let first = match () {
        () if list.path.is_ident("cfg_attr") => 1,
        () if list.path.is_ident("unsafe") => 0,
        () => return,
    };
    let Syntax::Attribute(attr) = node.syntax() else { return };
    let site = inside(attr.bracket_token.span);
    let pieces = token_groups(node.source_text(), &list.tokens);
    for segment in segments(node.source_text(), &pieces, ",").iter().skip(first) {
        if is_meta(node, segment.pieces) {
            out.keep(site.clone(), segment.range.clone());
        }
    }
}

/// Whether `pieces` are a path, alone or with a group or a value after it.
fn is_meta(node: Node<'_>, pieces: &[TokenGroup]) -> bool {
    let path = path_len(node, pieces);
    match &pieces[path..] {
        [] => path > 0,
        [TokenGroup { shape: Shape::Group(_), .. }] => path > 0,
        [equals, TokenGroup { shape: Shape::Literal, .. }] => path > 0 && node.text_at(equals.range.clone()) == "=",
        _ => false,
    }
}

fn delete_attribute_arguments(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Attribute(attr) = node.syntax() else { return };
    if matches!(attr.meta, Meta::Path(_)) || NEED_ARGUMENTS.iter().any(|name| attr.path().is_ident(name)) {
        return;
    }
    let arguments = range(attr.path()).end..attr.bracket_token.span.close().byte_range().start;
    out.delete_in(node.range(), arguments);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn attributes_go_one_by_one_wherever_they_stand() {
        check(&DELETE_ATTRIBUTE, "#[a] #[b(c)] fn f() {}", &["#[b(c)] fn f() {}", "#[a] fn f() {}"]);
        check(&DELETE_ATTRIBUTE, "#![no_std] struct S;", &["struct S;"]);
        check(&DELETE_ATTRIBUTE, "fn f() { #![a] g() }", &["fn f() { g() }"]);
        check(&DELETE_ATTRIBUTE, "struct S { #[a] x: u8 }", &["struct S { x: u8 }"]);
        check(&DELETE_ATTRIBUTE, "enum E { #[a] A }", &["enum E { A }"]);
        check(&DELETE_ATTRIBUTE, "fn f(#[a] x: u8) {}", &["fn f(x: u8) {}"]);
        check(&DELETE_ATTRIBUTE, "impl S { fn f(#[a] &self) {} }", &["impl S { fn f(&self) {} }"]);
        check(&DELETE_ATTRIBUTE, "fn f<#[a] 'a, #[b] T>() {}", &["fn f<'a, #[b] T>() {}", "fn f<#[a] 'a, T>() {}"]);
        check(
            &DELETE_ATTRIBUTE,
            "fn f() { #[a] let x = #[b] 1; }",
            &["fn f() { let x = #[b] 1; }", "fn f() { #[a] let x = 1; }"],
        );
        check(&DELETE_ATTRIBUTE, "fn f() { match x { #[a] _ => {} } }", &["fn f() { match x { _ => {} } }"]);
        check(&DELETE_ATTRIBUTE, "fn f() { S { #[a] x: 1 } }", &["fn f() { S { x: 1 } }"]);
        check(&DELETE_ATTRIBUTE, "fn f() { let S { #[a] x } = s; }", &["fn f() { let S { x } = s; }"]);
        check(
            &DELETE_ATTRIBUTE,
            "type F = fn(#[a] u8, #[b] ...);",
            &["type F = fn(u8, #[b] ...);", "type F = fn(#[a] u8, ...);"],
        );
    }

    #[test]
    fn documentation_is_no_attribute() {
        check(&DELETE_ATTRIBUTE, "/// a\nfn f() {}", &[]);
        check(&DELETE_ATTRIBUTE, "#![doc = \"a\"]", &[]);
        check(&DELETE_ATTRIBUTE, "macro_rules! m { (#[$a:meta]) => {} }", &[]);
    }

    #[test]
    fn documentation_goes_as_a_whole() {
        check(&DELETE_DOC, "/// a\n/// b\nfn f() {}", &["fn f() {}"]);
        check(&DELETE_DOC, "/** a */ #[doc = \"b\"] struct S;", &["struct S;"]);
        check(&DELETE_DOC, "//! a\n//! b\n/// c\nfn f() {}", &["/// c\nfn f() {}", "//! a\n//! b\nfn f() {}"]);
        check(&DELETE_DOC, "/// a\nmod m { //! b\n }", &["mod m { //! b\n }", "/// a\nmod m { }"]);
        check(
            &DELETE_DOC,
            "struct S { /// a\n x: u8, /// b\n y: u8 }",
            &["struct S { x: u8, /// b\n y: u8 }", "struct S { /// a\n x: u8, y: u8 }"],
        );
    }

    #[test]
    fn a_comment_between_doc_lines_stays() {
        check(&DELETE_DOC, "/// a\n// x\n/// b\nfn f() {}", &["// x\nfn f() {}"]);
    }

    #[test]
    fn what_documents_nothing_is_left_alone() {
        check(&DELETE_DOC, "// a\n#[doc(hidden)] fn f() {}", &[]);
        check(&DELETE_DOC, "fn f() {} //// x", &[]);
    }

    #[test]
    fn wrapped_attributes_are_unwrapped() {
        check(
            &UNWRAP_ATTRIBUTE,
            "#[cfg_attr(all(a, b), c, d::e(f), g = 1,)] fn f() {}",
            &["#[c] fn f() {}", "#[d::e(f)] fn f() {}", "#[g = 1] fn f() {}"],
        );
        check(&UNWRAP_ATTRIBUTE, "#[unsafe(no_mangle)] fn f() {}", &["#[no_mangle] fn f() {}"]);
    }

    #[test]
    fn what_wraps_no_attribute_is_not_unwrapped() {
        check(&UNWRAP_ATTRIBUTE, "#[cfg(a)] #[inline(always)] #[unsafe] fn f() {}", &[]);
        check(&UNWRAP_ATTRIBUTE, "#[cfg_attr(a)] #[cfg_attr(a, b c, )] fn f() {}", &[]);
    }

    #[test]
    fn arguments_go_and_the_name_stays() {
        check(
            &DELETE_ATTRIBUTE_ARGUMENTS,
            "#[must_use = \"x\"] #[a::b(c)] fn f() {}",
            &["#[must_use] #[a::b(c)] fn f() {}", "#[must_use = \"x\"] #[a::b] fn f() {}"],
        );
    }

    #[test]
    fn arguments_that_are_needed_stay() {
        check(&DELETE_ATTRIBUTE_ARGUMENTS, "#[derive(A)] #[cfg(x)] #[allow(y)] #[z] struct S;", &[]);
        check(&DELETE_ATTRIBUTE_ARGUMENTS, "/// a\n#[doc = \"b\"] #[doc(hidden)] struct S;", &[]);
    }
}
