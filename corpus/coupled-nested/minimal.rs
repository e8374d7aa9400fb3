//@ edition: 2021
//@ compile-flags: --crate-type=lib
trait A {}
impl<T> A for T {}
impl A for f64 {}
