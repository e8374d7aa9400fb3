//@ edition: 2021
//@ compile-flags: --crate-type=lib
macro_rules! a {
    (+ $a:ty) => {
        a! {$a}
    };
}
a! {+ u8}
