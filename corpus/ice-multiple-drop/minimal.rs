//@ edition: 2021
//@ compile-flags: --crate-type=lib

struct S<'a>(&'a u8)
where
    Self: Copy + Drop;
impl Drop for S<'_>
where
    Self: Copy + Drop
{
    fn drop(&mut self) {}
}
impl Drop for S<'_>
where
    Self: Copy + Drop
{
    fn drop(&mut self) {}
}
