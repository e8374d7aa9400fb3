//@ edition: 2021
//@ compile-flags: --crate-type=lib
struct A<L>(L);
impl<L> Drop for A<L> {
    fn drop(&mut self) {
        let a;
        let b = "";
        a = A(&b)
    }
}
