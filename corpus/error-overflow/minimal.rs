//@ edition: 2021

trait A {}
impl A for u8 where u8: A {}
fn main() {}
