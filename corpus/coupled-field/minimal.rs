//@ edition: 2021
//@ compile-flags: --crate-type=lib
struct A {
    a: u8
}
const B: A = A {};
