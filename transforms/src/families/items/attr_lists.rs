//! The arguments of attributes: derived traits, features, lints, conditions.

use crate::rule::propose::delete_segments;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::attributes::list_of;
use crate::syntax::token_groups::{Segment, Shape, TokenGroup, segments, token_groups};
use crate::syntax::tree::Node;

family! {
    "attr-lists", "Deletes and simplifies what attributes list.", in Attributes;

    /// Delete an element of a list in an attribute: a derived trait, a feature, a lint.
    DELETE_ATTRIBUTE_ELEMENT = "delete-attribute-element", Rule::Node(delete_attribute_element),
        "#![feature(never_type, let_chains)]" => "#![feature(never_type)]";

    /// Replace `any(..)`, `all(..)` or `not(..)` in a `cfg` by one of its operands.
    HOIST_CFG_OPERAND = "hoist-cfg-operand", Rule::Node(hoist_cfg_operand),
        "#[cfg(not(test))]\n\
         fn f() {}"
        => "#[cfg(test)]\n\
            fn f() {}";

    /// Drop the value of a `cfg` option.
    ///
    /// An option without a value is another one, which is not set.
    DROP_CFG_VALUE = "drop-cfg-value", Rule::Node(drop_cfg_value),
        "#[cfg(feature = \"serde\")]\n\
         fn f() {}"
        => "#[cfg(feature)]\n\
            fn f() {}";
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

fn hoist_cfg_operand(node: Node<'_>, out: &mut Proposals<'_>) {
    in_condition(node, &mut |condition| hoist_operands(node, condition, out));
}

fn drop_cfg_value(node: Node<'_>, out: &mut Proposals<'_>) {
    in_condition(node, &mut |condition| drop_values(node, condition, out));
}

/// Calls `act` with the condition of a `cfg` or `cfg_attr`.
fn in_condition(node: Node<'_>, act: &mut dyn FnMut(&[TokenGroup])) {
    let Some(list) = list_of(node) else { return };
    let pieces = token_groups(node.source_text(), &list.tokens);
    if list.path.is_ident("cfg") {
        act(&pieces);
    } else if list.path.is_ident("cfg_attr")
        && let Some(condition) = segments(node.source_text(), &pieces, ",").first()
    {
        act(condition.pieces);
    }
}

fn drop_values(node: Node<'_>, condition: &[TokenGroup], out: &mut Proposals<'_>) {
    let text = node.source_text();
    for Segment { range, pieces: operand, .. } in segments(text, condition, ",") {
        match operand {
            [name, sign, _] if &text[sign.range.clone()] == "=" => out.keep(range, name.range.clone()),
            [_, TokenGroup { shape: Shape::Group(contents), .. }] => {
                drop_values(node, &token_groups(text, &contents.stream), out)
            }
            _ => {}
        }
    }
}

fn hoist_operands(node: Node<'_>, list: &[TokenGroup], out: &mut Proposals<'_>) {
    let text = node.source_text();
    for Segment { range, pieces: operand, .. } in segments(text, list, ",") {
        let [name, TokenGroup { shape: Shape::Group(contents), .. }] = operand else { continue };
        if !["any", "all", "not"].contains(&&text[name.range.clone()]) {
            continue;
        }
        let inner = token_groups(text, &contents.stream);
        for segment in segments(text, &inner, ",").iter().filter(|segment| !segment.pieces.is_empty()) {
            out.keep(range.clone(), segment.range.clone());
        }
        hoist_operands(node, &inner, out);
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
    fn options_lose_their_values() {
        check(
            &DROP_CFG_VALUE,
            "#[cfg(any(a, not(b = \"c\"), d = \"e\"))] fn f() {}",
            &["#[cfg(any(a, not(b), d = \"e\"))] fn f() {}", "#[cfg(any(a, not(b = \"c\"), d))] fn f() {}"],
        );
        check(&DROP_CFG_VALUE, "#[cfg_attr(a = \"b\", c = \"d\")] fn f() {}", &["#[cfg_attr(a, c = \"d\")] fn f() {}"]);
        check(&DROP_CFG_VALUE, "#[cfg(a)] #[doc = \"b\"] #[deprecated(note = \"c\")] fn f() {}", &[]);
    }

    #[test]
    fn the_only_element_stays() {
        check(&DELETE_ATTRIBUTE_ELEMENT, "#[derive(A)] #[derive()] #[a] #[b = 1] struct S;", &[]);
        check(&DELETE_ATTRIBUTE_ELEMENT, "#[cfg_attr(a, b)] fn f(a: u8, b: u8) {}", &[]);
    }

    #[test]
    fn operands_of_a_condition_are_hoisted() {
        check(
            &HOIST_CFG_OPERAND,
            "#[cfg(any(a, not(b)))] fn f() {}",
            &["#[cfg(a)] fn f() {}", "#[cfg(not(b))] fn f() {}", "#[cfg(any(a, b))] fn f() {}"],
        );
        check(&HOIST_CFG_OPERAND, "#[cfg_attr(all(a), not(b))] fn f() {}", &["#[cfg_attr(a, not(b))] fn f() {}"]);
    }

    #[test]
    fn what_is_no_condition_is_not_hoisted() {
        check(&HOIST_CFG_OPERAND, "#[cfg(a)] #[cfg(any())] #[a(not(b))] fn f() {}", &[]);
    }
}
