//@ edition: 2021
//@ compile-flags: --crate-type=lib --emit=metadata
struct A(A);
