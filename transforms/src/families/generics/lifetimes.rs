//! Lifetime parameters that go with their uses.

use std::ops::Range;

use syn::punctuated::Punctuated;
use syn::{GenericParam, Item, Lifetime, Token, TypeParamBound};

use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::{angles, generics};
use crate::syntax::{List, Node, Syntax};
use crate::text::{Edit, covers};

family! {
    "lifetimes", "Deletes lifetime parameters with their uses.", in Generics;

    /// Delete a lifetime parameter and elide its uses, or make them `'static`.
    ///
    /// The fields of a type cannot do without: theirs are made `'static`.
    ELIDE_LIFETIME = "elide-lifetime", Rule::Node(elide_lifetime),
        "fn f<'a>(x: &'a A, y: B<'a>) -> &'a C {}" => "fn f(x: &A, y: B<'_>) -> &C {}";
}

/// Parameters and where they mean something.
struct Scope<'t> {
    params: &'t Punctuated<GenericParam, Token![,]>,
    list: List,
    /// The parameters with their brackets and what introduces them.
    whole: Range<usize>,
    /// The node in which they are used.
    node: Node<'t>,
    /// Whether lifetimes may be left out there.
    elided: bool,
}

fn scope(node: Node<'_>) -> Option<Scope<'_>> {
    if let Syntax::BoundLifetimes(binder) = node.syntax() {
        let (params, list) = (&binder.lifetimes, List::of(node)?);
        return Some(Scope { params, list, whole: node.range(), node: node.parent()?, elided: true });
    }
    let generics = generics(node.syntax())?;
    let (list, whole) = (List::params(node, generics)?, angles(generics)?);
    let (user, elided) = match node.syntax() {
        Syntax::Signature(_) => (node.parent()?, true),
        Syntax::Item(Item::Impl(_)) => (node, true),
        _ => (node, false),
    };
    Some(Scope { params: &generics.params, list, whole, node: user, elided })
}

fn elide_lifetime(node: Node<'_>, out: &mut Proposals<'_>) {
    let Some(scope) = scope(node) else { return };
    for (index, param) in scope.params.iter().enumerate() {
        let GenericParam::Lifetime(param) = param else { continue };
        let site = &scope.list.elements[index];
        let without = scope.list.without_or(index, scope.whole.clone());
        let uses: Vec<Node<'_>> = uses(&scope, &param.lifetime, site).collect();
        let elided =
            scope.elided.then(|| uses.iter().map(|used| elide(*used)).collect::<Option<Vec<Edit>>>()).flatten();
        let fixed = || uses.iter().map(|used| Edit::replace(used.range(), "'static")).collect();
        for edits in [elided, Some(fixed())].into_iter().flatten().filter(|edits: &Vec<Edit>| !edits.is_empty()) {
            out.edit(site.clone(), without.iter().cloned().chain(edits).collect());
        }
    }
}

/// Where `lifetime` is used, but for the declaration in the bytes `declared`.
fn uses<'t>(
    scope: &Scope<'t>,
    lifetime: &Lifetime,
    declared: &Range<usize>,
) -> impl Iterator<Item = Node<'t>> + use<'t> {
    let declared = declared.clone();
    let own = scope.node.range();
    let row = scope.node.row();
    let uses = scope.node.tree().occurrences(&lifetime.to_string()).filter_map(|used| used.node);
    uses.filter(move |inner| {
        let is_same = matches!(inner.syntax(), Syntax::Lifetime(_));
        let is_inside = inner.row() > row && own.contains(&inner.range().start);
        let is_declaration = covers(&declared, &inner.range());
        // A label may have the same name.
        is_same
            && is_inside
            && !is_declaration
            && !matches!(inner.parent().map(Node::syntax), Some(Syntax::Label(_) | Syntax::Expr(_)))
    })
}

/// The edit that leaves a use out, if it can be.
fn elide(used: Node<'_>) -> Option<Edit> {
    let parent = used.parent()?;
    match parent.syntax() {
        Syntax::Type(_) | Syntax::Receiver(_) => Some(Edit::delete(used.range())),
        Syntax::GenericArgument(_) => Some(Edit::replace(used.range(), "'_")),
        Syntax::TypeParamBound(TypeParamBound::Lifetime(_)) => {
            // Only that of a trait object can be inferred.
            let is_object = matches!(parent.parent()?.syntax(), Syntax::Type(_));
            Some(Edit::replace(used.range(), if is_object { "'_" } else { "'static" }))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn lifetimes_of_functions_and_impls_are_elided() {
        check(
            &ELIDE_LIFETIME,
            "impl<'a, T: 'a> A<'a> for &'a T { fn f(&'a mut self) {} }",
            &[
                "impl<T: 'static> A<'_> for &T { fn f(&mut self) {} }",
                "impl<T: 'static> A<'static> for &'static T { fn f(&'static mut self) {} }",
            ],
        );
        check(
            &ELIDE_LIFETIME,
            "fn f<'a>(x: Box<dyn A + 'a>) { 'a: loop { break 'a } }",
            &[
                "fn f(x: Box<dyn A + '_>) { 'a: loop { break 'a } }",
                "fn f(x: Box<dyn A + 'static>) { 'a: loop { break 'a } }",
            ],
        );
    }

    #[test]
    fn lifetimes_of_binders_are_elided() {
        check(
            &ELIDE_LIFETIME,
            "type A = for<'a, 'b> fn(&'a B) -> C<'b>;",
            &[
                "type A = for<'b> fn(&B) -> C<'b>;",
                "type A = for<'b> fn(&'static B) -> C<'b>;",
                "type A = for<'a> fn(&'a B) -> C<'_>;",
                "type A = for<'a> fn(&'a B) -> C<'static>;",
            ],
        );
    }

    #[test]
    fn lifetimes_of_types_and_in_predicates_become_static() {
        check(&ELIDE_LIFETIME, "struct S<'a>(&'a A);", &["struct S(&'static A);"]);
        check(
            &ELIDE_LIFETIME,
            "fn f<'a, 'b: 'a>() where 'b: 'c {}",
            &["fn f<'b: 'static>() where 'b: 'c {}", "fn f<'a>() where 'static: 'c {}"],
        );
        check(&ELIDE_LIFETIME, "fn f<'a>() -> impl A + use<'a> {}", &["fn f() -> impl A + use<'static> {}"]);
    }

    #[test]
    fn unused_and_foreign_lifetimes_are_left_to_others() {
        check(&ELIDE_LIFETIME, "fn f<'a, T>(x: T) -> &'static A {} impl A { fn g(x: &'b B) {} }", &[]);
    }
}
