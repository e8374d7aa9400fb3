//! Associated types that give way to what the impls give them.

use std::collections::BTreeMap;
use std::ops::Range;

use syn::{GenericArgument, ImplItem, PathArguments, TraitItem};

use crate::names::references::retype;
use crate::names::{Definition, Reference};
use crate::placeholders::instantiate::Instantiation;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::{generics, qself, whole_arguments};
use crate::syntax::{List, Node, Occurrence, Syntax, Tree, range};
use crate::text::{Edit, outermost};

family! {
    "associated-types", "Puts types in the place of associated ones.", in Coupled at 24;

    /// Replace an associated type by the type that its impls give it, and delete it.
    ///
    /// The next alternatives are `u8` and `()`.
    INLINE_ASSOCIATED_TYPE = "inline-associated-type", Rule::Node(inline_associated_type),
        "trait A { type B; fn f() -> Self::B; }\n\
         impl A for u8 { type B = bool; fn f() -> bool { true } }\n\
         fn g<T: A<B = bool>>(b: T::B) {}"
        => "trait A { fn f() -> bool; }\n\
            impl A for u8 { fn f() -> bool { true } }\n\
            fn g<T: A>(b: bool) {}";
}

/// The type that `occurrence` is an associated item of, by way of the trait `home`.
fn base<'t>(occurrence: &Occurrence<'t>, home: &str) -> Option<&'t str> {
    let (path, syntax, index) = occurrence.path()?;
    let before = syntax.segments.iter().nth(index.checked_sub(1)?)?;
    let owner = path.parent()?;
    let Some(qself) = qself(owner.syntax()) else {
        return Some(path.text_at(path.range().start..range(before).end));
    };
    let is_own = path.text_at(range(&before.ident)) == home;
    (is_own && index == qself.position).then(|| path.text_at(range(&*qself.ty)))
}

fn inline_associated_type(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::TraitItem(TraitItem::Type(item)) = node.syntax() else { return };
    let Some(home) = node.parent().and_then(Definition::of).filter(Definition::is_trait) else { return };
    let name = node.text_at(range(&item.ident));
    let mut doomed = vec![node.range()];
    let mut types: Vec<(Node<'_>, Range<usize>)> = Vec::new();
    let impls = node.tree().occurrences(home.name()).filter_map(|occurrence| match Reference::of(&occurrence) {
        Some(Reference::Impl(node)) => Some(node),
        _ => None,
    });
    for (implementation, inner) in impls.flat_map(|home| home.children().map(move |item| (home, item))) {
        if let Syntax::ImplItem(ImplItem::Type(item)) = inner.syntax()
            && inner.text_at(range(&item.ident)) == name
        {
            doomed.push(inner.range());
            types.push((implementation, range(&item.ty)));
        }
    }
    types.extend(item.default.as_ref().map(|(_, ty)| (node, range(ty))));
    let given = common(&types).map(|ty| node.text_at(ty));
    let mut texts: Vec<&str> = given.into_iter().collect();
    texts.extend(["u8", "()"].into_iter().filter(|text| given != Some(*text)));
    for text in texts {
        out.edit(node.range(), replaced(node, home.name(), name, text, &doomed));
    }
}

/// The type that all impls give, if it means the same everywhere.
fn common(types: &[(Node<'_>, Range<usize>)]) -> Option<Range<usize>> {
    let (first, others) = types.split_first()?;
    let text = first.0.text_at(first.1.clone());
    let alike = others.iter().all(|(node, ty)| node.text_at(ty.clone()) == text);
    let closed = types.iter().all(|(node, ty)| {
        generics(node.syntax())
            .is_none_or(|generics| !Instantiation::of(*node, generics, &PathArguments::None).concerns(*node, ty))
    });
    (alike && closed).then(|| first.1.clone())
}

/// The edits that put `text` in the place of the associated type `name` of a trait.
fn replaced(node: Node<'_>, home: &str, name: &str, text: &str, doomed: &[Range<usize>]) -> Vec<Edit> {
    let tree = node.tree();
    let mut edits: Vec<Edit> = doomed.iter().cloned().map(Edit::delete).collect();
    let mut arguments: BTreeMap<usize, Vec<Range<usize>>> = BTreeMap::new();
    for occurrence in tree.occurrences(name) {
        match constraint(&occurrence, home) {
            Some((list, argument)) => arguments.entry(list.row()).or_default().push(argument.range()),
            // `T::occurrence` or `<T as home>::occurrence`, with `T` for `Self`.
            None => edits.extend(
                base(&occurrence, home).and_then(|base| retype(&occurrence, if text == "Self" { base } else { text })),
            ),
        }
    }
    edits.extend(without_arguments(tree, &arguments));
    outermost(edits)
}

/// The arguments that `occurrence` names an associated type of the trait `home` in, and the argument: `home<occurrence = u8>`.
fn constraint<'t>(occurrence: &Occurrence<'t>, home: &str) -> Option<(Node<'t>, Node<'t>)> {
    let argument = occurrence.node?.parent()?;
    let ident = match argument.syntax() {
        Syntax::GenericArgument(GenericArgument::AssocType(argument)) => &argument.ident,
        Syntax::GenericArgument(GenericArgument::Constraint(argument)) => &argument.ident,
        _ => return None,
    };
    let list = argument.parent()?;
    let segment = list.parent()?;
    let Syntax::PathSegment(syntax) = segment.syntax() else { return None };
    let is_own = segment.text_at(range(&syntax.ident)) == home && range(ident) == occurrence.range;
    is_own.then_some((list, argument))
}

/// The edits that delete arguments in angle brackets, by the rows of their lists.
fn without_arguments(tree: &Tree<'_>, doomed: &BTreeMap<usize, Vec<Range<usize>>>) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (row, ranges) in doomed {
        let node = tree.node(*row);
        let Syntax::PathArguments(PathArguments::AngleBracketed(arguments)) = node.syntax() else { continue };
        let list = List::bare(node, &arguments.args);
        edits.extend(list.without_all(&list.indices(ranges), Some(whole_arguments(arguments))));
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn a_projection_becomes_the_type() {
        check(
            &INLINE_ASSOCIATED_TYPE,
            "trait A { type B: C; } impl A for D { type B = u8; } fn f<T: A<u16, B = u8>>(x: T::B, y: <D as m::A>::B) -> E<T::B> where T::B: C { T::B::g() }",
            &[
                "trait A { } impl A for D { } fn f<T: A<u16>>(x: u8, y: u8) -> E<u8> where u8: C { u8::g() }",
                "trait A { } impl A for D { } fn f<T: A<u16>>(x: (), y: ()) -> E<()> where (): C { <()>::g() }",
            ],
        );
        check(
            &INLINE_ASSOCIATED_TYPE,
            "trait A { type B; } impl A for u8 { type B = Self; } fn f<T: A<B: C>>() -> T::B {}",
            &[
                "trait A { } impl A for u8 { } fn f<T: A>() -> T {}",
                "trait A { } impl A for u8 { } fn f<T: A>() -> u8 {}",
                "trait A { } impl A for u8 { } fn f<T: A>() -> () {}",
            ],
        );
    }

    #[test]
    fn types_that_differ_or_depend_on_parameters_are_not_told() {
        let expected =
            ["trait A { } impl<T> A for T { } fn f() -> u8 {}", "trait A { } impl<T> A for T { } fn f() -> () {}"];
        check(
            &INLINE_ASSOCIATED_TYPE,
            "trait A { type B; } impl<T> A for T { type B = T; } fn f() -> C::B {}",
            &expected,
        );
        check(
            &INLINE_ASSOCIATED_TYPE,
            "trait A { type B = C; } impl<T> A for T { type B = D; } fn f() -> C::B {}",
            &expected,
        );
    }

    #[test]
    fn other_traits_and_names_are_left_alone() {
        check(
            &INLINE_ASSOCIATED_TYPE,
            "trait A { type B; } fn f<T: C<B = D>>(b: B, x: <D as C>::B) { x.B }",
            &["trait A { } fn f<T: C<B = D>>(b: B, x: <D as C>::B) { x.B }"],
        );
        check(&INLINE_ASSOCIATED_TYPE, "impl A for C { type B = D; fn f() -> Self::B {} } type B = D;", &[]);
    }
}
