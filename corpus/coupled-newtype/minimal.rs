//@ edition: 2021
//@ compile-flags: --crate-type=lib
fn a<T>(b: *const Box<T>, c: *const Box<T>)
where
    *const Box<T>: std::ops::Add,
{
    b + c;
}
