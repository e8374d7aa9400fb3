//! Trace-aligned re-execution: what a generator is answered so that its run is that of a reduced trace.
//!
//! The generator goes through its places again, and each is to be that of the next node of the trace. Where it is not, or
//! what was decided there is no longer possible, the alignment is infeasible, and a strategy says what then.

use std::sync::Arc;

use super::trace::{Kind, Trace};

/// What is done where the run of a generator cannot be that of the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alignment {
    /// The run ends there, and nothing comes of it.
    Halt,
    /// The innermost part of a loop or selection around that place is removed as well, and the run begins again.
    Bypass,
    /// What is asked there is answered in the simplest way, and the run goes on with the node of the trace that is next in
    /// line where the generator comes to such a place.
    Realign,
}

impl Alignment {
    /// All of them, from the most to the least conservative.
    pub const ALL: [Self; 3] = [Self::Halt, Self::Bypass, Self::Realign];

    /// The paper's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Halt => "halt",
            Self::Bypass => "bypass",
            Self::Realign => "re-align",
        }
    }
}

/// An infeasible alignment: the innermost part of the trace around the place, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Infeasible(pub(super) Option<usize>);

/// Where in the trace a run is.
pub(super) struct Replay {
    trace: Arc<Trace>,
    /// The nodes that are removed.
    removed: Vec<bool>,
    alignment: Alignment,
    /// The innermost last; never empty, as the run itself is the first.
    frames: Vec<Frame>,
}

/// What of the trace stands in something of the run.
#[derive(Clone, Copy)]
enum Frame {
    /// Nodes `next..end`, which stand in `part`, the innermost one.
    Aligned { next: usize, end: usize, part: Option<usize> },
    /// Nothing: the trace knows nothing of this.
    Unknown,
}

impl Replay {
    /// A run that is to be that of `trace` without the nodes that are `removed`.
    pub(super) fn new(trace: Arc<Trace>, removed: Vec<bool>, alignment: Alignment) -> Self {
        let frames = vec![Frame::Aligned { next: 0, end: trace.nodes().len(), part: None }];
        Self { trace, removed, alignment, frames }
    }

    fn innermost(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the run itself is never left")
    }

    /// What follows from an infeasible alignment in the innermost frame: an answer without the trace, or none.
    pub(super) fn infeasible(&mut self) -> Result<(), Infeasible> {
        match (self.alignment, *self.innermost()) {
            (Alignment::Realign, _) | (_, Frame::Unknown) => Ok(()),
            (_, Frame::Aligned { part, .. }) => Err(Infeasible(part)),
        }
    }

    /// The node for what happens next at `place`, if the trace has one.
    pub(super) fn seek(&mut self, place: &str, kind: &Kind) -> Result<Option<usize>, Infeasible> {
        let Frame::Aligned { next, end, part } = *self.innermost() else { return Ok(None) };
        let nodes = self.trace.nodes();
        let is_it = |node: usize| nodes[node].place == place && nodes[node].kind.is_like(kind);
        let mut line = std::iter::successors((next < end).then_some(next), |&node| {
            let following = nodes[node].end;
            (following < end).then_some(following)
        });
        let found = match self.alignment {
            Alignment::Realign => line.find(|&node| is_it(node)),
            Alignment::Halt | Alignment::Bypass => line.next().filter(|&node| is_it(node)),
        };
        let following = found.map(|node| nodes[node].end);
        match following {
            Some(next) => *self.innermost() = Frame::Aligned { next, end, part },
            None => self.infeasible()?,
        }
        Ok(found)
    }

    /// What is known of a node.
    pub(super) fn kind(&self, node: usize) -> &Kind {
        &self.trace.nodes()[node].kind
    }

    /// The parts of a loop or selection that are not removed.
    pub(super) fn parts(&self, node: usize) -> Vec<usize> {
        self.trace.inside(node).filter(|&part| !self.removed[part]).collect()
    }

    /// Goes into a part or group, the one at `node` if the trace knows it.
    pub(super) fn enter(&mut self, node: Option<usize>) {
        let around = match *self.innermost() {
            Frame::Aligned { part, .. } => part,
            Frame::Unknown => None,
        };
        let frame = node.map_or(Frame::Unknown, |node| {
            let Kind::Part = self.kind(node) else {
                return Frame::Aligned { next: node + 1, end: self.trace.nodes()[node].end, part: around };
            };
            Frame::Aligned { next: node + 1, end: self.trace.nodes()[node].end, part: Some(node) }
        });
        self.frames.push(frame);
    }

    /// Goes out of the innermost part or group, or ends the run. All that the trace has there must have happened.
    pub(super) fn leave(&mut self) -> Result<(), Infeasible> {
        if let Frame::Aligned { next, end, .. } = *self.innermost()
            && next < end
        {
            self.infeasible()?;
        }
        self.frames.pop();
        Ok(())
    }
}
