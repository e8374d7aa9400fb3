//@ edition: 2021
//@ compile-flags: --crate-type=lib
static C: &u8 = &!E;
static E: u8 = E;
