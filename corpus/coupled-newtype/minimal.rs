//@ edition: 2021
//@ compile-flags: --crate-type=lib
fn a<T>()
where
    *const T: std::ops::Add,
{
    0 as *const T + 0 as _;
}
