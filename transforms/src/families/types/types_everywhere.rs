//! Types that are written several times, replaced wherever they are written; and units, which are two tokens each, by numbers.

use std::collections::HashMap;

use syn::{Expr, PathArguments, Type};

use crate::names::Analysis;
use crate::placeholders::expectation::{Expectation, expectation};
use crate::rule::{Proposals, Rule, family};
use crate::syntax::types::{begins_arguments, is_like_parameters, nearest, needs_parentheses};
use crate::syntax::{Node, Syntax};
use crate::text::Edit;

family! {
    "types-everywhere", "Replaces types wherever they are written, and units by numbers.", in Types;

    /// Replace a type that is written several times by a type inside it, or by a small one, everywhere.
    ///
    /// What must be the same type in two places cannot change in one of them.
    REPLACE_TYPE_EVERYWHERE = "replace-type-everywhere", Rule::Tree(replace_type_everywhere),
        "fn f<T>(x: *const Box<T>) where *const Box<T>: Sized {}" => "fn f<T>(x: *const T) where *const T: Sized {}";

    /// Replace `()` by `u8` as a type and by `0` as a value, everywhere or in one place.
    UNIT_TO_NUMBER = "unit-to-number", Rule::Tree(unit_to_number),
        "impl A for () {} fn f() { g(()) }" => "impl A for u8 {} fn f() { g(0) }";
}

/// The replacements for a type without components.
const SMALL: [&str; 2] = ["u8", "()"];

fn replace_type_everywhere(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let mut written: HashMap<String, Vec<Node<'_>>> = HashMap::new();
    for node in analysis.nodes() {
        if let Syntax::Type(ty) = node.syntax()
            && is_composed(ty)
        {
            written.entry(node.text().split_whitespace().collect()).or_default().push(node);
        }
    }
    let mut several: Vec<Vec<Node<'_>>> = written.into_values().filter(|places| places.len() > 1).collect();
    several.sort_by_key(|places| (places[0].range().start, places[0].row()));
    for places in several.iter().filter(|places| !places.iter().any(|node| begins_arguments(*node))) {
        for kept in nearest(places[0]) {
            if places.iter().any(|place| is_like_parameters(*place, kept)) {
                continue;
            }
            let replaced = places.iter().map(|place| {
                let bare = kept.text();
                let text = if needs_parentheses(*place, kept) { format!("({bare})") } else { bare.to_owned() };
                Edit::replace(place.range(), text)
            });
            out.edit(places[0].range(), replaced.collect());
        }
        for small in SMALL {
            let replaced = places.iter().map(|place| Edit::replace(place.range(), small));
            out.edit(places[0].range(), replaced.collect());
        }
    }
}

/// Whether `ty` is more than a name: names are replaced where they are defined. `()` is two tokens.
fn is_composed(ty: &Type) -> bool {
    match ty {
        Type::Path(ty) => {
            ty.qself.is_some() || ty.path.segments.iter().any(|segment| segment.arguments != PathArguments::None)
        }
        Type::Infer(_) | Type::Macro(_) | Type::Never(_) => false,
        _ => true,
    }
}

fn unit_to_number(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let edits: Vec<Edit> = analysis.nodes().filter_map(as_number).collect();
    if let [first, _, ..] = &edits[..] {
        out.edit(first.range.clone(), edits.clone());
    }
    for edit in edits {
        out.edit(edit.range.clone(), vec![edit]);
    }
}

/// The edit that makes a unit a number. What a function returns and what nothing is done with stays.
fn as_number(node: Node<'_>) -> Option<Edit> {
    let text = match node.syntax() {
        Syntax::Type(Type::Tuple(ty)) if ty.elems.is_empty() && !begins_arguments(node) => {
            let is_returned = matches!(node.parent()?.syntax(), Syntax::ReturnType(_));
            (!is_returned).then_some("u8")?
        }
        Syntax::Expr(Expr::Tuple(value)) if value.elems.is_empty() => {
            let is_written = matches!(node.parent()?.syntax(), Syntax::Local(_) | Syntax::Item(_));
            let is_free = is_written || matches!(expectation(node), Expectation::Open);
            is_free.then_some("0")?
        }
        _ => return None,
    };
    Some(Edit::replace(node.range(), text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn all_places_of_a_type_change() {
        check(
            &REPLACE_TYPE_EVERYWHERE,
            "fn f(x: Vec<Box<u8>>, y: & Vec<Box <u8>>) { z as [u8; 2] }",
            &[
                "fn f(x: Box<u8>, y: & Box<u8>) { z as [u8; 2] }",
                "fn f(x: u8, y: & u8) { z as [u8; 2] }",
                "fn f(x: (), y: & ()) { z as [u8; 2] }",
                "fn f(x: Vec<u8>, y: & Vec<u8>) { z as [u8; 2] }",
                "fn f(x: Vec<()>, y: & Vec<()>) { z as [u8; 2] }",
            ],
        );
    }

    #[test]
    fn a_part_gets_the_parentheses_that_its_place_asks_for() {
        check(
            &REPLACE_TYPE_EVERYWHERE,
            "type A = Box<dyn B + C>; type D = &'a Box<dyn B + C>;",
            &[
                "type A = dyn B + C; type D = &'a (dyn B + C);",
                "type A = u8; type D = &'a u8;",
                "type A = (); type D = &'a ();",
                "type A = Box<u8>; type D = &'a Box<u8>;",
                "type A = Box<()>; type D = &'a Box<()>;",
            ],
        );
    }

    #[test]
    fn the_unit_type_is_longer_than_a_name() {
        check(
            &REPLACE_TYPE_EVERYWHERE,
            "impl A for () {} fn f() { <()>::a }",
            &["impl A for u8 {} fn f() { <u8>::a }"],
        );
    }

    #[test]
    fn names_and_what_is_written_once_are_left_to_others() {
        check(&REPLACE_TYPE_EVERYWHERE, "fn f(x: Abc, y: Abc, z: u8, w: u8) -> ! { let a: _ = b; let c: _ = d; }", &[]);
        check(&REPLACE_TYPE_EVERYWHERE, "fn f(x: &A, y: &B, z: Vec<A>) {}", &[]);
        check(&REPLACE_TYPE_EVERYWHERE, "fn f(x: m!(), y: m!()) {}", &[]);
    }

    #[test]
    fn types_change_with_their_values() {
        check(
            &UNIT_TO_NUMBER,
            "fn f(a: [(); 2]) { g(()); let b: () = (); }",
            &[
                "fn f(a: [u8; 2]) { g(0); let b: u8 = 0; }",
                "fn f(a: [u8; 2]) { g(()); let b: () = (); }",
                "fn f(a: [(); 2]) { g(0); let b: () = (); }",
                "fn f(a: [(); 2]) { g(()); let b: u8 = (); }",
                "fn f(a: [(); 2]) { g(()); let b: () = 0; }",
            ],
        );
        check(&UNIT_TO_NUMBER, "impl A for () {}", &["impl A for u8 {}"]);
    }

    #[test]
    fn what_is_returned_or_discarded_stays() {
        check(&UNIT_TO_NUMBER, "fn f() -> () { (); () } fn g() { match a { _ => () } }", &[]);
    }
}
