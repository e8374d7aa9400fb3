//! Impls of traits of the standard library with those that ask for them.

use syn::{Item, ItemImpl};

use crate::names::Analysis;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::{Node, Syntax, range};
use crate::text::Edit;

family! {
    "dependent-impls", "Deletes impls of standard traits with those that ask for them.", in Closures;

    /// Delete the impl of a trait of the standard library with those of the traits that it is a supertrait of.
    ///
    /// Each of the two may need the other.
    DELETE_DEPENDENT_IMPLS = "delete-dependent-impls", Rule::Tree(delete_dependent_impls),
        "struct S;\n\
         impl Clone for S { fn clone(&self) -> S { *self } }\n\
         impl Copy for S {}"
        => "struct S;";
}

/// Traits with a supertrait of theirs.
const SUPERTRAITS: [(&str, &str); 13] = [
    ("Copy", "Clone"),
    ("DerefMut", "Deref"),
    ("DoubleEndedIterator", "Iterator"),
    ("Eq", "PartialEq"),
    ("Error", "Debug"),
    ("Error", "Display"),
    ("ExactSizeIterator", "Iterator"),
    ("FnMut", "FnOnce"),
    ("FusedIterator", "Iterator"),
    ("IndexMut", "Index"),
    ("Ord", "Eq"),
    ("Ord", "PartialOrd"),
    ("PartialOrd", "PartialEq"),
];

/// Whether `one` is or asks for `other`.
fn asks_for(one: &str, other: &str) -> bool {
    one == other || SUPERTRAITS.iter().any(|(sub, supertrait)| *sub == one && asks_for(supertrait, other))
}

/// The impl of a trait, by its name and the type.
struct Impl<'t> {
    node: Node<'t>,
    name: String,
    ty: Vec<&'t str>,
}

fn delete_dependent_impls(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let impls: Vec<Impl<'_>> = analysis.nodes().filter_map(implementation).collect();
    for one in &impls {
        let dependent = impls.iter().filter(|other| other.ty == one.ty && asks_for(&other.name, &one.name));
        let edits: Vec<Edit> = dependent.map(|other| Edit::delete(other.node.range())).collect();
        // Alone it is what `delete-item` proposes.
        if edits.len() > 1 {
            out.edit(one.node.range(), edits);
        }
    }
}

fn implementation<'t>(node: Node<'t>) -> Option<Impl<'t>> {
    let Syntax::Item(Item::Impl(ItemImpl { trait_: Some((path, _)), self_ty, .. })) = node.syntax() else {
        return None;
    };
    let name = path.segments.last()?.ident.to_string();
    Some(Impl { node, name, ty: node.text_at(range(&**self_ty)).split_whitespace().collect() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn an_impl_goes_with_those_that_ask_for_it() {
        check(
            &DELETE_DEPENDENT_IMPLS,
            "impl std::cmp::PartialEq<S> for S {} impl<T> Clone for S {} impl Ord for S {} impl Eq for S {} impl Eq for u8 {}",
            &[
                "impl<T> Clone for S {} impl Eq for u8 {}",
                "impl std::cmp::PartialEq<S> for S {} impl<T> Clone for S {} impl Eq for u8 {}",
            ],
        );
    }

    #[test]
    fn impls_that_nothing_asks_for_are_left_to_others() {
        check(&DELETE_DEPENDENT_IMPLS, "impl Clone for S {} impl Copy for T {} impl Copy for &S {}", &[]);
        check(&DELETE_DEPENDENT_IMPLS, "impl Copy for S {} impl S {} impl A for S {}", &[]);
    }
}
