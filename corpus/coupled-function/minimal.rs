//@ edition: 2021
//@ compile-flags: --crate-type=lib
const A: u32 = [][0];
