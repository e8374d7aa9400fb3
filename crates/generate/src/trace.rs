//! The decisions of a generator as a tree, nested in loops, selections and groups.

use std::iter::successors;

use super::question::Value;

/// An event at a place of the generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A decision and its value.
    Decision(Value),
    /// A unique name was created.
    Fresh(i64),
    /// A loop with one part for each turn: the paper's *reducible loop pattern*.
    Loop,
    /// A selection, with a part if it was selected: the paper's *reducible selection pattern*.
    Selection,
    /// A turn of a loop, or the body of a selection: the unit that a reduction removes.
    Part,
    /// A call of a part of the generator, which cannot be removed.
    Group,
}

/// A node of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The place in the generator: a word. Empty for parts.
    pub place: String,
    /// The event.
    pub kind: Kind,
    /// The number of the first node after this one and its descendants.
    pub end: usize,
}

impl Node {
    /// The part of the generator that a group calls.
    pub(super) fn callee(&self) -> &str {
        Trace::callee_of(&self.place)
    }
}

/// The nodes of a run of a generator in preorder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    nodes: Vec<Node>,
}

impl Trace {
    /// All nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The part of the generator that a group at `place` calls: what stands before `@`, behind which is where it is
    /// called.
    pub(super) fn callee_of(place: &str) -> &str {
        place.split('@').next().unwrap_or(place)
    }

    /// The numbers of the children of the node at `node`.
    pub(super) fn inside(&self, node: usize) -> impl Iterator<Item = usize> {
        self.beside(node + 1, self.nodes[node].end)
    }

    /// The numbers of the nodes at the top.
    pub(super) fn top(&self) -> impl Iterator<Item = usize> {
        self.beside(0, self.nodes.len())
    }

    fn beside(&self, mut next: usize, end: usize) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || {
            let this = (next < end).then_some(next)?;
            next = self.nodes[this].end;
            Some(this)
        })
    }

    /// For each node, the one that it is directly inside of.
    pub(super) fn parents(&self) -> Vec<Option<usize>> {
        let mut parents = vec![None; self.nodes.len()];
        for node in 0..self.nodes.len() {
            self.inside(node).for_each(|child| parents[child] = Some(node));
        }
        parents
    }

    /// The parts, which a reduction can remove, and for each the position in this list of its parent part.
    pub fn parts(&self) -> (Vec<usize>, Vec<Option<usize>>) {
        let outer = self.parents();
        let parts: Vec<usize> = (0..self.nodes.len()).filter(|&node| self.nodes[node].kind == Kind::Part).collect();
        let around = |&part: &usize| {
            successors(outer[part], |&node| outer[node]).find_map(|node| parts.binary_search(&node).ok())
        };
        let parents = parts.iter().map(around).collect();
        (parts, parents)
    }

    /// A number larger than those of all fresh names.
    pub(super) fn unused(&self) -> i64 {
        let numbers = self.nodes.iter().filter_map(|node| match node.kind {
            Kind::Fresh(number) => Some(number.saturating_add(1)),
            _ => None,
        });
        numbers.max().unwrap_or(0)
    }
}

/// Builds a trace node by node.
#[derive(Clone, Debug, Default)]
pub(super) struct Recorder {
    trace: Trace,
    open: Vec<usize>,
}

impl Recorder {
    /// Adds a leaf node.
    pub(super) fn add(&mut self, place: &str, kind: Kind) {
        let end = self.trace.nodes.len() + 1;
        self.trace.nodes.push(Node { place: place.to_owned(), kind, end });
    }

    /// Adds a node that contains the next nodes until it is closed.
    pub(super) fn open(&mut self, place: &str, kind: Kind) {
        self.open.push(self.trace.nodes.len());
        self.add(place, kind);
    }

    /// Closes the innermost open node; false if there is none.
    pub(super) fn close(&mut self) -> bool {
        let end = self.trace.nodes.len();
        self.open.pop().map(|node| self.trace.nodes[node].end = end).is_some()
    }

    /// The kind of the innermost open node.
    pub(super) fn innermost(&self) -> Option<&Kind> {
        self.open.last().map(|&node| &self.trace.nodes[node].kind)
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.trace.nodes.len()
    }

    /// The recorded trace; none while a node is open.
    pub(super) fn finish(self) -> Option<Trace> {
        self.open.is_empty().then_some(self.trace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_know_the_part_around_them() {
        let mut recorder = Recorder::default();
        recorder.open("a", Kind::Loop);
        for _ in 0..2 {
            recorder.open("", Kind::Part);
            recorder.add("x", Kind::Fresh(7));
            recorder.open("b", Kind::Selection);
            recorder.open("", Kind::Part);
            recorder.add("y", Kind::Decision(Value::Number(1)));
            (0..3).for_each(|_| assert!(recorder.close()));
        }
        assert!(recorder.close());
        assert!(!recorder.close());
        let trace = recorder.finish().expect("all is closed");
        assert_eq!(trace.parts(), (vec![1, 4, 6, 9], vec![None, Some(0), None, Some(2)]));
        assert_eq!(trace.inside(0).collect::<Vec<_>>(), [1, 6]);
        assert_eq!(trace.inside(1).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(trace.unused(), 8);
    }
}
