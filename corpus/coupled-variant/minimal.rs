//@ edition: 2021
//@ compile-flags: --crate-type=lib
enum A {
    B
}
fn a(b: A) {
    match b {};
}
