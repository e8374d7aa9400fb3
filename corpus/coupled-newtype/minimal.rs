//@ edition: 2021
//@ compile-flags: --crate-type=lib
fn f<T>(b: *const T)
where
    *const T: std::ops::Add
{
    b + b;
}
