//! Attributes and documentation: whole, and what they list: derived traits, features, lints, conditions.

use syn::{Attribute, Meta};

use crate::rule::propose::delete_segments;
use crate::rule::{Proposals, Rule, family, parts};
use crate::syntax::attributes::{is_inner, list_of, path_len};
use crate::syntax::generics::inside;
use crate::syntax::token_groups::{Shape, TokenGroup, segments, token_groups};
use crate::syntax::{Node, Syntax, range};
use crate::text::Edit;

family! {
    "attrs", "Deletes attributes and documentation, and simplifies what attributes list.", in Attributes;

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

    /// Delete an element of a list in an attribute: a derived trait, a feature, a lint.
    DELETE_ATTRIBUTE_ELEMENT = "delete-attribute-element", Rule::Node(delete_attribute_element),
        "#![feature(never_type, let_chains)]" => "#![feature(never_type)]";

    /// Delete a token of an attribute's list, a value, the contents of an inner list, or its name and brackets.
    ///
    /// So `any(a)` in a `cfg` becomes `a`, and `a = "b"` there becomes `a`, which is another option.
    DELETE_ATTRIBUTE_TOKEN = "delete-attribute-token", Rule::Node(delete_attribute_token), in Tokens,
        "#[serde(rename(serialize = \"a\"))]\n\
         struct A;"
        => "#[serde(serialize = \"a\")]\n\
            struct A;";
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

fn delete_attribute_element(node: Node<'_>, out: &mut Proposals<'_>) {
    let Some(list) = list_of(node) else { return };
    let pieces = token_groups(node.source_text(), &list.tokens);
    let condition = list.path.is_ident("cfg_attr").then(|| pieces.first().map(|piece| piece.range.start)).flatten();
    delete_elements(node, &pieces, condition, out);
}

/// Proposes to delete the elements of a list of two or more, but for the one at `kept`, and those of the lists inside.
fn delete_elements(node: Node<'_>, list: &[TokenGroup], kept: Option<usize>, out: &mut Proposals<'_>) {
    let text = node.source_text();
    let segments = segments(text, list, ",");
    let many = segments.len() > if kept.is_some() { 2 } else { 1 };
    delete_segments(&segments, out, |segment| many && Some(segment.range.start) != kept);
    for contents in list.iter().filter_map(TokenGroup::contents) {
        delete_elements(node, &token_groups(text, &contents.stream), None, out);
    }
}

fn delete_attribute_token(node: Node<'_>, out: &mut Proposals<'_>) {
    let Some(list) = list_of(node) else { return };
    out.delete(inside(*list.delimiter.span()));
    delete_tokens(node, &token_groups(node.source_text(), &list.tokens), out);
}

/// Proposes to delete the tokens of a list, but for commas between others, and those of the lists inside, which may be empty.
fn delete_tokens(node: Node<'_>, list: &[TokenGroup], out: &mut Proposals<'_>) {
    for (index, piece) in list.iter().enumerate() {
        if index + 1 == list.len() || node.text_at(piece.range.clone()) != "," {
            out.delete(piece.range.clone());
        }
        if let [sign, value, ..] = &list[index..]
            && node.text_at(sign.range.clone()) == "="
        {
            out.delete(sign.range.start..value.range.end);
        }
        if let Shape::Group(contents) = &piece.shape {
            let name = list[..index].last().filter(|before| matches!(before.shape, Shape::Ident));
            let start = name.map_or(piece.range.start, |name| name.range.start);
            out.keep(start..piece.range.end, contents.range.clone());
            out.delete(contents.range.clone());
            delete_tokens(node, &token_groups(node.source_text(), &contents.stream), out);
        }
    }
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

    #[test]
    fn elements_take_their_comma_along() {
        check(
            &DELETE_ATTRIBUTE_ELEMENT,
            "#[derive(A, b::B, C)] struct S;",
            &["#[derive(b::B, C)] struct S;", "#[derive(A, C)] struct S;", "#[derive(A, b::B)] struct S;"],
        );
        check(
            &DELETE_ATTRIBUTE_ELEMENT,
            "#[repr(C, packed(2),)] struct S;",
            &["#[repr(packed(2),)] struct S;", "#[repr(C,)] struct S;", "#[repr(C, packed(2))] struct S;"],
        );
        check(
            &DELETE_ATTRIBUTE_ELEMENT,
            "#[deny(a, reason = \"b, c\")] struct S;",
            &["#[deny(reason = \"b, c\")] struct S;", "#[deny(a)] struct S;"],
        );
    }

    #[test]
    fn what_a_crate_is_stays() {
        let text = "#[mcve::krate(\"a.rs\", \"--crate-name=a\", \"--edition=2021\")] mod a {\n}\nfn main() {}";
        check(&DELETE_ATTRIBUTE_ELEMENT, text, &[]);
    }

    #[test]
    fn elements_of_nested_lists_go_and_conditions_stay() {
        check(
            &DELETE_ATTRIBUTE_ELEMENT,
            "#[cfg(any(a, not(b)))] fn f() {}",
            &["#[cfg(any(not(b)))] fn f() {}", "#[cfg(any(a))] fn f() {}"],
        );
        check(
            &DELETE_ATTRIBUTE_ELEMENT,
            "#[cfg_attr(x, a, b)] fn f() {}",
            &["#[cfg_attr(x, b)] fn f() {}", "#[cfg_attr(x, a)] fn f() {}"],
        );
    }

    #[test]
    fn every_token_of_a_list_can_go() {
        check(
            &DELETE_ATTRIBUTE_TOKEN,
            "#[a(b, c::d(e = 1),)] struct S;",
            &[
                "#[a()] struct S;",
                "#[a(, c::d(e = 1),)] struct S;",
                "#[a(b, ::d(e = 1),)] struct S;",
                "#[a(b, c d(e = 1),)] struct S;",
                "#[a(b, c::(e = 1),)] struct S;",
                "#[a(b, c::d,)] struct S;",
                "#[a(b, c::e = 1,)] struct S;",
                "#[a(b, c::d(),)] struct S;",
                "#[a(b, c::d(= 1),)] struct S;",
                "#[a(b, c::d(e 1),)] struct S;",
                "#[a(b, c::d(e),)] struct S;",
                "#[a(b, c::d(e =),)] struct S;",
                "#[a(b, c::d(e = 1))] struct S;",
            ],
        );
        check(&DELETE_ATTRIBUTE_TOKEN, "#[a = \"b\"] #[c()] #[d] struct S;", &[]);
    }

    #[test]
    fn the_only_element_stays() {
        check(&DELETE_ATTRIBUTE_ELEMENT, "#[derive(A)] #[derive()] #[a] #[b = 1] struct S;", &[]);
        check(&DELETE_ATTRIBUTE_ELEMENT, "#[cfg_attr(a, b)] fn f(a: u8, b: u8) {}", &[]);
    }
}
