//@ edition: 2021
//@ compile-flags: --crate-type=lib

impl B for &u8 {
    type A<'a> = &'a u8;
}
trait B {
    type A<'a>;
}
trait D {}
impl<T> D for T {}
impl<V: for<'a> B<A<'a> = V>> D for [V] {}
fn a<V>(v: V)
where
    [V]: D,
{
}
fn b() {
    a(&0)
}
