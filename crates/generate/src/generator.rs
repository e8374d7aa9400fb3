//! What a generator is, and its runs: a first one that is recorded, and others that are to be those of reduced traces.

use std::sync::Arc;

use super::choices::{Choices, Halt};
use super::replay::Alignment;
use super::trace::Trace;

/// Makes texts out of choices: always the same one of the same choices.
pub trait Generator: Send + Sync {
    /// Which generator this is: a word.
    fn name(&self) -> &str;

    /// Which version of it. A trace says nothing to another one.
    fn version(&self) -> &str;

    /// All that its texts depend on but the choices: a line, empty if there is nothing.
    fn settings(&self) -> String {
        String::new()
    }

    /// Makes a text.
    ///
    /// # Errors
    /// When the choices have the run end.
    fn generate(&self, choices: &mut Choices) -> Result<String, Halt>;
}

/// A run of a generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// What was decided.
    pub trace: Arc<Trace>,
    /// What came of it.
    pub output: String,
}

/// Trace instrumentation: runs the generator with random choices that begin at `seed`, and records them.
///
/// # Errors
/// When the generator does not end within `limit` nodes of a trace, or does not keep to the rules.
pub fn run(generator: &dyn Generator, seed: u64, limit: usize) -> Result<Execution, Halt> {
    with(generator, Choices::random(seed, limit))
}

/// Trace-aligned re-execution: runs the generator as `trace` has it, without the `removed` parts, which are told by their
/// nodes.
///
/// With [`Alignment::Bypass`] the generator is run once more for each part that has to go as well.
///
/// # Errors
/// When the run cannot be that of the trace and the strategy knows no way out; and as [`run`].
pub fn rerun(
    generator: &dyn Generator,
    trace: &Arc<Trace>,
    removed: &[usize],
    alignment: Alignment,
    limit: usize,
) -> Result<Execution, Halt> {
    let mut labels = vec![false; trace.nodes().len()];
    removed.iter().for_each(|&part| labels[part] = true);
    loop {
        match with(generator, Choices::replay(trace, labels.clone(), alignment, limit)) {
            // Each part is removed once at most, as what is removed is not gone into.
            Err(Halt::Infeasible { part: Some(part), .. }) if alignment == Alignment::Bypass => labels[part] = true,
            done => return done,
        }
    }
}

fn with(generator: &dyn Generator, mut choices: Choices) -> Result<Execution, Halt> {
    let output = generator.generate(&mut choices)?;
    Ok(Execution { trace: Arc::new(choices.finish()?), output })
}
