//! The bytes of a tree that nodes of some kind hold, such as attributes.

use std::cmp::Reverse;
use std::ops::Range;

use super::tree::{Node, Tree};

/// The bytes of some nodes: sorted, none in another.
pub(crate) struct Regions(Vec<Range<usize>>);

impl Regions {
    /// Those of the nodes that `is_one` accepts.
    pub(crate) fn of(tree: &Tree<'_>, is_one: impl Fn(Node<'_>) -> bool) -> Self {
        let mut ranges: Vec<Range<usize>> = tree.nodes().filter(|node| is_one(*node)).map(Node::range).collect();
        ranges.sort_by_key(|range| (range.start, Reverse(range.end)));
        let mut end = 0;
        ranges.retain(|range| {
            let is_outer = range.end > end;
            end = end.max(range.end);
            is_outer
        });
        Self(ranges)
    }

    /// Whether one of them contains `byte`.
    pub(crate) fn contain(&self, byte: usize) -> bool {
        let before = self.0.partition_point(|range| range.start <= byte);
        before > 0 && self.0[before - 1].contains(&byte)
    }
}
