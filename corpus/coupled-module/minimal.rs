//@ edition: 2021
//@ compile-flags: --crate-type=lib
static A: usize = B;
static B: usize = A;
