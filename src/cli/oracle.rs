//! From arguments to the oracle that judges candidates.

use std::sync::Arc;

use super::args::ReduceArgs;
use super::exit::Failed;
use crate::exec::job::Executor;
use crate::oracle::Oracle;
use crate::program::Program;

/// The oracle that the arguments ask for.
///
/// # Errors
/// When the check cannot be run, or the program does not fail.
pub fn choose(
    _args: &ReduceArgs,
    _toolchain: Option<&str>,
    _program: &Program,
    _executor: &dyn Executor,
) -> Result<Arc<dyn Oracle>, Failed> {
    unimplemented!()
}
