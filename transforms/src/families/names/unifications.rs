//! Traits of the file that smaller ones stand in for, everywhere at once.

use crate::names::{Analysis, Definition};
use crate::rule::{Proposals, Rule, family};

family! {
    "unifications", "Puts smaller traits of the file in the place of larger ones.", in Coupled at 19;

    /// Replace a trait of the file by a smaller one of the file wherever it is named, and delete its definition and impls.
    UNIFY_TRAITS = "unify-traits", Rule::Tree(unify_traits),
        "trait A {}\n\
         trait B: Sized {}\n\
         impl A for u8 {}\n\
         impl B for u8 {}\n\
         fn f<T: B>() {}"
        => "trait A {}\n\
            impl A for u8 {}\n\
            fn f<T: A>() {}";
}

/// With how many others a definition is unified: the smallest ones.
const OTHERS: usize = 2;

/// `all`, the smallest first, and of equals the first.
fn by_size<'t>(all: &[Definition<'t>]) -> Vec<Definition<'t>> {
    let mut all = all.to_vec();
    all.sort_by_cached_key(|definition| {
        let node = definition.node;
        (node.tree().source().count(&node.range()), node.range().start)
    });
    all
}

/// The smallest of those before `own` in `all`, which is sorted by size, that have as many generics.
fn smaller<'d, 't>(own: usize, all: &'d [Definition<'t>]) -> impl Iterator<Item = &'d Definition<'t>> {
    let definition = &all[own];
    let params = definition.params().count();
    let fits = move |other: &&Definition<'_>| {
        // Metavariables only have a meaning in their macro.
        !other.name().contains('$') && other.params().count() == params && other.name() != definition.name()
    };
    all[..own].iter().filter(fits).take(OTHERS)
}

fn unify_traits(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let all = by_size(analysis.traits());
    for own in in_order(&all) {
        for other in smaller(own, &all) {
            out.edit(all[own].node.range(), all[own].trait_replaced(other.name()));
        }
    }
}

/// The places in `all` in the order of the source.
fn in_order(all: &[Definition<'_>]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..all.len()).collect();
    places.sort_by_key(|&place| all[place].node.range().start);
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn what_a_macro_fills_in_stands_in_for_nothing() {
        check(&UNIFY_TRAITS, "macro_rules! a { ($b:ident) => { trait $b {} } } trait C: D {} fn f<T: C>() {}", &[]);
    }

    #[test]
    fn of_equals_the_first_one_stays() {
        check(
            &UNIFY_TRAITS,
            "trait A {} trait B {} impl A for u8 where u8: B {} impl B for u8 where u8: A {}",
            &["trait A {} impl A for u8 where u8: A {}"],
        );
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
