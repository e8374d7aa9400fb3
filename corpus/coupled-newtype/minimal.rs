//@ edition: 2021
//@ compile-flags: --crate-type=lib
fn a<T>(b: *const T, c: *const T)
where
    *const T: std::ops::Add,
{
    b + c;
}
