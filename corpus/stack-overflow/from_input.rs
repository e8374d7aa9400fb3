//@ edition: 2021
//@ compile-flags: --crate-type=lib

macro_rules! a {
    ({ $($c:tt)* } { $($d:tt)* } + $($e:tt)*) => {
        a!({ $($c)* $($c)* } { $($d)* $($d)* } $($e)*)
    };
    ({ $($c:tt)* } { $($d:tt)* }) => {
        $($c)* $($d)*
    }
}
type G = a!({ Copy< } { > } ++++++++++++);
