//@ edition: 2021
//@ compile-flags: --crate-type=lib
const A: () = [][0];
