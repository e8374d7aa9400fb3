//! Parameters of impls that go with the arguments and predicates that mention them.

use std::ops::Range;

use syn::{AngleBracketedGenericArguments, Item, ItemImpl, Path, PathArguments, Type};

use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::{angles, parameter_name, whole_arguments, whole_where};
use crate::syntax::list::List;
use crate::syntax::surroundings::mentions;
use crate::syntax::tree::{Node, Syntax, range};
use crate::text::edit::Edit;

family! {
    "impl-generics", "Deletes parameters of impls with the arguments and predicates that mention them.", in Generics;

    /// Drop the parameters of an impl with the arguments that mention them, or implement the trait for `()`.
    ///
    /// ```text
    /// impl<'a, T: A> B for C<'a, T> {}
    /// =>
    /// impl B for C {}
    /// ```
    DROP_IMPL_PARAMETERS = "drop-impl-parameters", Rule::Node(drop_impl_parameters);

    /// Delete a parameter of an impl with the arguments of the trait and the type that mention it.
    ///
    /// ```text
    /// impl<'a, T> A for B<'a, T> where T: C {}
    /// =>
    /// impl<'a> A for B<'a> {}
    /// ```
    ///
    /// The only parameter is left to `drop-impl-parameters`.
    DELETE_IMPL_PARAMETER = "delete-impl-parameter", Rule::Node(delete_impl_parameter);
}

fn drop_impl_parameters(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Item(Item::Impl(item)) = node.syntax() else { return };
    let Some(angles) = angles(&item.generics).filter(|_| !item.generics.params.is_empty()) else { return };
    let names: Vec<String> = item.generics.params.iter().map(parameter_name).collect();
    let mut edits = vec![Edit::delete(angles.clone())];
    edits.extend(whole_where(&item.generics).map(Edit::delete));
    let arguments = arguments(item).map(whole_arguments);
    let source = node.tree().source();
    let mentioned = arguments.filter(|arguments| mentions(source, arguments, &names)).map(Edit::delete);
    out.edit(angles.clone(), edits.iter().cloned().chain(mentioned).collect());
    if item.trait_.is_some() && !matches!(&*item.self_ty, Type::Tuple(ty) if ty.elems.is_empty()) {
        edits.push(Edit::replace(range(&*item.self_ty), "()"));
        out.edit(angles, edits);
    }
}

fn delete_impl_parameter(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Item(Item::Impl(item)) = node.syntax() else { return };
    let Some(params) = List::params(node, &item.generics).filter(|params| params.len() > 1) else { return };
    let predicates = item.generics.where_clause.as_ref().map(|clause| List::bare(node, &clause.predicates));
    for (index, param) in item.generics.params.iter().enumerate() {
        let names = [parameter_name(param)];
        let mut edits = params.without(index);
        for arguments in arguments(item) {
            let list = List::arguments(node, arguments);
            edits.extend(mentioning(&list, &names, whole_arguments(arguments), node));
        }
        if let (Some(predicates), Some(clause)) = (&predicates, whole_where(&item.generics)) {
            edits.extend(mentioning(predicates, &names, clause, node));
        }
        out.edit(params.elements[index].clone(), edits);
    }
}

/// The edits that delete the elements of `list` that mention `names`, with all of `whole` if those are all.
fn mentioning(list: &List, names: &[String], whole: Range<usize>, node: Node<'_>) -> Vec<Edit> {
    let source = node.tree().source();
    let is_mentioning = |index: &usize| mentions(source, &list.elements[*index], names);
    let indices: Vec<usize> = (0..list.len()).filter(is_mentioning).collect();
    if !indices.is_empty() && indices.len() == list.len() {
        return vec![Edit::delete(whole)];
    }
    let mut edits: Vec<Edit> = indices.into_iter().flat_map(|index| list.without(index)).collect();
    edits.sort_by_key(|edit| edit.range.start);
    edits.dedup();
    edits
}

/// The arguments of the trait and of the type of an impl.
fn arguments(item: &ItemImpl) -> impl Iterator<Item = &AngleBracketedGenericArguments> {
    let self_path = match &*item.self_ty {
        Type::Path(ty) => Some(&ty.path),
        _ => None,
    };
    let paths = [item.trait_.as_ref().map(|(path, _)| path), self_path];
    paths.into_iter().flatten().filter_map(last_arguments)
}

fn last_arguments(path: &Path) -> Option<&AngleBracketedGenericArguments> {
    match &path.segments.last()?.arguments {
        PathArguments::AngleBracketed(arguments) => Some(arguments),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn an_impl_loses_its_parameters_and_what_mentions_them() {
        check(
            &DROP_IMPL_PARAMETERS,
            "impl<'a, T> A<T> for B<'a> where T: C {}",
            &["impl A for B {}", "impl A<T> for () {}"],
        );
        check(&DROP_IMPL_PARAMETERS, "impl<T> A<u8> for &T {}", &["impl A<u8> for &T {}", "impl A<u8> for () {}"]);
        check(&DROP_IMPL_PARAMETERS, "impl<const N: u8> A<N> {}", &["impl A {}"]);
    }

    #[test]
    fn a_parameter_goes_with_what_mentions_it() {
        check(
            &DELETE_IMPL_PARAMETER,
            "impl<'a, T: A, const N: u8> B<T> for C<'a, &'a T, N> where T: D, E: F<N> { fn f(x: T) {} }",
            &[
                "impl<T: A, const N: u8> B<T> for C<N> where T: D, E: F<N> { fn f(x: T) {} }",
                "impl<'a, const N: u8> B for C<'a, N> where E: F<N> { fn f(x: T) {} }",
                "impl<'a, T: A> B<T> for C<'a, &'a T> where T: D { fn f(x: T) {} }",
            ],
        );
    }

    #[test]
    fn impls_without_parameters_and_other_items_are_left_alone() {
        check(&DROP_IMPL_PARAMETERS, "impl A<B> {} impl<> C {} fn f<T>() {}", &[]);
        check(&DELETE_IMPL_PARAMETER, "impl<T> A<T> {} struct S<T, U>(T, U);", &[]);
    }
}
