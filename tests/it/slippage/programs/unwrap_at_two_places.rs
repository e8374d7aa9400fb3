//! Two panics with the words of `Option::unwrap` at two places.
//@ edition: 2021
//@ compile-flags: --crate-type=lib
//@ rustc-env: RUSTC_BOOTSTRAP=1
#![feature(type_alias_impl_trait, anonymous_lifetime_in_impl_trait)]

#[cfg(not(without_patterns))]
pub mod pairs {
    pub fn both() -> u32 {
        type Pair = impl Copy;
        let pair: Pair = Some((1u32, 2u32));
        let _check = move || match pair {
            None => (),
            Some(yield) => (),
        };
        3
    }
}

#[cfg(not(without_regions))]
pub mod pipes {
    pub trait Source {
        type Item;
        fn next(self) -> Self::Item;
    }

    pub trait Tied<'a> {}

    fn tie<'a>(_to: &'a u32, _item: impl Tied<'a>) {}

    pub fn run<'a>(first: &'a u32, source: impl Source<Item: Tied<'_>>) -> u32 {
        tie(first, source.next());
        *first
    }
}
