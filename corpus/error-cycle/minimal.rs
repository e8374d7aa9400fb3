//@ edition: 2021
//@ compile-flags: --crate-type=lib
trait A: B {}
trait B: A {}
