//! The parts of a trace that a reduction can remove: those that the generator declares, and those that the recorded decisions
//! show. Section 3.4 of the paper has the two patterns; section 4.2 recognises them by the place of a call and the stack of
//! calls around it, which is here the tree of groups.
//!
//! - A place that comes again beside itself is the head of a *loop*: a turn goes up to the next one. The last one goes on as
//!   long as the places are those of the other turns. The number of turns is the nearest number before them that equals it.
//! - A decision after which other places follow elsewhere is a *selection*: its part goes up to the place that comes next
//!   elsewhere. Without the part it has the value that it had there.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::plan::Plan;
use super::question::{Answer, Value};
use super::trace::{Kind, Trace};

/// The largest distance of a loop from the decision of how many turns it has, in decisions.
const NEAR: usize = 12;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Removable {
    nodes: Range<usize>,
    /// The loop that it is a turn of: its first node, and the decision of how many turns there are, with its value.
    turn_of: Option<(usize, usize, i64)>,
    /// A decision that has another answer without it.
    instead: Option<(usize, Value)>,
}

/// The parts of a trace, in its order, and for each the part around it.
#[derive(Clone, Debug, Default)]
pub(super) struct Structure {
    parts: Vec<Removable>,
    parents: Vec<Option<usize>>,
}

impl Structure {
    /// The parts that the generator declares.
    pub(super) fn declared(trace: &Trace) -> Self {
        let (parts, parents) = trace.parts();
        let removable = |part: usize| Removable { nodes: part..trace.nodes()[part].end, turn_of: None, instead: None };
        Self { parts: parts.into_iter().map(removable).collect(), parents }
    }

    /// Those, and the ones that are recognised.
    pub(super) fn recognised(trace: &Trace) -> Self {
        let mut recogniser = Recogniser {
            trace,
            structure: Self::default(),
            bodies: HashMap::new(),
            behind: HashMap::new(),
            before: Vec::new(),
        };
        let top: Vec<usize> = trace.top().collect();
        // The first time it learns which places are heads of loops, for loops that have a single turn, and what follows
        // decisions.
        recogniser.all(&top, None);
        recogniser.structure = Self::default();
        recogniser.before.clear();
        recogniser.all(&top, None);
        recogniser.structure
    }

    /// The number of parts.
    pub(super) fn len(&self) -> usize {
        self.parts.len()
    }

    /// For each part, the one around it.
    pub(super) fn parents(&self) -> &[Option<usize>] {
        &self.parents
    }

    pub(super) fn nodes(&self, part: usize) -> Range<usize> {
        self.parts[part].nodes.clone()
    }

    /// The innermost part that has a node.
    pub(super) fn around(&self, node: usize) -> Option<usize> {
        (0..self.len()).rev().find(|&part| self.parts[part].nodes.contains(&node))
    }

    /// The trace without these parts: loops have so many turns less.
    pub(super) fn without(&self, parts: impl IntoIterator<Item = usize>) -> Plan {
        let mut plan = Plan::default();
        // The removed turns of each loop, and the number that has to be lower. Several loops can have the same number.
        let mut turns: HashMap<(usize, usize, i64), i64> = HashMap::new();
        for part in parts {
            let Removable { nodes, turn_of, instead } = &self.parts[part];
            plan.removed.extend(nodes.clone());
            if let Some(turn_of) = turn_of {
                *turns.entry(*turn_of).or_default() += 1;
            }
            if let Some((node, value)) = instead {
                plan.answers.insert(*node, Answer::Value(value.clone()));
            }
        }
        let mut lower: HashMap<usize, (i64, i64)> = HashMap::new();
        for ((_, node, value), removed) in turns {
            let known = lower.entry(node).or_insert((value, 0));
            known.1 = known.1.max(removed);
        }
        plan.answers.extend(lower.into_iter().map(|(node, (value, removed))| (node, Answer::Number(value - removed))));
        plan
    }
}

struct Recogniser<'a> {
    trace: &'a Trace,
    structure: Structure,
    /// The places that begin turns, and the places in these.
    bodies: HashMap<&'a str, HashSet<&'a str>>,
    /// What decisions at a place were, and the place that followed.
    behind: HashMap<&'a str, Vec<(&'a Value, Option<&'a str>)>>,
    /// The decisions before the current node: those beside it, and those beside each node around it.
    before: Vec<usize>,
}

impl<'a> Recogniser<'a> {
    fn place(&self, node: usize) -> &'a str {
        &self.trace.nodes()[node].place
    }

    fn add(&mut self, removable: Removable, parent: Option<usize>) -> usize {
        self.structure.parts.push(removable);
        self.structure.parents.push(parent);
        self.structure.len() - 1
    }

    /// Recognises parts in nodes beside each other.
    fn all(&mut self, nodes: &[usize], parent: Option<usize>) {
        let depth = self.before.len();
        // For each node, the position of the next one with its place.
        let mut again: Vec<Option<usize>> = vec![None; nodes.len()];
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for position in (0..nodes.len()).rev() {
            again[position] = seen.insert(self.place(nodes[position]), position);
        }
        let mut position = 0;
        while let Some(&node) = nodes.get(position) {
            let place = self.place(node);
            if again[position].is_some() || self.bodies.contains_key(place) {
                position = self.turns(nodes, position, &again, parent);
                continue;
            }
            self.one(node, parent);
            position += 1;
            if let Kind::Decision(value) = &self.trace.nodes()[node].kind {
                position += self.selection(node, value, &nodes[position..], parent);
            }
        }
        self.before.truncate(depth);
    }

    /// Adds the selection of a decision, if elsewhere another place comes behind it, and returns how many nodes are in it.
    fn selection(&mut self, node: usize, value: &'a Value, rest: &[usize], parent: Option<usize>) -> usize {
        let following = rest.first().map(|&next| self.place(next));
        let known = self.behind.entry(self.place(node)).or_default();
        let elsewhere = known.clone();
        if !known.contains(&(value, following)) {
            known.push((value, following));
        }
        let length = |&(_, next): &(&Value, Option<&str>)| match next {
            Some(next) => rest.iter().position(|&node| self.place(node) == next),
            None => Some(rest.len()),
        };
        let shortest = elsewhere.iter().filter_map(|other| Some((length(other)?, other.0)));
        let Some((length, other)) = shortest.filter(|(length, _)| *length > 0).min_by_key(|(length, _)| *length) else {
            return 0;
        };
        let inside = &rest[..length];
        let end = self.trace.nodes()[inside[length - 1]].end;
        let instead = Some((node, other.clone()));
        let part = self.add(Removable { nodes: inside[0]..end, turn_of: None, instead }, parent);
        self.all(inside, Some(part));
        length
    }

    /// Adds the turns of the loop that begins at `first`, and returns the position behind it.
    fn turns(&mut self, nodes: &[usize], first: usize, again: &[Option<usize>], parent: Option<usize>) -> usize {
        let heads: Vec<usize> = std::iter::successors(Some(first), |&head| again[head]).collect();
        let last = *heads.last().expect("it has the first one");
        let places: HashSet<&str> = nodes[first..last].iter().map(|&node| self.place(node)).collect();
        let body = self.bodies.entry(self.place(nodes[first])).or_default();
        body.extend(places);
        let body = body.clone();
        let rest = nodes[last + 1..].iter().take_while(|&&node| body.contains(self.place(node))).count();
        let end = last + 1 + rest;
        let number = self.number(heads.len());
        let turn_of = number.map(|(node, value)| (nodes[first], node, value));
        for (&from, &to) in heads.iter().zip(heads[1..].iter().chain([&end])) {
            let all = nodes[from]..self.trace.nodes()[nodes[to - 1]].end;
            let part = self.add(Removable { nodes: all, turn_of, instead: None }, parent);
            let depth = self.before.len();
            self.one(nodes[from], Some(part));
            self.all(&nodes[from + 1..to], Some(part));
            self.before.truncate(depth);
        }
        end
    }

    /// The nearest decision before the current node that has the value `turns`.
    fn number(&self, turns: usize) -> Option<(usize, i64)> {
        let turns = i64::try_from(turns).ok()?;
        let near = self.before.iter().rev().take(NEAR);
        near.filter_map(|&node| Some((node, number(&self.trace.nodes()[node].kind)?)))
            .find(|(_, value)| *value == turns)
    }

    fn one(&mut self, node: usize, parent: Option<usize>) {
        let trace = self.trace;
        match &trace.nodes()[node].kind {
            Kind::Decision(_) => self.before.push(node),
            Kind::Fresh(_) => {}
            Kind::Group | Kind::Part => self.all(&trace.inside(node).collect::<Vec<_>>(), parent),
            Kind::Loop | Kind::Selection => {
                for part in trace.inside(node) {
                    let nodes = part..trace.nodes()[part].end;
                    let number = self.add(Removable { nodes, turn_of: None, instead: None }, parent);
                    self.one(part, Some(number));
                }
            }
        }
    }
}

fn number(kind: &Kind) -> Option<i64> {
    match kind {
        Kind::Decision(Value::Number(number)) => Some(*number),
        Kind::Decision(Value::Name(name)) => name.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::trace::Recorder;
    use super::*;

    /// A trace of decisions, as `place=number`; `(` begins a group and `)` ends it.
    fn trace(text: &str) -> Trace {
        let mut recorder = Recorder::default();
        for word in text.split(' ') {
            match word.split_once('=') {
                Some((place, value)) => {
                    recorder.add(place, Kind::Decision(Value::Number(value.parse().expect("it is a number"))));
                }
                None if word == ")" => assert!(recorder.close()),
                None => recorder.open(word, Kind::Group),
            }
        }
        recorder.finish().expect("all is closed")
    }

    /// The nodes of each part, and the decision that counts it.
    #[track_caller]
    fn check(text: &str, expected: &[(Range<usize>, Option<usize>)]) {
        let structure = Structure::recognised(&trace(text));
        let parts = structure.parts.iter();
        let found: Vec<_> = parts.map(|part| (part.nodes.clone(), part.turn_of.map(|(_, node, _)| node))).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_place_that_comes_again_begins_a_turn() {
        check("n=2 a=7 a=8 z=1", &[(1..2, Some(0)), (2..3, Some(0))]);
        check("n=5 a=7 b=1 a=8 b=2 z=1", &[(1..3, None), (3..5, None)]);
        check("n=2 list f x=1 ) f x=1 ) )", &[(2..4, Some(0)), (4..6, Some(0))]);
        check("a=1 b=2", &[]);
    }

    #[test]
    fn a_decision_after_which_other_places_come_is_a_selection() {
        check("f d=1 x=5 e=1 ) f d=0 e=1 )", &[(0..4, None), (2..3, None), (4..7, None)]);
    }
}
