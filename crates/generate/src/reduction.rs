//! Trace reduction: which parts of a trace stay, found by delta debugging over them.

use std::sync::Arc;

use super::choices::LIMIT;
use super::generator::{Execution, Generator, rerun};
use super::replay::Alignment;
use super::trace::Trace;
use mcve_dd::ddmin::ddmin;
use mcve_dd::hdd::hdd;
use mcve_dd::keep_list::KeepList;
use mcve_dd::outcome::Outcome;
use mcve_dd::tester::Tester;

/// What the parts of a trace are taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// A sequence, reduced by ddmin.
    Sequence,
    /// A tree, reduced by hierarchical delta debugging.
    Tree,
}

impl Order {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Sequence, Self::Tree];

    /// The paper's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sequence => "sequence",
            Self::Tree => "tree",
        }
    }
}

/// How a trace is reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What its parts are taken for.
    pub order: Order,
    /// What is done where a run cannot be that of a reduced trace.
    pub alignment: Alignment,
    /// How many nodes the trace of a run may have.
    pub limit: usize,
}

/// The best of the paper's six.
impl Default for Settings {
    fn default() -> Self {
        Self { order: Order::Tree, alignment: Alignment::Realign, limit: LIMIT }
    }
}

/// Says which runs still show the failure. `E` is what stops a reduction.
pub trait TraceTester<E> {
    /// The first of several runs, in order, whose output fails, and its position; `None` among them ended too early.
    ///
    /// # Errors
    /// When no verdict can be had, now or later.
    fn first(&mut self, runs: &mut dyn Iterator<Item = Option<Execution>>) -> Result<Option<(usize, Execution)>, E>;
}

/// A smaller run that still fails, given that `execution` does: rounds of trace reduction, until one has made the output no
/// shorter.
///
/// # Errors
/// When the judge does.
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
        if best.output.len() >= before {
            return Ok(best);
        }
    }
}

fn round<E>(
    generator: &dyn Generator,
    execution: Execution,
    settings: Settings,
    judge: &mut dyn TraceTester<E>,
) -> Result<Execution, E> {
    let (parts, parents) = execution.trace.parts();
    let trace = Arc::clone(&execution.trace);
    let mut runs = Runs { generator, trace, parts: &parts, settings, judge, best: execution };
    match settings.order {
        Order::Sequence => ddmin(KeepList::full(parts.len()), &mut runs)?,
        Order::Tree => hdd(&parents, ddmin, &mut runs)?,
    };
    Ok(runs.best)
}

/// Tests lists of parts that stay.
struct Runs<'a, E> {
    generator: &'a dyn Generator,
    trace: Arc<Trace>,
    parts: &'a [usize],
    settings: Settings,
    judge: &'a mut dyn TraceTester<E>,
    /// The last that failed.
    best: Execution,
}

impl<E> Tester<E> for Runs<'_, E> {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, E> {
        let found = self.first(&mut std::iter::once(keep.clone()))?;
        Ok(if found.is_some() { Outcome::Fail } else { Outcome::Unresolved })
    }

    fn first(&mut self, keeps: &mut dyn Iterator<Item = KeepList>) -> Result<Option<usize>, E> {
        let Settings { alignment, limit, .. } = self.settings;
        let mut runs = keeps.map(|keep| {
            let removed: Vec<usize> = keep.removed().map(|index| self.parts[index]).collect();
            rerun(self.generator, &self.trace, &removed, alignment, limit).ok()
        });
        let Some((position, run)) = self.judge.first(&mut runs)? else { return Ok(None) };
        drop(runs);
        self.best = run;
        Ok(Some(position))
    }
}
