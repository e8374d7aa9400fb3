//! Makes the decisions of a run simpler, one after the other, where no loop or selection says what belongs together: the way
//! in which Hypothesis shrinks sequences of choices (MacIver and Donaldson, *Test-Case Reduction via Test-Case Generation:
//! Insights from the Hypothesis Reducer*, 2020), over the tree of calls.
//!
//! | step | what it tries |
//! | --- | --- |
//! | lift | a call does what a call of the same part of the generator did inside of it |
//! | delete | a decision or call is not answered by the trace, so that it becomes the simplest one, or the next one takes its place |
//! | lower | a decision becomes one with a lower rank: an earlier option, a number nearer to 0 |
//! | lower and delete | a number is one less, and something behind it goes: a loop with a turn less |
//! | shorten | at last, a decision becomes another early one or the last one, for a shorter output: ranks do not tell |
//!
//! All runs are [re-aligned](super::replay::Alignment::Realign). A run is taken if its output is shorter, or is as long and
//! its decisions are simpler, so that it ends.

use std::iter::successors;
use std::sync::Arc;

use super::generator::{Execution, Generator, TraceTester, follow};
use super::plan::Plan;
use super::question::Answer;
use super::replay::Alignment;
use super::structure::Structure;
use super::trace::{Kind, Trace};
use mcve_dd::ddmin::ddmin;
use mcve_dd::hdd::hdd;
use mcve_dd::keep_list::KeepList;
use mcve_dd::outcome::Outcome;
use mcve_dd::tester::Tester;

/// How many nodes more than the best run a candidate may have.
const ROOM: usize = 200;

/// How many things behind a number are tried together with it.
const BEHIND: usize = 8;

/// How many calls inside of a call are tried in its place.
const INSIDE: usize = 24;

/// The ranks that are tried for a shorter output.
const OTHERS: [u64; 3] = [1, 2, u64::MAX];

/// How many steps the search for the lowest rank takes at most, and from which rank on it takes only [`FEW`].
const HUGE: u64 = 1 << 40;

/// See [`HUGE`]. So large a number is a fraction, of which mostly nothing but the first digits matter.
const FEW: usize = 10;

/// A run with simpler decisions that still fails.
pub(super) fn shrink<E>(
    generator: &dyn Generator,
    execution: Execution,
    limit: usize,
    judge: &mut dyn TraceTester<E>,
) -> Result<Execution, E> {
    let mut shrinker = Shrinker { generator, limit, judge, best: execution };
    loop {
        let before = shrinker.best.clone();
        shrinker.lift()?;
        shrinker.delete()?;
        shrinker.lower()?;
        shrinker.lower_and_delete()?;
        if shrinker.best == before {
            shrinker.shorten()?;
        }
        if shrinker.best == before {
            return Ok(before);
        }
    }
}

/// What a run has to be, besides a failing one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gain {
    /// Its output is shorter.
    Shorter,
    /// Or it is as long, and its decisions are simpler.
    Simpler,
}

struct Shrinker<'a, E> {
    generator: &'a dyn Generator,
    limit: usize,
    judge: &'a mut dyn TraceTester<E>,
    best: Execution,
}

impl<E> Shrinker<'_, E> {
    /// Takes the first of several runs of `trace` with this gain that fails, and returns its position.
    fn first(
        &mut self,
        trace: &Arc<Trace>,
        gain: Gain,
        plans: &mut dyn Iterator<Item = Plan>,
    ) -> Result<Option<usize>, E> {
        let Self { generator, limit, best, .. } = self;
        let limit = (*limit).min(best.trace.nodes().len() + ROOM);
        let is_better = |run: &Execution| {
            let is_as_long = gain == Gain::Simpler && run.output.len() == best.output.len();
            run.output.len() < best.output.len() || is_as_long && run.is_simpler(best)
        };
        let mut runs = plans.map(|plan| {
            let run = follow(*generator, trace, &plan, Alignment::Realign, limit).ok()?;
            is_better(&run).then_some(run)
        });
        let found = self.judge.first(&mut runs)?;
        drop(runs);
        Ok(found.map(|(position, run)| {
            self.best = run;
            position
        }))
    }

    /// Whether the best run can be changed so.
    fn takes(&mut self, plan: Plan) -> Result<bool, E> {
        let trace = Arc::clone(&self.best.trace);
        Ok(self.first(&trace, Gain::Simpler, &mut std::iter::once(plan))?.is_some())
    }

    fn lift(&mut self) -> Result<(), E> {
        let mut outer = 0;
        while outer < self.best.trace.nodes().len() {
            let trace = Arc::clone(&self.best.trace);
            let nodes = trace.nodes();
            let is_same =
                |&inner: &usize| nodes[inner].kind == Kind::Group && nodes[inner].callee() == nodes[outer].callee();
            let mut inside: Vec<usize> = Vec::new();
            if nodes[outer].kind == Kind::Group {
                inside = (outer + 1..nodes[outer].end).filter(is_same).collect();
                inside.sort_by_key(|&inner| nodes[inner].end - inner);
                inside.truncate(INSIDE);
            }
            let mut plans = inside.into_iter().map(|inner| Plan { lifted: [(outer, inner)].into(), ..Plan::default() });
            if self.first(&trace, Gain::Simpler, &mut plans)?.is_none() {
                outer += 1;
            }
        }
        Ok(())
    }

    fn delete(&mut self) -> Result<(), E> {
        let trace = Arc::clone(&self.best.trace);
        let (elements, parents) = complex(&self.best);
        hdd(&parents, ddmin, &mut Elements { shrinker: self, trace, elements: &elements })?;
        Ok(())
    }

    fn lower(&mut self) -> Result<(), E> {
        let mut decision = 0;
        while let Some(&rank) = self.best.ranks.get(decision) {
            if rank > 0 && !self.takes_rank(decision, 0)? {
                self.lower_one(decision, rank)?;
            }
            decision += 1;
        }
        Ok(())
    }

    /// Finds a lower rank than `high` by bisection, and then goes on one by one.
    fn lower_one(&mut self, decision: usize, mut high: u64) -> Result<(), E> {
        let (mut low, mut steps) = (0, 0);
        while low + 1 < high && (high < HUGE || steps < FEW) {
            let middle = low + (high - low) / 2;
            if self.takes_rank(decision, middle)? {
                high = middle
            } else {
                low = middle
            }
            steps += 1;
        }
        // The options of a choice are in no order.
        for rank in 1..high.min(INSIDE as u64) {
            if self.takes_rank(decision, rank)? {
                break;
            }
        }
        Ok(())
    }

    fn takes_rank(&mut self, decision: usize, rank: u64) -> Result<bool, E> {
        let Some(node) = decisions(&self.best.trace).nth(decision) else { return Ok(false) };
        self.takes(with_rank(node, rank))
    }

    fn shorten(&mut self) -> Result<(), E> {
        let mut decision = 0;
        while let Some(&rank) = self.best.ranks.get(decision) {
            let trace = Arc::clone(&self.best.trace);
            let Some(node) = decisions(&trace).nth(decision) else { break };
            let mut plans = OTHERS.into_iter().filter(|&other| other != rank).map(|other| with_rank(node, other));
            self.first(&trace, Gain::Shorter, &mut plans)?;
            decision += 1;
        }
        Ok(())
    }

    fn lower_and_delete(&mut self) -> Result<(), E> {
        let mut decision = 0;
        while let Some(&rank) = self.best.ranks.get(decision) {
            let trace = Arc::clone(&self.best.trace);
            let Some(node) = decisions(&trace).nth(decision).filter(|_| rank > 0) else {
                decision += 1;
                continue;
            };
            let structure = Structure::recognised(&trace);
            let parts = (0..structure.len()).map(|part| structure.nodes(part)).filter(|nodes| nodes.start > node);
            let single = (node + 1..trace.nodes().len()).map(|node| node..trace.nodes()[node].end);
            let behind: Vec<_> = parts.take(BEHIND).chain(single.take(BEHIND)).collect();
            let mut plans =
                behind.into_iter().map(|nodes| Plan { removed: nodes.collect(), ..with_rank(node, rank - 1) });
            if self.first(&trace, Gain::Shorter, &mut plans)?.is_none() {
                decision += 1;
            }
        }
        Ok(())
    }
}

/// The change that gives the decision at `node` another rank.
fn with_rank(node: usize, rank: u64) -> Plan {
    Plan { answers: [(node, Answer::Rank(rank))].into(), ..Plan::default() }
}

/// The numbers of the nodes that are decisions.
fn decisions(trace: &Trace) -> impl Iterator<Item = usize> {
    let nodes = trace.nodes().iter().enumerate();
    nodes.filter(|(_, node)| matches!(node.kind, Kind::Decision(_))).map(|(number, _)| number)
}

/// The nodes that are not simple: decisions with a rank above 0, and what has such a decision in it. For each the position of
/// the one around it.
fn complex(run: &Execution) -> (Vec<usize>, Vec<Option<usize>>) {
    let outer = run.trace.parents();
    let mut is_complex = vec![false; outer.len()];
    for (node, _) in decisions(&run.trace).zip(&run.ranks).filter(|(_, rank)| **rank > 0) {
        successors(Some(node), |&node| outer[node]).for_each(|node| is_complex[node] = true);
    }
    let elements: Vec<usize> = (0..outer.len()).filter(|&number| is_complex[number]).collect();
    let position = |node: usize| elements.binary_search(&node).ok();
    let parents = elements.iter().map(|&node| outer[node].and_then(position)).collect();
    (elements, parents)
}

/// Tests lists of kept nodes.
struct Elements<'s, 'a, E> {
    shrinker: &'s mut Shrinker<'a, E>,
    trace: Arc<Trace>,
    elements: &'s [usize],
}

impl<E> Tester<E> for Elements<'_, '_, E> {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, E> {
        let found = self.first(&mut std::iter::once(keep.clone()))?;
        Ok(if found.is_some() { Outcome::Fail } else { Outcome::Unresolved })
    }

    fn first(&mut self, keeps: &mut dyn Iterator<Item = KeepList>) -> Result<Option<usize>, E> {
        let elements = self.elements;
        let mut plans = keeps
            .map(|keep| Plan { removed: keep.removed().map(|index| elements[index]).collect(), ..Plan::default() });
        self.shrinker.first(&self.trace, Gain::Simpler, &mut plans)
    }
}
