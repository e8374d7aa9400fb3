//@ edition: 2021
//@ compile-flags: --crate-type=lib
macro_rules! a {
    (Copy $($a:tt)*) => { a!($($a)* $($a)*) };
    ($($a:tt)*) => { $(impl $a<A = )* impl Copy $(+ $a>)* }
}
fn a() -> a!(Copy Copy Copy Copy Copy Copy Copy Copy Clone Clone) {}
