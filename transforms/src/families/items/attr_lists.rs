//! The arguments of attributes: derived traits, features, lints, conditions.

use crate::rule::propose::delete_segments;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::Node;
use crate::syntax::attributes::list_of;
use crate::syntax::generics::inside;
use crate::syntax::token_groups::{Shape, TokenGroup, segments, token_groups};

family! {
    "attr-lists", "Deletes and simplifies what attributes list.", in Attributes;

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
