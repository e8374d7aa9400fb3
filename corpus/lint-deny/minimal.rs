//@ edition: 2021
#![deny(unused_must_use)]
#[must_use]
trait A {}
fn main() {
    (0, loop {} as Box<dyn A>);
}
