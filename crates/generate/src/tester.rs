//! Tests runs of a generator.

use super::generator::Execution;

/// Tests whether runs still show the failure. `E` is an error that stops a reduction.
///
/// A run with the output of the last failing one fails as well. A tester may refuse a run for its size.
pub trait TraceTester<E> {
    /// The first of several runs, in order, whose output fails, and its position; `None` stands for a run that ended early.
    ///
    /// # Errors
    /// When no more verdicts are possible.
    fn first(&mut self, runs: &mut dyn Iterator<Item = Option<Execution>>) -> Result<Option<(usize, Execution)>, E>;
}
