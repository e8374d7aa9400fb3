//! What a test says.

/// What a test of a candidate says. `Fail` is the good outcome: the failure that is looked for is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The failure is there: the candidate is interesting.
    Fail,
    /// The failure is not there, and the program is otherwise fine.
    Pass,
    /// It cannot be said: another error, another crash, a timeout.
    Unresolved,
}
