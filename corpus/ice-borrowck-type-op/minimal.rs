//@ edition: 2021
//@ compile-flags: --crate-type=lib

trait F {
    fn f(&self) {
        <[_]>::f(&[drop])
    }
}
impl<T> F for T {}
impl<A: Fn(&u8)> F for [A] {}
