//! Expressions replaced by the values that a run of the program showed.

use crate::rule::propose::follow;
use crate::rule::{Rule, family};

family! {
    "observations", "Replaces expressions by the values that they had when the program was run.", in ObservedValues;

    /// Replace an expression by the value that it had when the program was run.
    ///
    /// Probes tell the values in a check that runs the program: numbers, `bool`, `char` and strings, references to them and
    /// `Option`s of them. What had several values is replaced by the first or the second.
    REPLACE_BY_OBSERVED_VALUE = "replace-by-observed-value", Rule::Observed(follow),
        "fn main() { assert_eq!(f(1) + 2, 5); }\n\
         fn f(a: u8) -> u8 { a }"
        => "fn main() { assert_eq!(3, 5); }\n\
            fn f(a: u8) -> u8 { a }";
}
