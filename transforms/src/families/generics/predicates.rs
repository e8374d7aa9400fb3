//! Bounds and predicates in a simpler form, wherever they are written.

use std::collections::BTreeMap;

use syn::TypeParamBound;

use crate::names::analysis::Analysis;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::tree::{Syntax, range};
use crate::text::edit::Edit;

family! {
    "predicates", "Simplifies bounds and predicates wherever they are written.", in Generics;

    /// Replace a bound by `Copy`, everywhere.
    BOUND_TO_COPY = "bound-to-copy", Rule::Tree(bound_to_copy),
        "struct S<T: Iterator<Item = u8>>(T);\n\
         impl<T: Iterator<Item = u8>> Drop for S<T> {}"
        => "struct S<T: Copy>(T);\n\
            impl<T: Copy> Drop for S<T> {}";
}

/// Edits by what they change, as text, and where that is written first.
type Written = BTreeMap<Vec<String>, Vec<Edit>>;

fn bound_to_copy(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let mut written = Written::new();
    for node in analysis.nodes() {
        let Syntax::TypeParamBound(TypeParamBound::Trait(bound)) = node.syntax() else { continue };
        let is_plain = bound.maybe.is_none() && bound.lifetimes.is_none() && !bound.path.is_ident("Copy");
        let is_object = node.parent().is_some_and(|parent| matches!(parent.syntax(), Syntax::Type(_)));
        if is_plain && !is_object {
            let path = range(&bound.path);
            let key = vec![words(node.text_at(path.clone()))];
            written.entry(key).or_default().push(Edit::replace(path, "Copy"));
        }
    }
    propose(written, out);
}

/// Proposes each set of edits, that which begins first in the source first.
fn propose(written: Written, out: &mut Proposals<'_>) {
    let mut all: Vec<Vec<Edit>> = written.into_values().collect();
    for edits in &mut all {
        edits.sort_by_key(|edit| edit.range.start);
    }
    all.sort_by_key(|edits| edits.first().map(|edit| edit.range.start));
    for edits in all {
        let site = edits.first().map_or(0..0, |edit| edit.range.clone());
        out.edit(site, edits);
    }
}

/// `text` with single spaces.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn every_place_of_a_bound_changes() {
        check(
            &BOUND_TO_COPY,
            "trait T: Clone + Iter<u8> { type U: Clone; } fn f<V: Iter<u8>>() where V: Clone, W: ?Sized {}",
            &[
                "trait T: Copy + Iter<u8> { type U: Copy; } fn f<V: Iter<u8>>() where V: Copy, W: ?Sized {}",
                "trait T: Clone + Copy { type U: Clone; } fn f<V: Copy>() where V: Clone, W: ?Sized {}",
            ],
        );
    }

    #[test]
    fn what_is_no_longer_or_an_object_stays() {
        check(
            &BOUND_TO_COPY,
            "fn f<T: Copy + Ab>(x: &dyn Clone, y: impl Clone) where for<'a> T: for<'b> Clone<'b> {}",
            &[],
        );
        check(&BOUND_TO_COPY, "fn f<T: 'static, U: ?Sized>() {}", &[]);
    }
}
