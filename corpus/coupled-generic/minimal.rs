//@ edition: 2021
//@ compile-flags: --crate-type=lib
struct A {
    a: String,
}
fn b(c: A) {
    c.a;
}
impl Drop for A {
    fn drop(&mut self) {}
}
