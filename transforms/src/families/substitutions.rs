//! Types and traits of the file that others stand in for, everywhere at once.

use std::collections::HashSet;
use std::ops::Range;

use proc_macro2::Ident;
use syn::{Fields, GenericParam, Generics, Item, Type};

use crate::edit::{Edit, outermost};
use crate::families::closures::without_leaf;
use crate::index::Occurrence;
use crate::list::List;
use crate::mentions::{Mention, fill_value};
use crate::parts::{angles, whole_where};
use crate::proposals::Proposals;
use crate::transform::{Rule, family};
use crate::tree::{Node, Syntax, Tree, range};

family! {
    "substitutions", "Puts other types and traits in the place of those of the file.";

    /// Replace a type of the file by `u8` or `()` wherever it is named, and delete its definition.
    ///
    /// ```text
    /// struct S<T>(T);
    /// trait A {}
    /// impl<T> A for S<T> {}
    /// impl S<u8> { fn g() {} }
    /// fn f(s: S<u8>) -> S<u8> { let S(_) = s; S(1) }
    /// =>
    /// trait A {}
    /// impl A for u8 {}
    /// fn f(s: u8) -> u8 { let _ = s; 0 }
    /// ```
    ///
    /// Its impls of traits of the file stay, unless there is such an impl already.
    SUBSTITUTE_TYPE = "substitute-type", Rule::Tree(substitute_type);

    /// Replace a type of the file by a smaller one of the file wherever it is named, and delete its definition.
    ///
    /// ```text
    /// struct A;
    /// struct B { a: u8 }
    /// impl Drop for B { fn drop(&mut self) {} }
    /// fn f(b: B) -> B { B { a: 1 } }
    /// =>
    /// struct A;
    /// impl Drop for A { fn drop(&mut self) {} }
    /// fn f(b: A) -> A { A }
    /// ```
    ///
    /// Identifiers of the same kind are unified: Xu, Tian, Zhang, Zhao, Jiang and Sun, *Pushing the Limit of 1-Minimality of
    /// Language-Agnostic Program Reduction* (2023).
    UNIFY_TYPES = "unify-types", Rule::Tree(unify_types);

    /// Replace a trait of the file by a smaller one of the file wherever it is named, and delete its definition and impls.
    ///
    /// ```text
    /// trait A {}
    /// trait B: Sized {}
    /// impl A for u8 {}
    /// impl B for u8 {}
    /// fn f<T: B>() {}
    /// =>
    /// trait A {}
    /// impl A for u8 {}
    /// fn f<T: A>() {}
    /// ```
    UNIFY_TRAITS = "unify-traits", Rule::Tree(unify_traits);
}

/// With how many others a definition is unified: the smallest ones.
const OTHERS: usize = 2;

/// A type or trait that the file defines.
struct Definition<'t> {
    node: Node<'t>,
    ident: &'t Ident,
    generics: &'t Generics,
}

/// What comes in the place of a type.
struct Substitute<'t> {
    /// The type, or the name that its paths get.
    name: &'t str,
    /// Whether the arguments of its paths stay.
    renames: bool,
    /// A value of it.
    value: String,
}

impl<'t> Definition<'t> {
    /// The definition of a type that `node` is.
    fn of_type(node: Node<'t>) -> Option<Self> {
        let (ident, generics) = match node.syntax() {
            Syntax::Item(Item::Enum(item)) => (&item.ident, &item.generics),
            Syntax::Item(Item::Struct(item)) => (&item.ident, &item.generics),
            Syntax::Item(Item::Type(item)) => (&item.ident, &item.generics),
            Syntax::Item(Item::Union(item)) => (&item.ident, &item.generics),
            _ => return None,
        };
        Some(Self { node, ident, generics })
    }

    /// The definition of a trait that `node` is.
    fn of_trait(node: Node<'t>) -> Option<Self> {
        let Syntax::Item(Item::Trait(item)) = node.syntax() else { return None };
        Some(Self { node, ident: &item.ident, generics: &item.generics })
    }

    fn name(&self) -> &'t str {
        self.node.text_at(range(self.ident))
    }

    /// Where it is named outside of itself.
    fn uses(&self) -> impl Iterator<Item = Occurrence<'t>> {
        let own = self.node.range();
        let tree = self.node.tree();
        tree.occurrences(self.name()).filter(move |occurrence| !own.contains(&occurrence.range.start))
    }

    fn tokens(&self) -> usize {
        self.node.tree().source().count(&self.node.range())
    }

    /// The smallest of `all` that have as many generics and are smaller than it.
    fn smaller<'d>(&self, all: &'d [Self]) -> Vec<&'d Self> {
        let params = |definition: &Self| definition.generics.params.len();
        let fits = |other: &&Self| {
            params(other) == params(self) && other.tokens() < self.tokens() && other.name() != self.name()
        };
        let mut others: Vec<&Self> = all.iter().filter(fits).collect();
        others.sort_by_key(|other| other.tokens());
        others.truncate(OTHERS);
        others
    }

    /// The shortest value of the type.
    fn value(&self) -> String {
        match self.node.syntax() {
            Syntax::Item(Item::Struct(item)) if matches!(item.fields, Fields::Unit) => self.name().to_owned(),
            Syntax::Item(Item::Enum(item)) => {
                let unit = item.variants.iter().find(|variant| matches!(variant.fields, Fields::Unit));
                unit.map_or("loop {}".to_owned(), |variant| format!("{}::{}", self.name(), variant.ident))
            }
            _ => "loop {}".to_owned(),
        }
    }
}

fn substitute_type(tree: &Tree<'_>, out: &mut Proposals<'_>) {
    let file = Impls::of(tree);
    for definition in tree.nodes().filter_map(Definition::of_type) {
        for (name, value) in [("u8", "0"), ("()", "()")] {
            let substitute = Substitute { name, renames: false, value: value.to_owned() };
            out.edit(definition.node.range(), file.substituted(&definition, &substitute));
        }
    }
}

fn unify_types(tree: &Tree<'_>, out: &mut Proposals<'_>) {
    let file = Impls::of(tree);
    let all: Vec<Definition<'_>> = tree.nodes().filter_map(Definition::of_type).collect();
    for definition in &all {
        for other in definition.smaller(&all) {
            let substitute = Substitute { name: other.name(), renames: true, value: other.value() };
            out.edit(definition.node.range(), file.substituted(definition, &substitute));
        }
    }
}

fn unify_traits(tree: &Tree<'_>, out: &mut Proposals<'_>) {
    let all: Vec<Definition<'_>> = tree.nodes().filter_map(Definition::of_trait).collect();
    for definition in &all {
        for other in definition.smaller(&all) {
            let mut edits = vec![Edit::delete(definition.node.range())];
            for occurrence in definition.uses() {
                match Mention::of(&occurrence) {
                    Some(Mention::Impl(node)) => edits.push(Edit::delete(node.range())),
                    Some(Mention::Import(node)) => edits.extend(without_leaf(node)),
                    Some(_) => edits.push(Edit::replace(occurrence.range, other.name())),
                    None => {}
                }
            }
            out.edit(definition.node.range(), outermost(edits));
        }
    }
}

/// The impls of a file.
struct Impls<'t> {
    traits: HashSet<&'t str>,
    /// Which traits are implemented, by their text and that of the type.
    headers: HashSet<(String, String)>,
}

impl<'t> Impls<'t> {
    fn of(tree: &'t Tree<'_>) -> Self {
        let mut found = Self { traits: HashSet::new(), headers: HashSet::new() };
        for node in tree.nodes() {
            if let Some(definition) = Definition::of_trait(node) {
                found.traits.insert(definition.name());
            }
            if let Syntax::Item(Item::Impl(item)) = node.syntax()
                && let Some((path, _)) = &item.trait_
            {
                let words = |range: Range<usize>| node.text_at(range).split_whitespace().collect::<String>();
                found.headers.insert((words(range(path)), words(range(&*item.self_ty))));
            }
        }
        found
    }

    /// The edits that put `substitute` in the place of the type `definition`.
    fn substituted(&self, definition: &Definition<'_>, substitute: &Substitute<'_>) -> Vec<Edit> {
        let mut edits = vec![Edit::delete(definition.node.range())];
        let mut seen = HashSet::new();
        for occurrence in definition.uses() {
            match Mention::of(&occurrence) {
                Some(Mention::Type(node)) => match node.parent().and_then(|parent| self_type(parent, node)) {
                    Some(home) => edits.extend(self.implemented(home, &occurrence, substitute, &mut seen)),
                    None => edits.push(substitute.ty(node, &occurrence)),
                },
                Some(mention) => edits.extend(substitute.at(mention, &occurrence)),
                None => {}
            }
        }
        outermost(edits)
    }

    /// The edits of an impl of the type that goes.
    fn implemented(
        &self,
        node: Node<'_>,
        occurrence: &Occurrence<'_>,
        substitute: &Substitute<'_>,
        seen: &mut HashSet<String>,
    ) -> Vec<Edit> {
        let whole = vec![Edit::delete(node.range())];
        let Syntax::Item(Item::Impl(item)) = node.syntax() else { return whole };
        let Some((path, _)) = &item.trait_ else { return whole };
        let text: String = node.text_at(range(path)).split_whitespace().collect();
        let name = path.segments.last().map(|segment| node.text_at(range(&segment.ident))).unwrap_or_default();
        // A trait from elsewhere can be implemented for a type of the file only.
        let foreign = !substitute.renames && !self.traits.contains(name);
        let known = self.headers.contains(&(text.clone(), substitute.name.to_owned()));
        if foreign || known || !seen.insert(text) {
            return whole;
        }
        let Type::Path(ty) = &*item.self_ty else { return whole };
        let mut edits = if substitute.renames {
            vec![Edit::replace(occurrence.range.clone(), substitute.name)]
        } else {
            let mut edits = unconstrained(node, &item.generics, &range(path));
            edits.push(Edit::replace(range(ty), substitute.name));
            edits
        };
        let inside = item.brace_token.span.join().byte_range();
        for occurrence in node.tree().uses("Self", inside, 0..0) {
            if let Some(mention @ (Mention::Value(_) | Mention::Member(..) | Mention::Pattern(_))) =
                Mention::of(&occurrence)
                && !matches!(mention, Mention::Member(_, member) if is_function(member))
            {
                edits.extend(substitute.at(mention, &occurrence));
            }
        }
        edits
    }
}

impl Substitute<'_> {
    /// It in the place of the type `node`.
    fn ty(&self, node: Node<'_>, occurrence: &Occurrence<'_>) -> Edit {
        let range = if self.renames { occurrence.range.clone() } else { node.range() };
        Edit::replace(range, self.name)
    }

    /// It in the place of `mention`.
    fn at(&self, mention: Mention<'_>, occurrence: &Occurrence<'_>) -> Vec<Edit> {
        match mention {
            Mention::Type(node) => vec![self.ty(node, occurrence)],
            Mention::Member(node, member) if is_function(member) => fill_value(node, "loop {}").into_iter().collect(),
            Mention::Value(node) | Mention::Member(node, _) => fill_value(node, &self.value).into_iter().collect(),
            Mention::Pattern(node) => vec![Edit::replace(node.range(), "_")],
            Mention::Import(node) => without_leaf(node),
            Mention::Token => vec![Edit::replace(occurrence.range.clone(), self.name)],
            Mention::Bound(_) | Mention::Impl(_) | Mention::Path => Vec::new(),
        }
    }
}

/// Whether a member of a type has the name of a function, not that of a variant or constant.
fn is_function(member: &str) -> bool {
    !member.starts_with(char::is_uppercase)
}

/// `parent`, if it is an impl for the type `ty`.
fn self_type<'t>(parent: Node<'t>, ty: Node<'_>) -> Option<Node<'t>> {
    let Syntax::Item(Item::Impl(item)) = parent.syntax() else { return None };
    matches!(ty.syntax(), Syntax::Type(ty) if std::ptr::eq(ty, &*item.self_ty)).then_some(parent)
}

/// What takes the generics of an impl away that are not in the bytes of its trait, and the predicates about them.
fn unconstrained(node: Node<'_>, generics: &Generics, of_trait: &Range<usize>) -> Vec<Edit> {
    let Some(angles) = angles(generics) else { return Vec::new() };
    let mut doomed = Vec::new();
    let mut names = Vec::new();
    for (index, param) in generics.params.iter().enumerate() {
        let name = match param {
            GenericParam::Lifetime(param) => node.text_at(range(&param.lifetime)),
            GenericParam::Type(param) => node.text_at(range(&param.ident)),
            GenericParam::Const(param) => node.text_at(range(&param.ident)),
        };
        if node.tree().uses(name, of_trait.clone(), 0..0).next().is_none() {
            doomed.push(index);
            names.push(name);
        }
    }
    let list = List::new(node, &generics.params, angles.start + 1..angles.end - 1);
    let mut edits = list.without_all(&doomed, Some(angles));
    if let (Some(clause), Some(whole)) = (&generics.where_clause, whole_where(generics)) {
        let list = List::bare(node, &clause.predicates);
        let speaks = |predicate: &Range<usize>| {
            names.iter().any(|name| node.tree().uses(name, predicate.clone(), 0..0).next().is_some())
        };
        let indices: Vec<usize> = (0..list.len()).filter(|&index| speaks(&list.elements[index])).collect();
        edits.extend(list.without_all(&indices, Some(whole)));
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn a_type_goes_with_its_arguments_and_values() {
        check(
            &SUBSTITUTE_TYPE,
            "struct S<T> { a: T } fn f(s: &m::S<u8>) { g(S { a: S { a: 1 } }); match s { S { a: 1 } => {} } }",
            &["fn f(s: &u8) { g(0); match s { _ => {} } }", "fn f(s: &()) { g(()); match s { _ => {} } }"],
        );
    }

    #[test]
    fn variants_are_values_and_functions_never_end() {
        check(
            &SUBSTITUTE_TYPE,
            "enum E { A, B(u8) } fn f() { let E::B(_) = E::A; E::B(1) == E::f(); E::f().g }",
            &["fn f() { let _ = 0; 0 == loop {}; loop {}.g }", "fn f() { let _ = (); () == loop {}; loop {}.g }"],
        );
    }

    #[test]
    fn imports_go_and_tokens_are_replaced() {
        check(
            &SUBSTITUTE_TYPE,
            "mod m { pub union U { a: u8 } } use m::{U, v}; fn f() { a!(=> U) }",
            &["mod m { } use m::{v}; fn f() { a!(=> u8) }", "mod m { } use m::{v}; fn f() { a!(=> ()) }"],
        );
    }

    #[test]
    fn impls_of_own_traits_stay_once() {
        check(
            &SUBSTITUTE_TYPE,
            "trait A { fn f() -> Self; } impl A for () { } struct S<T>(T); impl<T> A for S<T> where T: B { fn f() -> Self { Self(1) } } impl<T> S<T> {}",
            &[
                "trait A { fn f() -> Self; } impl A for () { } impl A for u8 { fn f() -> Self { 0 } }",
                "trait A { fn f() -> Self; } impl A for () { }",
            ],
        );
        check(
            &SUBSTITUTE_TYPE,
            "trait A<T> {} struct S<T, U>(T, U); impl<T, U: B> A<T> for S<T, U> where T: C, U: D {} impl Clone for S<u8, u8> {}",
            &["trait A<T> {} impl<T> A<T> for u8 where T: C {}", "trait A<T> {} impl<T> A<T> for () where T: C {}"],
        );
    }

    #[test]
    fn what_is_no_type_of_the_file_stays() {
        check(&SUBSTITUTE_TYPE, "fn f(s: S) -> S { S(1) } impl S {} use m::S; trait T {} mod n {} fn S() {}", &[]);
    }

    #[test]
    fn members_of_the_same_name_stay() {
        check(&SUBSTITUTE_TYPE, "struct a; fn f() { x.a; x.a(); T { a: 1 } }", &["fn f() { x.a; x.a(); T { a: 1 } }"]);
    }

    #[test]
    fn types_are_unified_with_smaller_ones() {
        check(
            &UNIFY_TYPES,
            "enum A<T> { X, Y(T) } struct B<T> { a: T, b: u8, c: u8 } impl<T> B<T> {} fn f(b: B<u8>) { B { a: 1, b }; B::g() }",
            &["enum A<T> { X, Y(T) } fn f(b: A<u8>) { A::X; loop {} }"],
        );
        check(
            &UNIFY_TYPES,
            "struct A; struct B(u8); impl C for A {} impl C for B {} impl D for B {}",
            &["struct A; impl C for A {} impl D for A {}"],
        );
    }

    #[test]
    fn types_of_other_generics_or_the_same_size_are_not_unified() {
        check(&UNIFY_TYPES, "struct A; struct B<T>(T); struct C; fn f(a: A, b: B<u8>, c: C) {}", &[]);
    }

    #[test]
    fn traits_are_unified_with_smaller_ones() {
        check(
            &UNIFY_TRAITS,
            "trait A {} trait B { fn f(); } use m::B; fn f<T: m::B>(x: &dyn B) { <T as B>::f() } impl<T> B for T {}",
            &["trait A {} fn f<T: m::A>(x: &dyn A) { <T as A>::f() }"],
        );
    }

    #[test]
    fn traits_of_other_generics_are_not_unified() {
        check(&UNIFY_TRAITS, "trait A {} trait B<T> { fn f(); } struct C; impl B<u8> for C {} fn f() {}", &[]);
    }
}
