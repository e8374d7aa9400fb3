//! Generators and their runs: a first run, which is recorded, and runs of reduced traces.

use std::sync::Arc;

use super::choices::{Choices, Halt};
use super::plan::Plan;
use super::replay::Alignment;
use super::trace::Trace;

/// Makes texts from choices. The same choices always make the same text.
pub trait Generator: Send + Sync {
    /// The generator's name: a word.
    fn name(&self) -> &str;

    /// The generator's version. Traces of other versions are not usable.
    fn version(&self) -> &str;

    /// The settings that its texts depend on besides the choices: a line, empty if there are none.
    fn settings(&self) -> String {
        String::new()
    }

    /// Whether all that can be removed is declared, as turns of loops and as selections, and nothing else is worth a try.
    /// If not, a reduction also recognises loops and optional parts in the recorded decisions, and makes those smaller that
    /// are left.
    fn is_declared(&self) -> bool {
        true
    }

    /// Makes a text. Fails when a choice ends the run.
    fn generate(&self, choices: &mut Choices) -> Result<String, Halt>;
}

/// A run of a generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// The recorded decisions.
    pub trace: Arc<Trace>,
    /// The generated text.
    pub output: String,
    /// For each decision of the trace, its place in the order of the possible answers: 0 for the simplest one.
    pub ranks: Vec<u64>,
}

impl Execution {
    /// Whether its decisions are simpler: fewer, or as many and earlier in the order of answers, the first difference counts.
    pub fn is_simpler(&self, other: &Self) -> bool {
        (self.ranks.len(), &self.ranks) < (other.ranks.len(), &other.ranks)
    }
}

/// Tests whether runs still show the failure. `E` is an error that stops a reduction.
///
/// A run with the output of the last failing one fails as well. A tester may refuse a run for its size.
pub trait TraceTester<E> {
    /// The first of several runs, in order, whose output fails, and its position; `None` stands for a run that ended early.
    fn first(&mut self, runs: &mut dyn Iterator<Item = Option<Execution>>) -> Result<Option<(usize, Execution)>, E>;
}

/// Trace instrumentation: runs the generator with random choices from `seed`, and records them.
///
/// # Errors
/// When the generator does not end within `limit` nodes of a trace, or violates the protocol.
pub fn run(generator: &dyn Generator, seed: u64, limit: usize) -> Result<Execution, Halt> {
    with(generator, Choices::random(seed, limit))
}

/// Trace-aligned re-execution: runs the generator by `trace` without the `removed` parts, which are given as node
/// numbers.
///
/// With [`Alignment::Bypass`], the generator runs once more for each additional part that has to be removed.
///
/// # Errors
/// When the run deviates from the trace and the strategy does not allow that; and as [`run`].
pub fn rerun(
    generator: &dyn Generator,
    trace: &Arc<Trace>,
    removed: &[usize],
    alignment: Alignment,
    limit: usize,
) -> Result<Execution, Halt> {
    let mut plan = Plan { removed: removed.iter().copied().collect(), ..Plan::default() };
    loop {
        match follow(generator, trace, &plan, alignment, limit) {
            // Each part is removed at most once, as removed parts are not entered.
            Err(Halt::Infeasible { part: Some(part), .. }) if alignment == Alignment::Bypass => {
                plan.removed.insert(part);
            }
            done => return done,
        }
    }
}

/// Runs the generator once by `trace` as changed by `plan`.
pub(super) fn follow(
    generator: &dyn Generator,
    trace: &Arc<Trace>,
    plan: &Plan,
    alignment: Alignment,
    limit: usize,
) -> Result<Execution, Halt> {
    with(generator, Choices::replay(trace, plan.clone(), alignment, limit))
}

fn with(generator: &dyn Generator, mut choices: Choices) -> Result<Execution, Halt> {
    let output = generator.generate(&mut choices)?;
    let (trace, ranks) = choices.finish()?;
    Ok(Execution { trace: Arc::new(trace), output, ranks })
}
