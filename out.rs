//@ edition: 2021
//@ compile-flags: --crate-type=lib
struct A(String);
fn a(b: A) {
    b.0;
}
impl Drop for A {
    fn drop(&mut self) {}
}
