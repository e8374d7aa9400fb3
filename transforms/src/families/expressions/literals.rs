//! Literals: smaller numbers, shorter strings, arrays of one element that is repeated.

use std::ops::Range;

use proc_macro2::TokenStream;
use syn::{Expr, Meta};

use crate::rule::{Proposals, Rule, family};
use crate::syntax::token_groups::{Shape, TokenGroup, token_groups};
use crate::syntax::types::is_length;
use crate::syntax::{Node, Syntax, range};
use crate::text::Edit;
use crate::text::literal::{numbers, string_parts, strings};

family! {
    "literals", "Makes numbers smaller, and strings and arrays shorter.", in Literals;

    /// Replace a number by 0, by 1, by one of fewer digits, by itself without its suffix.
    ///
    /// A length does not become 0.
    SIMPLIFY_NUMBER = "simplify-number", Rule::Node(|node, out| propose(node, out, numbers)),
        "const C: u32 = 1234u32;" => "const C: u32 = 0;";

    /// Replace a string by an empty one, by `"a"`, by its first or second half, by a plain one.
    SIMPLIFY_STRING = "simplify-string", Rule::Node(simplify_string),
        r#"const C: &str = "abcdef";"# => r#"const C: &str = "abc";"#;

    /// Delete a character of a string, or a line of a long one.
    ///
    /// Only of the data of a program that fails when it is run: there the string decides what runs.
    DELETE_STRING_PART = "delete-string-part", Rule::Node(delete_string_part), in Strings,
        r#"const C: &str = "abc";"# => r#"const C: &str = "ac";"#;

    /// Repeat the first element of an array of three or more in place of the others.
    ///
    /// The array keeps its length, so its type need not change. Comes early: a table may have thousands of elements.
    REPEAT_ELEMENT = "repeat-element", Rule::Node(repeat_element), in Bodies,
        "const A: [u8; 3] = [7, 8, 9];" => "const A: [u8; 3] = [7; 3];";
}

/// The literals that stand at `node` itself: a parsed one, those among bare tokens, those in an attribute.
fn literals(node: Node<'_>) -> Vec<Range<usize>> {
    match node.syntax() {
        Syntax::Lit(_) => {
            let mut ancestors = node.ancestors().map(Node::syntax);
            let is_doc = matches!((ancestors.next(), ancestors.next()), (Some(Syntax::Expr(_)), Some(Syntax::Attribute(attr)))
                if attr.path().is_ident("doc"));
            if is_doc { Vec::new() } else { vec![node.range()] }
        }
        Syntax::Tokens(tokens) => among(&token_groups(node.source_text(), tokens)).collect(),
        Syntax::Attribute(attr) => match &attr.meta {
            Meta::List(list) => nested(node.source_text(), &list.tokens),
            Meta::Path(_) | Meta::NameValue(_) => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn among(pieces: &[TokenGroup]) -> impl Iterator<Item = Range<usize>> {
    pieces.iter().filter(|piece| matches!(piece.shape, Shape::Literal)).map(|piece| piece.range.clone())
}

/// The literals of a stream, those in groups included.
fn nested(text: &str, stream: &TokenStream) -> Vec<Range<usize>> {
    let pieces = token_groups(text, stream);
    let inner = pieces.iter().filter_map(TokenGroup::contents).flat_map(|contents| nested(text, &contents.stream));
    among(&pieces).chain(inner).collect()
}

fn propose(node: Node<'_>, out: &mut Proposals<'_>, simpler: fn(&str) -> Vec<String>) {
    for range in literals(node) {
        let text = node.text_at(range.clone());
        let before_point = node.source_text()[range.end..].starts_with('.');
        let is_length = is_length(node);
        for candidate in simpler(text).into_iter().filter(|candidate| !is_length || candidate != "0") {
            // Two points need a space between them.
            if !(before_point && candidate.ends_with('.') && candidate.len() + 1 >= text.len()) {
                out.replace(range.clone(), candidate);
            }
        }
    }
}

fn simplify_string(node: Node<'_>, out: &mut Proposals<'_>) {
    // The strings in an attribute's list are names of features, lints and the like.
    if !matches!(node.syntax(), Syntax::Attribute(_)) {
        propose(node, out, strings);
    }
}

fn delete_string_part(node: Node<'_>, out: &mut Proposals<'_>) {
    if matches!(node.syntax(), Syntax::Attribute(_)) {
        return;
    }
    for literal in literals(node) {
        for part in string_parts(node.text_at(literal.clone())) {
            out.delete(literal.start + part.start..literal.start + part.end);
        }
    }
}

/// An array of fewer elements does not become shorter.
const LEAST: usize = 3;

fn repeat_element(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::Expr(Expr::Array(array)) = node.syntax()
        && array.elems.len() >= LEAST
    {
        // Up to the closing bracket.
        let rest = range(&array.elems[0]).end..node.range().end - 1;
        out.edit(node.range(), vec![Edit::replace(rest, format!("; {}", array.elems.len()))]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn literals_stand_in_expressions_patterns_macros_and_attributes() {
        check(
            &SIMPLIFY_NUMBER,
            "fn f() { match 9 { 10 => m!(=> 2u8), _ => n!(7) } }",
            &[
                "fn f() { match 9 { 0 => m!(=> 2u8), _ => n!(7) } }",
                "fn f() { match 9 { 1 => m!(=> 2u8), _ => n!(7) } }",
                "fn f() { match 9 { 5 => m!(=> 2u8), _ => n!(7) } }",
                "fn f() { match 9 { 10 => m!(=> 0), _ => n!(7) } }",
                "fn f() { match 9 { 10 => m!(=> 1), _ => n!(7) } }",
                "fn f() { match 9 { 10 => m!(=> 2), _ => n!(7) } }",
            ],
        );
        check(
            &SIMPLIFY_NUMBER,
            "#[repr(align(16))] struct S;",
            &["#[repr(align(0))] struct S;", "#[repr(align(1))] struct S;", "#[repr(align(8))] struct S;"],
        );
    }

    #[test]
    fn lengths_do_not_become_0() {
        check(
            &SIMPLIFY_NUMBER,
            "const C: [u8; 44] = [45; 1usize];",
            &[
                "const C: [u8; 1] = [45; 1usize];",
                "const C: [u8; 4] = [45; 1usize];",
                "const C: [u8; 44] = [0; 1usize];",
                "const C: [u8; 44] = [1; 1usize];",
                "const C: [u8; 44] = [4; 1usize];",
                "const C: [u8; 44] = [45; 1];",
            ],
        );
    }

    #[test]
    fn numbers_and_points_stay_apart() {
        check(&SIMPLIFY_NUMBER, "const C: u8 = 0.0..2;", &["const C: u8 = 0..2;", "const C: u8 = 1..2;"]);
        check(&SIMPLIFY_NUMBER, "const C: u8 = 1u8..2;", &["const C: u8 = 0..2;", "const C: u8 = 1..2;"]);
        check(
            &SIMPLIFY_NUMBER,
            "const C: u8 = 9.25.f();",
            &[
                "const C: u8 = 0. .f();", "const C: u8 = 0.f();", "const C: u8 = 1. .f();", "const C: u8 = 1.f();",
                "const C: u8 = 9.f();", "const C: u8 = 9. .f();", "const C: u8 = 9.2.f();",
            ],
        );
    }

    #[test]
    fn documentation_and_features_are_left_alone() {
        check(&SIMPLIFY_STRING, "/// abc\n#[doc = \"abc\"] #[cfg(feature = \"abc\")] fn f() {}", &[]);
        check(&SIMPLIFY_STRING, "extern \"C\" fn f(x: (u8,)) { x.0 }", &[]);
    }

    #[test]
    fn the_first_element_is_repeated() {
        check(&REPEAT_ELEMENT, "const A: B = [f(1), 2, 3,];", &["const A: B = [f(1); 3];"]);
        check(
            &REPEAT_ELEMENT,
            "const A: B = [[1, 2, 3], [4, 5], []];",
            &["const A: B = [[1, 2, 3]; 3];", "const A: B = [[1; 3], [4, 5], []];"],
        );
    }

    #[test]
    fn what_is_short_or_repeated_is_left_alone() {
        check(&REPEAT_ELEMENT, "const A: B = [1, 2];", &[]);
        check(&REPEAT_ELEMENT, "const A: B = [1; 9];", &[]);
        check(&REPEAT_ELEMENT, "const A: B = (1, 2, 3);", &[]);
    }
}
