//@ edition: 2021
//@ compile-flags: --crate-type=lib

fn f<T>()
where
    u8: std::ops::Add<*const T>
{
    0 + 0 as _;
}
