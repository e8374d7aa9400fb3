//@ edition: 2021
//@ compile-flags: --crate-type=lib
use std::*;
#[derive()]
struct fmt;
mod k {
    use super::*;
    use fmt;
}
