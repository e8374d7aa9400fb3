//! Generic parameters that are instantiated: they go with all arguments for them, and what is left of them is one type.

use std::mem::discriminant;
use std::ops::Range;

use syn::{GenericArgument, GenericParam, Generics, Item, ItemImpl, PathArguments, Type, TypeParamBound};

use crate::names::definitions::Kind;
use crate::names::generic_params::{argument_for, without_params};
use crate::names::references::put_argument;
use crate::names::{Analysis, Definition};
use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::{self, angles, generics, parameter_name, whole_arguments};
use crate::syntax::surroundings::mentions;
use crate::syntax::{List, Node, Occurrence, Syntax, Tree, range};
use crate::text::{Edit, outermost};

family! {
    "instantiations", "Instantiates generic parameters, which go with all arguments for them.", in Coupled at 26;

    /// Delete a generic parameter with all arguments for it and put one type, value or lifetime in its place.
    ///
    /// What stands in its place is the type of the file that implements its first bound, then `u8`, then `String`; `0` for a constant,
    /// `'static` for a lifetime. Parameters of impls that only named the argument go along, and so do predicates that
    /// mention the parameter; an alternative keeps the predicates.
    INSTANTIATE_PARAMETER = "instantiate-parameter", Rule::Tree(instantiate_parameter),
        "struct S<T, U>(T, U);\n\
         impl<A, B> Drop for S<A, B> where B: C {}"
        => "struct S<T>(T, u8);\n\
            impl<A> Drop for S<A> {}";
}

/// A type whose values are moved, for a parameter of which nothing is asked.
const MOVED: &str = "String";

fn instantiate_parameter(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let functions = analysis.functions();
    for node in analysis.nodes() {
        let Some(generics) = generics(node.syntax()) else { continue };
        // Nested generics of traits' types are not told by name.
        let owners: Vec<Owner<'_>> = match node.syntax() {
            Syntax::Signature(_) => {
                let Some(function) = functions.iter().find(|f| f.node.row() == node.parent().map_or(0, Node::row))
                else {
                    continue;
                };
                let kin = function.kin(functions);
                if kin.first().is_some_and(|first| first.node.row() != function.node.row()) {
                    continue;
                }
                kin.iter()
                    .map(|kin| Owner {
                        node: kin.node,
                        generics: &kin.signature.generics,
                        name: Some(range(&kin.signature.ident)),
                    })
                    .collect()
            }
            Syntax::Item(_) => {
                let named = Definition::of(node).filter(|own| matches!(own.kind, Kind::Type | Kind::Trait));
                vec![Owner { node, generics, name: named.map(|own| own.range()) }]
            }
            _ => continue,
        };
        for index in 0..generics.params.len() {
            instantiate(&owners, index, out);
        }
    }
}

struct Owner<'t> {
    node: Node<'t>,
    generics: &'t Generics,
    /// The bytes of the name by which arguments are given.
    name: Option<Range<usize>>,
}

fn instantiate(owners: &[Owner<'_>], index: usize, out: &mut Proposals<'_>) {
    let Some(owner) = owners.first() else { return };
    let Some(param) = owner.generics.params.get(index) else { return };
    let same = |owner: &&Owner<'_>| {
        owner.generics.params.get(index).is_some_and(|other| discriminant(other) == discriminant(param))
    };
    let owners: Vec<&Owner<'_>> = owners.iter().filter(same).collect();
    let tree = owner.node.tree();
    let fillers: Vec<String> = match param {
        GenericParam::Lifetime(_) => vec!["'static".into()],
        GenericParam::Const(_) => vec!["0".into()],
        GenericParam::Type(param) => {
            let implementor = param.bounds.iter().find_map(|bound| implementor(tree, bound));
            let moved = param.bounds.is_empty().then_some(MOVED);
            implementor.into_iter().chain(["u8"].into_iter().chain(moved).map(str::to_owned)).collect()
        }
    };
    for filler in fillers {
        for keeps_predicates in [false, true].into_iter().take(if filler == MOVED { 1 } else { 2 }) {
            let mut edits = Vec::new();
            for owner in &owners {
                edits.extend(erased(owner.node, owner.generics, index, &filler, keeps_predicates));
            }
            // The functions of a trait have one name by which they are given arguments.
            if let Some(name) = &owner.name {
                edits.extend(without_arguments(owner, name, index, &filler, keeps_predicates));
            }
            let Some(list) = List::params(owner.node, owner.generics) else { continue };
            let plain = list.without_or(index, angles(owner.generics).unwrap_or_default());
            // With no trace but itself it is what `delete-generic-parameter` proposes.
            if edits.len() > plain.len() {
                out.edit(list.elements[index].clone(), outermost(edits));
            }
        }
    }
}

/// The edits that delete a parameter of `node` and put `filler` in place of its uses.
fn erased(node: Node<'_>, generics: &Generics, index: usize, filler: &str, keeps_predicates: bool) -> Vec<Edit> {
    let name = parameter_name(&generics.params[index]);
    let mut edits = without_params(node, generics, std::slice::from_ref(&name), keeps_predicates);
    let element = range(&generics.params[index]);
    // A later segment of a path is another name.
    let uses = node.tree().uses(&name, node.range(), element);
    edits.extend(uses.filter_map(|used| put_argument(node, &used, filler)));
    edits
}

/// The edits that take away the arguments for the parameter at `index` of what is called by the name at `definition`.
fn without_arguments(
    owner: &Owner<'_>,
    definition: &Range<usize>,
    index: usize,
    filler: &str,
    keeps_predicates: bool,
) -> Vec<Edit> {
    let tree = owner.node.tree();
    let name = owner.node.text_at(definition.clone());
    let everywhere = 0..owner.node.source_text().len();
    let mut edits = Vec::new();
    for occurrence in tree.uses(name, everywhere, definition.clone()) {
        let Some((node, arguments)) = arguments(&occurrence).filter(|(node, _)| !is_foreign(*node)) else { continue };
        let Some((at, argument)) = argument_for(owner.generics, index, arguments) else { continue };
        let list = List::arguments(node, arguments);
        edits.extend(list.without_or(at, whole_arguments(arguments)));
        // A parameter of an impl that is named nowhere else in its head means nothing.
        if let Some((around, item, parameter)) = head(node, argument) {
            let names = [parameter_name(&item.generics.params[parameter])];
            let mut rest = head_ranges(item);
            let source = tree.source();
            let is_left = rest.any(|rest| {
                let before = rest.start..rest.end.min(list.elements[at].start);
                let after = rest.start.max(list.elements[at].end)..rest.end;
                [before, after].iter().any(|part| part.start < part.end && mentions(source, part, &names))
            });
            if !is_left {
                edits.extend(erased(around, &item.generics, parameter, filler, keeps_predicates));
            }
        }
    }
    edits
}

/// The arguments in angle brackets that follow a name, and the node that holds them.
fn arguments<'t>(occurrence: &Occurrence<'t>) -> Option<(Node<'t>, &'t syn::AngleBracketedGenericArguments)> {
    if let Some(call) = occurrence.method_call() {
        return generics::arguments(call.syntax()).map(|turbofish| (call, turbofish));
    }
    let (path, syntax, index) = occurrence.path()?;
    match &syntax.segments[index].arguments {
        PathArguments::AngleBracketed(arguments) => Some((path, arguments)),
        _ => None,
    }
}

/// Whether `path` leads to the standard library.
fn is_foreign(path: Node<'_>) -> bool {
    let Syntax::Path(path) = path.syntax() else { return false };
    path.segments.first().is_some_and(|first| ["std", "core", "alloc"].iter().any(|name| first.ident == name))
}

/// The impl in whose head `path` stands, if `argument` is one of its parameters.
fn head<'t>(path: Node<'t>, argument: &GenericArgument) -> Option<(Node<'t>, &'t ItemImpl, usize)> {
    let name = match argument {
        GenericArgument::Lifetime(lifetime) => lifetime.to_string(),
        GenericArgument::Type(Type::Path(ty)) => ty.path.get_ident()?.to_string(),
        _ => return None,
    };
    let (node, item) = path.ancestors().find_map(|node| match node.syntax() {
        Syntax::Item(Item::Impl(item)) => Some((node, item)),
        _ => None,
    })?;
    let start = path.range().start;
    let in_head = head_ranges(item).any(|range| range.contains(&start));
    let index = item.generics.params.iter().position(|param| parameter_name(param) == name)?;
    in_head.then_some((node, item, index))
}

/// The bytes of the trait and of the type of an impl.
fn head_ranges(item: &ItemImpl) -> impl Iterator<Item = Range<usize>> {
    item.trait_.iter().map(|(path, _)| range(path)).chain([range(&*item.self_ty)])
}

/// A type that implements the trait of `bound` in the file, without parameters.
fn implementor(tree: &Tree<'_>, bound: &TypeParamBound) -> Option<String> {
    let TypeParamBound::Trait(bound) = bound else { return None };
    let name = bound.path.segments.last()?.ident.to_string();
    tree.occurrences(&name).find_map(|occurrence| {
        let node = occurrence.path_end()?.parent()?;
        let Syntax::Item(Item::Impl(item)) = node.syntax() else { return None };
        let (path, _) = item.trait_.as_ref()?;
        let is_trait = path.segments.last().is_some_and(|last| range(&last.ident) == occurrence.range);
        let ty = node.text_at(range(&*item.self_ty));
        // The value of a metavariable is unknown.
        (is_trait && item.generics.params.is_empty() && !ty.contains('$')).then(|| ty.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn a_parameter_goes_with_its_arguments() {
        check(
            &INSTANTIATE_PARAMETER,
            "struct S<T, U>(T, U); fn f(a: S<A, B<C>>, b: x::S<D, E>) { S::<F, G>(a, b) }",
            &[
                "struct S<U>(u8, U); fn f(a: S<B<C>>, b: x::S<E>) { S::<G>(a, b) }",
                "struct S<U>(String, U); fn f(a: S<B<C>>, b: x::S<E>) { S::<G>(a, b) }",
                "struct S<T>(T, u8); fn f(a: S<A>, b: x::S<D>) { S::<F>(a, b) }",
                "struct S<T>(T, String); fn f(a: S<A>, b: x::S<D>) { S::<F>(a, b) }",
            ],
        );
    }

    #[test]
    fn parameters_of_impls_go_along() {
        check(
            &INSTANTIATE_PARAMETER,
            "trait T<A> {} impl<B, C> T<B> for S<C> where B: D { fn f(b: B, c: C) {} }",
            &[
                "trait T {} impl<C> T for S<C> { fn f(b: u8, c: C) {} }",
                "trait T {} impl<C> T for S<C> where u8: D { fn f(b: u8, c: C) {} }",
                "trait T {} impl<C> T for S<C> { fn f(b: String, c: C) {} }",
                "trait T<A> {} impl<C> T<u8> for S<C> { fn f(b: u8, c: C) {} }",
                "trait T<A> {} impl<C> T<u8> for S<C> where u8: D { fn f(b: u8, c: C) {} }",
                "trait T<A> {} impl<C> T<String> for S<C> { fn f(b: String, c: C) {} }",
                "trait T<A> {} impl<B> T<B> for S<u8> where B: D { fn f(b: B, c: u8) {} }",
                "trait T<A> {} impl<B> T<B> for S<String> where B: D { fn f(b: B, c: String) {} }",
            ],
        );
    }

    #[test]
    fn lifetimes_become_static_and_constants_zero() {
        check(
            &INSTANTIATE_PARAMETER,
            "struct S<'a, const N: usize>(&'a [u8; N]); impl<'b> S<'b, 3> {}",
            &[
                "struct S<const N: usize>(&'static [u8; N]); impl S<3> {}",
                "struct S<'a>(&'a [u8; 0]); impl<'b> S<'b> {}",
                "struct S<'a, const N: usize>(&'a [u8; N]); impl S<'static, 3> {}",
            ],
        );
    }

    #[test]
    fn an_item_of_the_same_name_is_another() {
        check(
            &INSTANTIATE_PARAMETER,
            "fn f<const N: usize>() -> usize { A::N + N }",
            &["fn f() -> usize { A::N + 0 }"],
        );
    }

    #[test]
    fn a_type_that_implements_the_bound_is_taken_first() {
        check(
            &INSTANTIATE_PARAMETER,
            "trait A {} struct S; impl A for S {} fn f<T: A>(x: T) {} fn g() { f::<S>(S) }",
            &[
                "trait A {} struct S; impl A for S {} fn f(x: S) {} fn g() { f(S) }",
                "trait A {} struct S; impl A for S {} fn f(x: u8) {} fn g() { f(S) }",
            ],
        );
    }

    #[test]
    fn functions_of_a_trait_change_with_those_of_its_impls() {
        check(
            &INSTANTIATE_PARAMETER,
            "trait A { fn f<T>(&self, x: T); } impl A for S { fn f<U>(&self, x: U) {} } fn g() { a.f::<B>(b) }",
            &[
                "trait A { fn f(&self, x: u8); } impl A for S { fn f(&self, x: u8) {} } fn g() { a.f(b) }",
                "trait A { fn f(&self, x: String); } impl A for S { fn f(&self, x: String) {} } fn g() { a.f(b) }",
            ],
        );
    }

    #[test]
    fn what_leaves_no_trace_is_left_alone() {
        check(&INSTANTIATE_PARAMETER, "struct S; fn f<T>() {} impl A for B<C> {} trait D { type E<'a>; }", &[]);
        check(&INSTANTIATE_PARAMETER, "fn f(x: Vec<u8>) { g::<u8>() }", &[]);
    }

    #[test]
    fn names_of_the_standard_library_are_others() {
        check(
            &INSTANTIATE_PARAMETER,
            "type Result<T> = std::result::Result<T, E>; fn f() -> Result<A> {}",
            &[
                "type Result = std::result::Result<u8, E>; fn f() -> Result {}",
                "type Result = std::result::Result<String, E>; fn f() -> Result {}",
            ],
        );
        check(
            &INSTANTIATE_PARAMETER,
            "struct S<T, U>(Box<S<T, U>>, U);",
            &["struct S<U>(Box<S<U>>, U);", "struct S<T>(Box<S<T>>, u8);", "struct S<T>(Box<S<T>>, String);"],
        );
    }

    #[test]
    fn a_type_that_is_no_path_stands_in_brackets() {
        check(
            &INSTANTIATE_PARAMETER,
            "impl A for () {} fn f<T: A>(a: &'static T::B, b: C<T = u8>) {}",
            &[
                "impl A for () {} fn f(a: &'static <()>::B, b: C<T = u8>) {}",
                "impl A for () {} fn f(a: &'static u8::B, b: C<T = u8>) {}",
            ],
        );
        check(
            &INSTANTIATE_PARAMETER,
            "struct S<const N: u8>(A<N>); fn f(a: S<1>) {}",
            &["struct S(A<0>); fn f(a: S) {}"],
        );
    }
}
