//! Trace reduction: removes parts of a trace by delta debugging.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;

use super::choices::{Halt, LIMIT};
pub use super::generator::TraceTester;
use super::generator::{Execution, Generator, follow};
use super::replay::Alignment;
use super::shrink::shrink;
use super::structure::Structure;
use super::trace::Trace;
use mcve_dd::ddmin::ddmin;
use mcve_dd::hdd::hdd;
use mcve_dd::keep_list::KeepList;
use mcve_dd::outcome::Outcome;
use mcve_dd::tester::Tester;

/// The structure that the parts of a trace are reduced as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// A sequence, reduced by ddmin.
    Sequence,
    /// A tree, reduced by hierarchical delta debugging.
    Tree,
}

/// Settings of trace reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The structure that the parts are reduced as.
    pub order: Order,
    /// The strategy for runs that deviate from a reduced trace.
    pub alignment: Alignment,
    /// The maximum number of nodes in the trace of a run.
    pub limit: usize,
}

/// The best of the six combinations in the paper.
impl Default for Settings {
    fn default() -> Self {
        Self { order: Order::Tree, alignment: Alignment::Realign, limit: LIMIT }
    }
}

/// A smaller run that still fails, if `execution` does: rounds of trace reduction, until a round does not make the output
/// shorter. Unless the generator [declares](Generator::is_declared) all that can go, its remaining decisions are then
/// made simpler, and this begins again if that made the output shorter.
pub fn reduce<E>(
    generator: &dyn Generator,
    execution: Execution,
    settings: Settings,
    judge: &mut dyn TraceTester<E>,
) -> Result<Execution, E> {
    let mut best = execution;
    loop {
        let before = best.output.len();
        best = round(generator, best, settings, judge)?;
        if best.output.len() < before {
            continue;
        }
        if generator.is_declared() {
            return Ok(best);
        }
        best = shrink(generator, best, settings.limit, judge)?;
        if best.output.len() >= before {
            return Ok(best);
        }
    }
}

/// As [`reduce`], where `fails` says whether a text fails. It is asked once for each text.
pub fn reduce_text(
    generator: &dyn Generator,
    execution: Execution,
    settings: Settings,
    fails: impl FnMut(&str) -> bool,
) -> Execution {
    let known = HashMap::from([(execution.output.clone(), true)]);
    let Ok(least) = reduce(generator, execution, settings, &mut Texts { known, fails });
    least
}

struct Texts<F> {
    known: HashMap<String, bool>,
    fails: F,
}

impl<F: FnMut(&str) -> bool> TraceTester<Infallible> for Texts<F> {
    fn first(
        &mut self,
        runs: &mut dyn Iterator<Item = Option<Execution>>,
    ) -> Result<Option<(usize, Execution)>, Infallible> {
        let Self { known, fails } = self;
        let mut runs = runs.enumerate().filter_map(|(position, run)| Some((position, run?)));
        Ok(runs.find(|(_, run)| *known.entry(run.output.clone()).or_insert_with(|| fails(&run.output))))
    }
}

fn round<E>(
    generator: &dyn Generator,
    execution: Execution,
    settings: Settings,
    judge: &mut dyn TraceTester<E>,
) -> Result<Execution, E> {
    let trace = Arc::clone(&execution.trace);
    let structure = if generator.is_declared() { Structure::declared(&trace) } else { Structure::recognised(&trace) };
    let mut runs = Runs { generator, trace, structure: &structure, settings, judge, best: execution };
    match settings.order {
        Order::Sequence => ddmin(KeepList::full(structure.len()), &mut runs)?,
        Order::Tree => hdd(structure.parents(), ddmin, &mut runs)?,
    };
    Ok(runs.best)
}

/// Tests lists of kept parts.
struct Runs<'a, E> {
    generator: &'a dyn Generator,
    trace: Arc<Trace>,
    structure: &'a Structure,
    settings: Settings,
    judge: &'a mut dyn TraceTester<E>,
    /// The last failing run.
    best: Execution,
}

/// The run without these parts, and without more where the strategy is [`Alignment::Bypass`].
fn without(
    generator: &dyn Generator,
    trace: &Arc<Trace>,
    structure: &Structure,
    mut removed: Vec<usize>,
    Settings { alignment, limit, .. }: Settings,
) -> Option<Execution> {
    loop {
        let halt = match follow(generator, trace, &structure.without(removed.iter().copied()), alignment, limit) {
            Ok(run) => return Some(run),
            Err(halt) => halt,
        };
        let Halt::Infeasible { part, at, .. } = halt else { return None };
        let around = structure.around(part.unwrap_or(at))?;
        if alignment != Alignment::Bypass || removed.contains(&around) {
            return None;
        }
        removed.push(around);
    }
}

impl<E> Tester<E> for Runs<'_, E> {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, E> {
        let found = self.first(&mut std::iter::once(keep.clone()))?;
        Ok(if found.is_some() { Outcome::Fail } else { Outcome::Unresolved })
    }

    fn first(&mut self, keeps: &mut dyn Iterator<Item = KeepList>) -> Result<Option<usize>, E> {
        let Self { generator, trace, structure, settings, .. } = self;
        let mut runs = keeps.map(|keep| without(*generator, trace, structure, keep.removed().collect(), *settings));
        let Some((position, run)) = self.judge.first(&mut runs)? else { return Ok(None) };
        drop(runs);
        self.best = run;
        Ok(Some(position))
    }
}
