//! Code that a run does not reach.

use crate::rule::propose::follow;
use crate::rule::{Rule, family};

family! {
    "coverage", "Empties what the failing run does not reach.", in Coverage;

    /// Empty a block that was not reached when the program was run.
    ///
    /// A copy of the program tells which blocks are reached. All others are emptied at once; what only they use is unused then.
    EMPTY_WHAT_IS_NOT_REACHED = "empty-what-is-not-reached", Rule::Covered(follow),
        "fn main() { if 1 > 2 { f(1); f(2); } }\n\
         fn f(a: u8) { panic!() }"
        => "fn main() { if 1 > 2 {loop {}} }\n\
            fn f(a: u8) {}";
}
