//@ edition: 2021
//@ compile-flags: --test
#[test]
fn a() {
    assert_eq!(215, 320)
}
