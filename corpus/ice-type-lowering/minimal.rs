//@ edition: 2021
//@ compile-flags: --crate-type=lib
fn f() {
    let _: &dyn !Send;
}
