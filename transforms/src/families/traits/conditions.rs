//! Traits of the file that give way to what their only impl asks for.

use std::ops::Range;

use syn::{Item, ItemImpl, Type, TypeParamBound, WherePredicate};

use crate::names::analysis::Analysis;
use crate::names::definitions::Definition;
use crate::placeholders::instantiate::Instantiation;
use crate::placeholders::substitute::OnlyImpl;
use crate::rule::proposals::Proposals;
use crate::rule::transform::{Rule, family};
use crate::syntax::generics::{bounded, parameter_name};
use crate::syntax::tree::{Node, Syntax, range};
use crate::text::edit::{Edit, outermost};

family! {
    "conditions", "Puts what an impl asks for in the place of its trait.", in Coupled;

    /// Replace a trait with one impl by the conditions of that impl in all bounds, and delete both.
    ///
    /// ```text
    /// trait A {}
    /// impl<T: B> A for T where Vec<T>: C {}
    /// fn f<U>() where [U]: A {}
    /// =>
    /// fn f<U>() where [U]: B, Vec<[U]>: C {}
    /// ```
    ///
    /// The compiler takes the same step when it looks for what fulfills a bound. An impl for a type without parameters
    /// stands for the bounds of that type only.
    REPLACE_BY_CONDITIONS = "replace-by-conditions", Rule::Tree(replace_by_conditions);
}

fn replace_by_conditions(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    for definition in analysis.traits() {
        if definition.params().next().is_none()
            && let Some(edits) = replaced(definition)
        {
            out.edit(definition.node.range(), edits);
        }
    }
}

/// The edits that replace a trait; none if it has not one impl, or is named where no conditions can stand.
fn replaced(definition: &Definition<'_>) -> Option<Vec<Edit>> {
    let OnlyImpl { home, bounds, deletion: mut edits } = definition.only_impl()?;
    // What asks for itself is never found.
    if bounds.iter().any(|bound| home.range().contains(&bound.range().start)) {
        return None;
    }
    let conditions = Conditions::of(home)?;
    for bound in bounds {
        edits.push(conditions.in_place_of(bound)?);
    }
    Some(outermost(edits))
}

/// What an impl asks for.
struct Conditions<'t> {
    home: Node<'t>,
    /// The parameter that it is for; none if it is for one type.
    parameter: Option<&'t str>,
    /// What it is for.
    ty: Range<usize>,
    /// The types, and the bounds that they have to fulfill.
    all: Vec<(Range<usize>, Range<usize>)>,
}

impl<'t> Conditions<'t> {
    /// Those of the impl `home`; none if they cannot be told for a given type, or there are none.
    fn of(home: Node<'t>) -> Option<Self> {
        let Syntax::Item(Item::Impl(item)) = home.syntax() else { return None };
        let ty = range(&*item.self_ty);
        let parameter = match &item.generics.params.iter().map(parameter_name).collect::<Vec<_>>()[..] {
            [] => None,
            [name] if name == home.text_at(ty.clone()) => Some(home.text_at(ty.clone())),
            _ => return None,
        };
        let all = conditions(item)?;
        (!all.is_empty()).then_some(Self { home, parameter, ty, all })
    }

    /// The edit that puts them in the place of `bound`; none if they cannot stand there.
    fn in_place_of(&self, bound: Node<'_>) -> Option<Edit> {
        let Syntax::TypeParamBound(TypeParamBound::Trait(syntax)) = bound.syntax() else { return None };
        let owner = bound.parent()?;
        let given = bounded(owner).filter(|_| syntax.maybe.is_none() && syntax.lifetimes.is_none())?;
        let own = self.home.text_at(self.ty.clone());
        let mut instantiation = Instantiation::default().with("Self", &given);
        match self.parameter {
            Some(parameter) => instantiation = instantiation.with(parameter, &given),
            None if own == given => {}
            None => return None,
        }
        if let Syntax::WherePredicate(WherePredicate::Type(predicate)) = owner.syntax()
            && predicate.bounds.len() == 1
            && predicate.lifetimes.is_none()
        {
            let text = |range: &Range<usize>| instantiation.text(self.home, range.clone());
            let each: Vec<_> = self.all.iter().map(|(ty, bounds)| format!("{}: {}", text(ty), text(bounds))).collect();
            return Some(Edit::replace(owner.range(), each.join(", ")));
        }
        let each = self.all.iter().map(|(ty, bounds)| {
            let is_own = self.home.text_at(ty.clone()) == own;
            is_own.then(|| instantiation.text(self.home, bounds.clone()))
        });
        Some(Edit::replace(bound.range(), each.collect::<Option<Vec<_>>>()?.join(" + ")))
    }
}

/// The types of what `item` asks for, with their bounds.
fn conditions(item: &ItemImpl) -> Option<Vec<(Range<usize>, Range<usize>)>> {
    let mut all = Vec::new();
    for param in item.generics.type_params().filter(|param| !param.bounds.is_empty()) {
        all.push((range(&param.ident), range(&param.bounds)));
    }
    for predicate in item.generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
        match predicate {
            WherePredicate::Type(predicate) if predicate.lifetimes.is_none() && !predicate.bounds.is_empty() => {
                all.push((range(&predicate.bounded_ty), range(&predicate.bounds)));
            }
            _ => return None,
        }
    }
    // Of a trait object the conditions would be another type's.
    (!matches!(*item.self_ty, Type::TraitObject(_))).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn an_impl_for_all_types_stands_for_every_bound() {
        check(
            &REPLACE_BY_CONDITIONS,
            "use m::A; trait A { fn f(); } impl<M: B + C> A for M { fn f() { g() } } struct S<T: A>(T) where [T]: A, T: D + A; trait E: A {}",
            &["struct S<T: B + C>(T) where [T]: B + C, T: D + B + C; trait E: B + C {}"],
        );
        check(
            &REPLACE_BY_CONDITIONS,
            "trait A {} impl<M> A for M where u8: B<M>, Self: C {} fn f() where (u8, u8): A, D: E {}",
            &["fn f() where u8: B<(u8, u8)>, (u8, u8): C, D: E {}"],
        );
    }

    #[test]
    fn an_impl_for_one_type_stands_for_its_bounds() {
        check(
            &REPLACE_BY_CONDITIONS,
            "trait A {} impl A for u8 where u16: B {} impl C for u8 where u8: A {}",
            &["impl C for u8 where u16: B {}"],
        );
        check(&REPLACE_BY_CONDITIONS, "trait A {} impl A for u8 where u16: B {} fn f<T>() where T: A {}", &[]);
        check(&REPLACE_BY_CONDITIONS, "trait A {} impl<T> A for Vec<T> where T: B {} fn f() where Vec<u8>: A {}", &[]);
    }

    #[test]
    fn conditions_of_other_types_need_a_where_clause() {
        check(&REPLACE_BY_CONDITIONS, "trait A {} impl<M> A for M where u8: B {} fn f<T: A>() {}", &[]);
        check(&REPLACE_BY_CONDITIONS, "trait A {} impl<M> A for M where u8: B {} fn f<T>() where T: A + C {}", &[]);
    }

    #[test]
    fn a_trait_that_is_more_than_a_bound_stays() {
        check(&REPLACE_BY_CONDITIONS, "trait A {} impl<M: B> A for M {} fn f(x: &dyn A) {}", &[]);
        check(&REPLACE_BY_CONDITIONS, "trait A {} impl<M: B> A for M {} impl A for u8 {} fn f<T: A>() {}", &[]);
        check(&REPLACE_BY_CONDITIONS, "trait A {} impl<M: B> A for M {} fn f<T: A>() { A::g() }", &[]);
        check(&REPLACE_BY_CONDITIONS, "trait A<T> {} impl<M: B> A<u8> for M {} fn f<T: A<u8>>() {}", &[]);
        check(&REPLACE_BY_CONDITIONS, "trait A {} fn f<T: A>() {}", &[]);
        check(&REPLACE_BY_CONDITIONS, "trait A {} impl<M> A for M {} fn f<T: A>() {}", &[]);
        check(&REPLACE_BY_CONDITIONS, "trait A {} impl<M> A for M where [M]: A {} fn f<T: A>() {}", &[]);
    }
}
