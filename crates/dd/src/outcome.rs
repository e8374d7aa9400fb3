//! Outcomes of tests.

/// The outcome of a test of a candidate. `Fail` is the good outcome: the candidate shows the failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The failure occurs: the candidate is interesting.
    Fail,
    /// The failure does not occur, and the program is otherwise fine.
    Pass,
    /// Unknown: another error, another crash, a timeout.
    Unresolved,
}
