//! Traits of the file that give way to their supertraits.

use std::collections::BTreeMap;
use std::ops::Range;

use syn::{Item, ItemTrait, Type, TypeParamBound};

use crate::names::{Definition, Reference, without_leaf};
use crate::placeholders::instantiate::Instantiation;
use crate::rule::{Rule, family};
use crate::syntax::generics::{bounded, bounds, object_bounds};
use crate::syntax::{List, Node, Syntax, Tree, range};
use crate::text::{Edit, covers, outermost};

family! {
    "supertraits", "Puts supertraits in the place of traits.", in Coupled at 21;

    /// Replace a trait by its supertraits in all bounds, and delete it with its impls.
    ///
    /// A bound by a trait without supertraits goes.
    REPLACE_BY_SUPERTRAITS = "replace-by-supertraits",
        Rule::Tree(|names, out| names.traits().for_each(|own| out.edit_any(own.node.range(), replaced(own)))),
        "trait A<T>: B<T> {}\n\
         impl A<u8> for u8 {}\n\
         fn f<T>() where *const T: A<u8> {}"
        => "fn f<T>() where *const T: B<u8> {}";
}

/// The edits that replace a trait; none if it is mentioned where nothing else can stand.
fn replaced(definition: &Definition<'_>) -> Option<Vec<Edit>> {
    let node = definition.node;
    let Syntax::Item(Item::Trait(item)) = node.syntax() else { return None };
    let mut edits = vec![Edit::delete(node.range())];
    let mut doomed: BTreeMap<usize, Vec<Range<usize>>> = BTreeMap::new();
    let mut others = Vec::new();
    for occurrence in definition.uses() {
        match Reference::of(&occurrence) {
            Some(Reference::Impl(node)) => edits.push(Edit::delete(node.range())),
            Some(Reference::Import(node)) => edits.extend(without_leaf(node)),
            Some(Reference::Bound(bound)) => match supertraits(node, item, bound) {
                Some(edit) => edits.push(edit),
                None if item.supertraits.is_empty() => {
                    doomed.entry(bound.parent()?.row()).or_default().push(bound.range());
                }
                None => others.push(bound.range()),
            },
            Some(_) => others.push(occurrence.range),
            None => {}
        }
    }
    edits.extend(without_bounds(node.tree(), &doomed));
    let edits = outermost(edits);
    let goes = |range: &Range<usize>| edits.iter().any(|edit| edit.text.is_empty() && covers(&edit.range, range));
    others.iter().all(goes).then_some(edits)
}

/// The edit that replaces `bound` with the supertraits of the trait `item`, if there are some and they are known.
fn supertraits(node: Node<'_>, item: &ItemTrait, bound: Node<'_>) -> Option<Edit> {
    let Syntax::TypeParamBound(TypeParamBound::Trait(syntax)) = bound.syntax() else { return None };
    let arguments = &syntax.path.segments.last()?.arguments;
    let owner = bound.parent()?;
    let mut instantiation = Instantiation::of(node, &item.generics, arguments);
    if let Some(bounded) = bounded(owner) {
        instantiation = instantiation.with("Self", &bounded);
    } else if node.tree().uses("Self", range(&item.supertraits), 0..0).next().is_some() {
        return None;
    }
    let quantifier = syntax.lifetimes.as_ref().map_or("", |lifetimes| node.text_at(range(lifetimes)));
    let each = item.supertraits.iter().map(|supertrait| {
        let text = instantiation.text(node, range(supertrait));
        match supertrait {
            TypeParamBound::Trait(bound) if bound.lifetimes.is_none() && !quantifier.is_empty() => {
                format!("{quantifier} {text}")
            }
            _ => text,
        }
    });
    let each: Vec<String> = each.collect();
    let text = each.join(" + ");
    let Syntax::Type(ty) = owner.syntax() else {
        return (!each.is_empty()).then(|| Edit::replace(bound.range(), text));
    };
    // An object needs a trait, and parentheses where it gets more than one.
    let is_trait = |bound: &TypeParamBound| matches!(bound, TypeParamBound::Trait(bound) if bound.maybe.is_none());
    let fits = item.supertraits.iter().any(is_trait);
    let grows = each.len() > 1 && object_bounds(ty).is_some_and(|bounds| bounds.len() == 1);
    if !fits {
        return None;
    }
    Some(match grows {
        true => {
            let before = node.text_at(owner.range().start..bound.range().start);
            Edit::replace(owner.range(), format!("({before}{text})"))
        }
        false => Edit::replace(bound.range(), text),
    })
}

/// The edits that delete bounds, by the rows of what holds them.
fn without_bounds(tree: &Tree<'_>, doomed: &BTreeMap<usize, Vec<Range<usize>>>) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut predicates: BTreeMap<usize, Vec<Range<usize>>> = BTreeMap::new();
    for (row, ranges) in doomed {
        let owner = tree.node(*row);
        if let Syntax::Type(ty) = owner.syntax() {
            edits.extend(without_object_bounds(owner, ty, ranges));
            continue;
        }
        let Some((bounds, colon)) = bounds(owner.syntax()) else { continue };
        let list = List::bare(owner, bounds);
        if let (Syntax::WherePredicate(_), Some(clause)) = (owner.syntax(), owner.parent())
            && list.len() == ranges.len()
        {
            predicates.entry(clause.row()).or_default().push(owner.range());
            continue;
        }
        let whole = colon.map(|colon| range(colon).start..list.end());
        edits.extend(list.without_all(&list.indices(ranges), whole));
    }
    for (row, ranges) in predicates {
        let node = tree.node(row);
        let Syntax::WhereClause(clause) = node.syntax() else { continue };
        let list = List::bare(node, &clause.predicates);
        edits.extend(list.without_all(&list.indices(&ranges), Some(node.range())));
    }
    edits
}

/// The edits that delete bounds of `dyn` and `impl`: a trait must stay, and it is first.
fn without_object_bounds(owner: Node<'_>, ty: &Type, ranges: &[Range<usize>]) -> Vec<Edit> {
    let Some(bounds) = object_bounds(ty) else { return Vec::new() };
    let list = List::bare(owner, bounds);
    let doomed = list.indices(ranges);
    let stands = if matches!(ty, Type::ImplTrait(_)) { "Sized" } else { "Send" };
    let is_trait = |index: &usize| !matches!(bounds[*index], TypeParamBound::Lifetime(_));
    let is_left = (0..list.len()).any(|index| is_trait(&index) && !doomed.contains(&index));
    let only = doomed.first().copied().filter(|_| !is_left);
    let each = doomed.into_iter().flat_map(|index| match index {
        index if Some(index) == only => vec![Edit::replace(list.elements[index].clone(), stands)],
        0 => vec![Edit::replace(list.elements[0].clone(), stands)],
        index => list.without_backwards(index),
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn supertraits_are_instantiated() {
        check(
            &REPLACE_BY_SUPERTRAITS,
            "trait A<'a, T>: B<&'a T> + C<Self> {} fn f<T: D + A<'static, u8>>(x: &dyn A<'_, u16>) where [T]: A<'b, T> {}",
            &[],
        );
        check(
            &REPLACE_BY_SUPERTRAITS,
            "trait A<'a, T>: B<&'a T> + C<Self> {} fn f<T: D + A<'static, u8>>() where [T]: A<'b, T> {}",
            &["fn f<T: D + B<&'static u8> + C<T>>() where [T]: B<&'b T> + C<[T]> {}"],
        );
        check(
            &REPLACE_BY_SUPERTRAITS,
            "trait A<T>: B<T> {} trait C: for<'a> A<&'a u8> { type D: A<Self::D>; } impl A<u8> for u8 {} use m::A;",
            &[
                "trait C: for<'a> B<&'a u8> { type D: B<Self::D>; }",
                "trait A<T>: B<T> {} impl A<u8> for u8 {} use m::A;",
            ],
        );
    }

    #[test]
    fn bounds_without_supertraits_go() {
        check(
            &REPLACE_BY_SUPERTRAITS,
            "trait A {} struct S<T: A, U: B + A>(T, U) where T: A, U: A, V: C; fn f<T>() where T: A {} trait B: A {}",
            &[
                "struct S<T, U: B>(T, U) where V: C; fn f<T>() {} trait B {}",
                "trait A {} struct S<T: A, U: A + A>(T, U) where T: A, U: A, V: C; fn f<T>() where T: A {}",
            ],
        );
    }

    #[test]
    fn objects_keep_a_trait() {
        check(
            &REPLACE_BY_SUPERTRAITS,
            "trait A {} fn f(x: &dyn A, y: Box<dyn B + A + 'a>, z: impl A) {}",
            &["fn f(x: &dyn Send, y: Box<dyn B + 'a>, z: impl Sized) {}"],
        );
        check(
            &REPLACE_BY_SUPERTRAITS,
            "trait A: B + C {} fn f(x: &dyn A, y: &(dyn D + A)) {}",
            &["fn f(x: &(dyn B + C), y: &(dyn D + B + C)) {}"],
        );
    }

    #[test]
    fn a_trait_that_is_named_elsewhere_stays() {
        check(&REPLACE_BY_SUPERTRAITS, "trait A {} fn f() { A::g(); }", &[]);
        check(&REPLACE_BY_SUPERTRAITS, "trait A {} fn f() { <u8 as A>::g(); }", &[]);
        check(&REPLACE_BY_SUPERTRAITS, "struct A; fn f<T: A>() {}", &[]);
        check(&REPLACE_BY_SUPERTRAITS, "trait A { fn g(); } impl A for u8 { fn g() { <u8 as A>::g() } }", &[""]);
    }

    #[test]
    fn an_object_keeps_a_trait() {
        check(
            &REPLACE_BY_SUPERTRAITS,
            "trait A {} fn f() -> impl 'static + A {}",
            &["fn f() -> impl 'static + Sized {}"],
        );
    }
}
