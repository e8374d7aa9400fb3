//@ edition: 2021
//@ compile-flags: --emit=obj
fn a<P>(b: P) {
    a((b, 0))
}
fn main() {
    a("")
}
