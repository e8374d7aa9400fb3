//@ edition: 2021
//@ compile-flags: --crate-type=lib
trait A: A {}
