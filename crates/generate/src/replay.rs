//! Trace-aligned re-execution: answers a generator so that its run follows a reduced trace.
//!
//! Each choice of the generator has to be the next one of the trace. If it is another one, or can no longer be
//! decided as recorded, the run cannot follow the trace. An [`Alignment`] then decides how to go on.

use std::sync::Arc;

use super::trace::{Kind, Trace};

/// The strategy if the run of a generator deviates from the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alignment {
    /// The run ends without a result.
    Halt,
    /// The innermost part of a loop or selection around that place is removed as well, and the run starts again.
    Bypass,
    /// The decision gets the simplest answer, and the run continues with the next node of the trace
    /// whose place the generator reaches.
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

/// The position of a run in its trace.
pub(super) struct Replay {
    trace: Arc<Trace>,
    /// The removed nodes.
    removed: Vec<bool>,
    alignment: Alignment,
    /// The open frames, innermost last; never empty, as the first is the run itself.
    frames: Vec<Frame>,
}

/// The nodes of the trace that correspond to a part or group of the run.
#[derive(Clone, Copy)]
enum Frame {
    /// The nodes `next..end`, which are in `part`, the innermost one.
    Aligned { next: usize, end: usize, part: Option<usize> },
    /// None: the trace does not have this part or group.
    Unknown,
}

impl Replay {
    /// A run that follows `trace` without the `removed` nodes.
    pub(super) fn new(trace: Arc<Trace>, removed: Vec<bool>, alignment: Alignment) -> Self {
        let frames = vec![Frame::Aligned { next: 0, end: trace.nodes().len(), part: None }];
        Self { trace, removed, alignment, frames }
    }

    fn innermost(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the run itself is never left")
    }

    /// Handles an infeasible alignment in the innermost frame: allows an answer without the trace, or fails.
    pub(super) fn infeasible(&mut self) -> Result<(), Infeasible> {
        match (self.alignment, *self.innermost()) {
            (Alignment::Realign, _) | (_, Frame::Unknown) => Ok(()),
            (_, Frame::Aligned { part, .. }) => Err(Infeasible(part)),
        }
    }

    /// The node for the next event at `place`, if the trace has it.
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

    /// The kind of a node.
    pub(super) fn kind(&self, node: usize) -> &Kind {
        &self.trace.nodes()[node].kind
    }

    /// The parts of a loop or selection, except for removed ones.
    pub(super) fn parts(&self, node: usize) -> Vec<usize> {
        self.trace.inside(node).filter(|&part| !self.removed[part]).collect()
    }

    /// Enters a part or group, at `node` if the trace has it.
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

    /// Leaves the innermost part or group, or ends the run. All its nodes in the trace must have been used.
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
