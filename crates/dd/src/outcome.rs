//! Outcomes of tests.

/// The outcome of a test of a candidate. `Fail` is the good outcome: the candidate shows the failure.
///
/// Algorithms that shrink a failing list treat `Unresolved` as `Pass`. Those that grow a passing list or isolate a
/// difference do not: a list that is unresolved becomes neither the passing nor the failing one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The failure occurs: the candidate is interesting.
    Fail,
    /// The failure does not occur, and the program is otherwise fine.
    Pass,
    /// Unknown: another error, another crash, a timeout.
    Unresolved,
}

impl Outcome {
    /// `Fail` if the failure occurs, else `Pass`.
    pub fn fail_if(fails: bool) -> Self {
        if fails { Self::Fail } else { Self::Pass }
    }
}

/// An outcome with the message of its failure, which [logs](super::log) show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The outcome.
    pub outcome: Outcome,
    /// The message of the panic or error, if there was one.
    pub message: Option<String>,
}

impl From<Outcome> for Report {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, message: None }
    }
}
