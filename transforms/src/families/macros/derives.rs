//! Derived impls written out.

use syn::{GenericParam, Generics, Item};

use crate::rule::{Proposals, Rule, family};
use crate::syntax::attributes::list_of;
use crate::syntax::generics::{parameter_name, whole_where};
use crate::syntax::token_groups::{self, segments};
use crate::syntax::{Node, Syntax, range};
use crate::text::Edit;

family! {
    "derives", "Writes derived impls out.", in Expansions;

    /// Replace a derived trait of the standard library by an impl of it.
    ///
    /// A trial, as it grows. What rustc makes of a derive names unstable items of the library, which no stable compiler takes
    /// back, and its bodies are the first that would go: they loop from the beginning.
    DERIVE_TO_IMPL = "derive-to-impl", Rule::Node(derive_to_impl),
        "#[derive(Clone, Copy)]\n\
         struct S<T>(T);"
        => "#[derive(Copy)]\n\
            struct S<T>(T);\n\
            impl<T: Clone> Clone for S<T> {\n    fn clone(&self) -> Self {\n        loop {}\n    }\n\
            }";
}

/// The traits that can be derived, where they are, and what an impl must have.
const TRAITS: &[(&str, &str, &str)] = &[
    ("Clone", "Clone", "fn clone(&self) -> Self { loop {} }"),
    ("Copy", "Copy", ""),
    ("Debug", "std::fmt::Debug", "fn fmt(&self, _: &mut std::fmt::Formatter) -> std::fmt::Result { loop {} }"),
    ("Default", "Default", "fn default() -> Self { loop {} }"),
    ("PartialEq", "PartialEq", "fn eq(&self, _: &Self) -> bool { loop {} }"),
    ("Eq", "Eq", ""),
    ("PartialOrd", "PartialOrd", "fn partial_cmp(&self, _: &Self) -> Option<std::cmp::Ordering> { loop {} }"),
    ("Ord", "Ord", "fn cmp(&self, _: &Self) -> std::cmp::Ordering { loop {} }"),
    ("Hash", "std::hash::Hash", "fn hash<H: std::hash::Hasher>(&self, _: &mut H) { loop {} }"),
];

fn derive_to_impl(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Attribute(attr) = node.syntax() else { return };
    let Some(list) = list_of(node).filter(|list| list.path.is_ident("derive")) else { return };
    let Some(item) = node.parent() else { return };
    let (ident, generics) = match item.syntax() {
        Syntax::Item(Item::Enum(item)) => (&item.ident, &item.generics),
        Syntax::Item(Item::Struct(item)) => (&item.ident, &item.generics),
        Syntax::Item(Item::Union(item)) => (&item.ident, &item.generics),
        _ => return,
    };
    let text = node.source_text();
    let pieces = token_groups::token_groups(text, &list.tokens);
    let derived = segments(text, &pieces, ",");
    for (index, segment) in derived.iter().enumerate() {
        let name = segment.pieces.last().map_or("", |piece| &text[piece.range.clone()]);
        let Some((_, path, body)) = TRAITS.iter().find(|(known, ..)| *known == name) else { continue };
        let mut edits = token_groups::list(&derived).without_or(index, range(attr));
        let end = item.range().end;
        let header = header(item, generics, path, &ident.to_string());
        edits.push(Edit::replace(end..end, format!("\n{header} {{ {body} }}")));
        edits.sort_by_key(|edit| edit.range.start);
        out.trial(segment.range.clone(), edits);
    }
}

/// The impl of the trait at `path`, which all type parameters must have, too, up to its body.
fn header(item: Node<'_>, generics: &Generics, path: &str, name: &str) -> String {
    let declared = generics.params.iter().map(|param| match param {
        GenericParam::Type(param) => {
            let bounds = param.bounds.iter().map(|bound| item.text_at(range(bound)));
            let bounds: Vec<&str> = bounds.chain([path]).collect();
            format!("{}: {}", param.ident, bounds.join(" + "))
        }
        GenericParam::Lifetime(_) => item.text_at(range(param)).to_owned(),
        GenericParam::Const(param) => format!("const {}: {}", param.ident, item.text_at(range(&param.ty))),
    });
    let declared: Vec<String> = declared.collect();
    let names: Vec<String> = generics.params.iter().map(parameter_name).collect();
    let angles = |list: &[String]| if list.is_empty() { String::new() } else { format!("<{}>", list.join(", ")) };
    let clause = whole_where(generics).map_or("", |clause| item.text_at(clause));
    format!("impl{} {path} for {name}{} {clause}", angles(&declared), angles(&names))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{testing::check, testing::check_trials};

    #[test]
    fn each_derived_trait_becomes_an_impl() {
        check_trials(
            &DERIVE_TO_IMPL,
            "#[derive(Eq, std::fmt::Debug, serde::Serialize)] enum E { A }",
            &[
                "#[derive(std::fmt::Debug, serde::Serialize)] enum E { A }\nimpl Eq for E { }",
                "#[derive(Eq, serde::Serialize)] enum E { A }\nimpl std::fmt::Debug for E { fn fmt(&self, _: &mut std::fmt::Formatter) -> std::fmt::Result { loop {} } }",
            ],
        );
    }

    #[test]
    fn parameters_get_the_trait_as_a_bound() {
        check_trials(
            &DERIVE_TO_IMPL,
            "#[derive(Copy)] struct S<'a, T: A + B = u8, const N: usize = 1>(T) where T: C;",
            &[
                "struct S<'a, T: A + B = u8, const N: usize = 1>(T) where T: C;\nimpl<'a, T: A + B + Copy, const N: usize> Copy for S<'a, T, N> where T: C { }",
            ],
        );
    }

    #[test]
    fn other_derives_and_attributes_stay() {
        check_trials(&DERIVE_TO_IMPL, "#[derive(Serialize)] #[allow(Clone)] struct S; #[derive(Clone)] fn f() {}", &[]);
        check(&DERIVE_TO_IMPL, "#[derive(Clone)] struct S;", &[]);
    }
}
