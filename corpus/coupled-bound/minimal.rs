//@ edition: 2021
//@ compile-flags: --crate-type=lib
struct A<L> {
    a: L,
}
impl<L> Drop for A<L> {
    fn drop(&mut self) {}
}
fn b() {
    let c;
    let d = "";
    c = A { a: &d };
}
