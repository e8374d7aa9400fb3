//@ edition: 2021
//@ compile-flags: --crate-type=lib
macro_rules! a {
    (&& $($a:tt)*) => { a!($($a)* $($a)*) };
    ($($a:tt)*) => { $($a)* }
}
type A = a!(&& && && && && && && && & &);
