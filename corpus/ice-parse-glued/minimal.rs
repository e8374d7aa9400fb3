//@ edition: 2021
//@ compile-flags: --crate-type=lib
#[derive(Debug)]
struct S<#[cfg(x)] N: A<T>>;
