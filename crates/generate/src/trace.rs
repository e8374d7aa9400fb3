//! What a generator decided, as a tree: decisions, and the loops, selections and groups that they stand in.

use super::question::Value;

/// What happened at a place of the generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A decision and what was decided.
    Decision(Value),
    /// A name was made that no other thing has.
    Fresh(i64),
    /// A loop that ran as often as it has parts: the paper's *reducible loop pattern*.
    Loop,
    /// What was done or not, and has a part if it was: the paper's *reducible selection pattern*.
    Selection,
    /// A turn of a loop, or what was selected: what a reduction removes.
    Part,
    /// A call of a part of the generator, which is as it is.
    Group,
}

impl Kind {
    /// Whether the other one is answered in the same way, whatever the answer.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// A node of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Where in the generator: a word. Empty for parts.
    pub place: String,
    /// What.
    pub kind: Kind,
    /// The node behind this one and all that stands in it.
    pub end: usize,
}

/// The nodes of a run of a generator, each before those that stand in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    nodes: Vec<Node>,
}

impl Trace {
    /// All nodes.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The nodes that stand directly in the one at `node`, by their numbers.
    pub(super) fn inside(&self, node: usize) -> impl Iterator<Item = usize> {
        let end = self.nodes[node].end;
        let mut next = node + 1;
        std::iter::from_fn(move || {
            let this = (next < end).then_some(next)?;
            next = self.nodes[this].end;
            Some(this)
        })
    }

    /// The parts, which are what a reduction removes, and for each the position in this list of the part around it.
    #[must_use]
    pub fn parts(&self) -> (Vec<usize>, Vec<Option<usize>>) {
        let (mut parts, mut parents): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
        let mut around: Vec<usize> = Vec::new();
        for (number, node) in self.nodes.iter().enumerate() {
            while around.last().is_some_and(|&part| self.nodes[parts[part]].end <= number) {
                around.pop();
            }
            if node.kind == Kind::Part {
                parents.push(around.last().copied());
                around.push(parts.len());
                parts.push(number);
            }
        }
        (parts, parents)
    }

    /// A number that is larger than those of all fresh names.
    pub(super) fn unused(&self) -> i64 {
        let numbers = self.nodes.iter().filter_map(|node| match node.kind {
            Kind::Fresh(number) => Some(number.saturating_add(1)),
            _ => None,
        });
        numbers.max().unwrap_or(0)
    }
}

/// Makes a trace, node by node.
#[derive(Clone, Debug, Default)]
pub(super) struct Recorder {
    trace: Trace,
    open: Vec<usize>,
}

impl Recorder {
    /// Adds a node in which nothing stands.
    pub(super) fn add(&mut self, place: &str, kind: Kind) {
        let end = self.trace.nodes.len() + 1;
        self.trace.nodes.push(Node { place: place.to_owned(), kind, end });
    }

    /// Adds a node in which what follows stands, until it is closed.
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

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.trace.nodes.len()
    }

    /// What was recorded; none while something is open.
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
