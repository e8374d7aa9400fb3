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

fn unify_traits(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let mut by_size: Vec<&Definition<'_>> = analysis.traits().collect();
    // Of equals the first.
    by_size.sort_by_cached_key(|definition| analysis.source().count(&definition.node.range()));
    for definition in analysis.traits() {
        let params = definition.params().count();
        let smaller = by_size.iter().take_while(|other| other.node.row() != definition.node.row());
        // Metavariables only have a meaning in their macro.
        let known = smaller.filter(|other| !other.name().contains('$') && other.name() != definition.name());
        for other in known.filter(|other| other.params().count() == params).take(OTHERS) {
            out.edit(definition.node.range(), definition.trait_replaced(other.name()));
        }
    }
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
