//@ edition: 2021
//@ compile-flags: --crate-type=lib
#![deny(unconditional_recursion)]
fn a() {
    a()
}
