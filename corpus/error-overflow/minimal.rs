//@ edition: 2021
trait A {}
impl<B> A for B where *const B: A {}
fn main() {}
