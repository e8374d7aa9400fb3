//! What goes wrong with a lone file, and the cheapest way of running rustc that shows it.

use std::sync::Arc;
use std::time::Duration;

use crate::exec::job::{ExecError, Executor};
use crate::exec::process::Cancel;
use crate::oracle::failure::Failure;
use crate::oracle::rustc::{Rustc, RustcOracle};
use crate::program::Program;

/// How long the first runs may take when the user has not said how long a check may.
const PATIENCE: Duration = Duration::from_secs(600);

/// Runs rustc on the unreduced program and fixes the failure that candidates are held to; none if it compiles.
///
/// A file without a main function is compiled as a library. The checks go no further than the failure needs: the first of [`Rustc::ways`] that shows the same is taken.
///
/// # Errors
/// When rustc cannot be run.
pub fn recognise(
    rustc: &Rustc,
    program: &Program,
    executor: &dyn Executor,
    timeout: Option<Duration>,
    allow_errors: bool,
) -> Result<Option<Arc<RustcOracle>>, ExecError> {
    let run = |rustc: &Rustc| {
        let result = executor.run(&rustc.job(program), timeout.unwrap_or(PATIENCE), &Cancel::default())?;
        Ok(Failure::recognise(&result))
    };
    let (mut rustc, mut failure) = (rustc.clone(), run(rustc)?);
    if let Some(library) = failure.as_ref().and_then(|failure| rustc.as_library(failure)) {
        rustc = library;
        failure = run(&rustc)?;
    }
    let Some(failure) = failure else { return Ok(None) };
    for way in rustc.ways(&failure) {
        if run(&way)?.is_some_and(|other| other.is_same(&failure) && other.codes == failure.codes) {
            rustc = way;
            break;
        }
    }
    Ok(Some(Arc::new(RustcOracle { rustc, failure, allow_errors })))
}
