//@ edition: 2021
//@ compile-flags: --crate-type=lib
struct A {
    a: bool,
}
fn b() {
    A {};
}
