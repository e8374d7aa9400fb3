//! Changes to a trace that a run follows: nodes that are gone, other answers, and calls that do what calls inside of them did.

use std::collections::{BTreeMap, BTreeSet};

use super::question::Answer;

/// What a run changes in its trace. The nodes keep their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Plan {
    /// The nodes that are gone.
    pub(super) removed: BTreeSet<usize>,
    /// Other answers to the questions of nodes.
    pub(super) answers: BTreeMap<usize, Answer>,
    /// Calls, each with the call inside of it whose work it does.
    pub(super) lifted: BTreeMap<usize, usize>,
}
