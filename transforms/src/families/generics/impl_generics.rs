//! Parameters of impls that go with the arguments and predicates that mention them.

use syn::{AngleBracketedGenericArguments, Item, ItemImpl, Path, PathArguments, Type};

use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::{angles, parameter_name, whole_arguments, whole_where};
use crate::syntax::surroundings::mentions;
use crate::syntax::{Node, Syntax, range};
use crate::text::Edit;

family! {
    "impl-generics", "Deletes parameters of impls with the arguments and predicates that mention them.", in Generics;

    /// Drop the parameters of an impl with the arguments that mention them, or implement the trait for `()`.
    DROP_IMPL_PARAMETERS = "drop-impl-parameters", Rule::Node(drop_impl_parameters),
        "impl<'a, T: A> B for C<'a, T> {}" => "impl B for C {}";
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
    fn impls_without_parameters_and_other_items_are_left_alone() {
        check(&DROP_IMPL_PARAMETERS, "impl A<B> {} impl<> C {} fn f<T>() {}", &[]);
    }
}
