//@ edition: 2021
//@ compile-flags: --crate-type=lib
const A: u8 = 0 as u8 << 0;
