//! Trace-aligned re-execution: answers a generator so that its run follows a reduced trace.
//!
//! Each choice of the generator has to be the next one of the trace. If it is another one, or can no longer be
//! decided as recorded, the run cannot follow the trace. An [`Alignment`] then decides how to go on.

use std::collections::HashMap;
use std::mem::discriminant;
use std::sync::Arc;

use super::halt::Halt;
use super::plan::Plan;
use super::question::Answer;
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

/// The position of a run in its trace.
pub(super) struct Replay {
    trace: Arc<Trace>,
    plan: Plan,
    alignment: Alignment,
    /// The open frames, innermost last; never empty, as the first is the run itself.
    frames: Vec<Frame>,
    /// The smallest call of each part of the generator, by [`name`](Kind::Group); only where calls may borrow.
    smallest: Option<HashMap<String, usize>>,
}

/// The nodes of the trace that correspond to a part or group of the run.
#[derive(Clone, Copy)]
enum Frame {
    /// The nodes `next..end`, which are in `part`, the innermost one.
    Aligned { next: usize, end: usize, part: Option<usize> },
    /// The nodes `next..end` of another call of the same part of the generator. Deviations do not matter.
    Borrowed { next: usize, end: usize },
    /// None: the trace does not have this part or group.
    Unknown,
}

impl Replay {
    /// A run that follows `trace` as changed by `plan`.
    pub(super) fn new(trace: Arc<Trace>, plan: Plan, alignment: Alignment) -> Self {
        let frames = vec![Frame::Aligned { next: 0, end: trace.nodes().len(), part: None }];
        Self { trace, plan, alignment, frames, smallest: None }
    }

    /// From now on, a call that the trace lacks does what the smallest call of the same part of the generator did.
    pub(super) fn borrow_calls(&mut self) {
        let mut smallest: HashMap<String, usize> = HashMap::new();
        let nodes = self.trace.nodes();
        let size = |node: usize| nodes[node].end - node;
        for (number, node) in nodes.iter().enumerate().filter(|(_, node)| node.kind == Kind::Group) {
            let known = smallest.entry(node.callee().to_owned()).or_insert(number);
            if size(number) < size(*known) {
                *known = number;
            }
        }
        self.smallest = Some(smallest);
    }

    fn innermost(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the run itself is never left")
    }

    /// Handles an infeasible alignment in the innermost frame: allows an answer without the trace, or fails.
    pub(super) fn infeasible(&mut self, place: &str) -> Result<(), Halt> {
        match (self.alignment, *self.innermost()) {
            (Alignment::Realign, _) | (_, Frame::Unknown | Frame::Borrowed { .. }) => Ok(()),
            (_, Frame::Aligned { part, next, end }) => {
                let at = self.left(next, end).next().unwrap_or(next);
                Err(Halt::Infeasible { place: place.to_owned(), part, at })
            }
        }
    }

    /// The node for the next event at `place`, if the trace has it.
    pub(super) fn seek(&mut self, place: &str, kind: &Kind) -> Result<Option<usize>, Halt> {
        let (next, end, is_strict) = match *self.innermost() {
            Frame::Aligned { next, end, .. } => (next, end, self.alignment != Alignment::Realign),
            Frame::Borrowed { next, end } => (next, end, false),
            Frame::Unknown => return Ok(None),
        };
        let nodes = self.trace.nodes();
        let is_it = |node: usize| nodes[node].place == place && discriminant(&nodes[node].kind) == discriminant(kind);
        let mut line = self.left(next, end);
        let found = if is_strict { line.next().filter(|&node| is_it(node)) } else { line.find(|&node| is_it(node)) };
        drop(line);
        let following = found.map(|node| nodes[node].end);
        match (following, self.innermost()) {
            (Some(following), Frame::Aligned { next, .. } | Frame::Borrowed { next, .. }) => *next = following,
            _ => self.infeasible(place)?,
        }
        Ok(found)
    }

    /// The nodes beside each other in `next..end`, except for removed ones.
    fn left(&self, next: usize, end: usize) -> impl Iterator<Item = usize> {
        let nodes = self.trace.nodes();
        let line = std::iter::successors((next < end).then_some(next), move |&node| {
            let following = nodes[node].end;
            (following < end).then_some(following)
        });
        line.filter(|&node| !self.plan.removed.contains(&node))
    }

    /// The number of a node that is a fresh name.
    pub(super) fn fresh(&self, node: usize) -> Option<i64> {
        if let Kind::Fresh(number) = self.trace.nodes()[node].kind { Some(number) } else { None }
    }

    pub(super) fn answer(&self, node: usize) -> Option<Answer> {
        match (self.plan.answers.get(&node), &self.trace.nodes()[node].kind) {
            (Some(answer), _) => Some(answer.clone()),
            (None, Kind::Decision(value)) => Some(Answer::Value(value.clone())),
            (None, _) => None,
        }
    }

    /// The parts of a loop or selection, except for removed ones.
    pub(super) fn parts(&self, node: usize) -> Vec<usize> {
        self.trace.inside(node).filter(|&part| !self.plan.removed.contains(&part)).collect()
    }

    /// Enters a part, at `node` if the trace has it.
    pub(super) fn enter(&mut self, node: Option<usize>) {
        let is_borrowed = matches!(self.innermost(), Frame::Borrowed { .. });
        let end = |node: usize| self.trace.nodes()[node].end;
        let frame = match node {
            None => Frame::Unknown,
            Some(node) if is_borrowed => Frame::Borrowed { next: node + 1, end: end(node) },
            Some(node) => Frame::Aligned { next: node + 1, end: end(node), part: Some(node) },
        };
        self.frames.push(frame);
    }

    /// Enters a group, at `node` if the trace has it.
    pub(super) fn enter_group(&mut self, place: &str, node: Option<usize>) {
        let around = *self.innermost();
        let smallest = self.smallest.as_ref().and_then(|smallest| smallest.get(Trace::callee_of(place)));
        let inside = |node: usize| {
            let node = self.plan.lifted.get(&node).copied().unwrap_or(node);
            node + 1..self.trace.nodes()[node].end
        };
        let frame = match (node, around, smallest) {
            (Some(node), Frame::Aligned { part, .. }, _) => {
                Frame::Aligned { next: inside(node).start, end: inside(node).end, part }
            }
            (Some(node), ..) | (None, _, Some(&node)) => {
                Frame::Borrowed { next: inside(node).start, end: inside(node).end }
            }
            (None, _, None) => Frame::Unknown,
        };
        self.frames.push(frame);
    }

    /// Leaves the innermost part or group, or ends the run. All its nodes in the trace must have been used.
    pub(super) fn leave(&mut self) -> Result<(), Halt> {
        if let Frame::Aligned { next, end, .. } = *self.innermost()
            && self.left(next, end).next().is_some()
        {
            self.infeasible("end")?;
        }
        self.frames.pop();
        Ok(())
    }
}
