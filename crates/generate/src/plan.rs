//! Changes to a trace that a run follows: nodes that are gone, other answers, and calls that do what calls inside of them did.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::question::Answer;

/// What a run changes in its trace. The nodes keep their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Plan {
    removed: BTreeSet<usize>,
    answers: BTreeMap<usize, Answer>,
    lifted: BTreeMap<usize, usize>,
}

impl Plan {
    /// Removes nodes.
    pub(super) fn remove(&mut self, nodes: impl IntoIterator<Item = usize>) {
        self.removed.extend(nodes);
    }

    /// Answers the question of a node in another way.
    pub(super) fn answer(&mut self, node: usize, answer: Answer) {
        self.answers.insert(node, answer);
    }

    /// Answers a number, which may be the name of an option.
    pub(super) fn lower(&mut self, node: usize, number: i64) {
        self.answer(node, Answer::Number(number));
    }

    /// Lets a call do what the call at `inner`, inside of it, did.
    pub(super) fn lift(&mut self, outer: usize, inner: usize) {
        self.lifted.insert(outer, inner);
    }

    /// Whether a node is removed.
    pub(super) fn is_removed(&self, node: usize) -> bool {
        self.removed.contains(&node)
    }

    /// The other answer to the question of a node.
    pub(super) fn other_answer(&self, node: usize) -> Option<&Answer> {
        self.answers.get(&node)
    }

    /// The nodes that the group at `node`, which ends at `end`, follows.
    pub(super) fn inside(&self, node: usize, end: impl Fn(usize) -> usize) -> Range<usize> {
        let node = self.lifted.get(&node).copied().unwrap_or(node);
        node + 1..end(node)
    }
}
