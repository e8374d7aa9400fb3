//@ edition: 2021
//@ compile-flags: --emit=obj

trait A: Sized + 'static {
    type B<'a>;
    const F: *const dyn C = 0 as *const fn(Self, Self::B<'_>);
}
impl A for u8 {
    type B<'a> = u8;
}
trait C {
    fn c(&self) {}
}
impl<T: A> C for fn(T, T::B<'_>) {}
fn main() {
    u8::F;
}
