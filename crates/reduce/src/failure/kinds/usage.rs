//! The compiler, or the program, takes too much time or memory.

use std::sync::Arc;
use std::time::Duration;

use super::kind::{Ask, FailureKind};
use super::run_with::{RunWith, SECONDS};
use crate::exec::job::JobResult;
use crate::failure::config::CompilerConfig;
use crate::failure::error::{Conflict, FailureError};
use crate::oracle::Oracle;
use crate::oracle::run::{Runner, TIMES};
use crate::oracle::rustc::Rustc;
use crate::oracle::usage::{Bound, Measured, UsageOracle};

/// rustc, or the program if it is run, takes too much.
#[derive(Clone, Debug)]
pub(in crate::failure) struct Usage {
    bound: Bound,
    run: Option<RunWith>,
    /// The configuration that it is compared with.
    other: Option<CompilerConfig>,
    allow_errors: bool,
}

impl Usage {
    /// rustc does not end within this processor time.
    pub(in crate::failure) fn hang_of_compiler(bound: Duration) -> Self {
        Self { bound: Bound::Hangs(bound), run: None, other: None, allow_errors: false }
    }
}

pub(super) fn add(ask: &Ask<'_>, kinds: &mut Vec<Arc<dyn FailureKind>>) -> Result<(), FailureError> {
    for bound in &ask.spec.bounds {
        match (bound, ask.run()) {
            (Bound::Times(_), Some(_)) => return Err(Conflict::TimesOfRun.into()),
            // This case has a kind of its own.
            (Bound::Hangs(_), Some(_)) => {}
            (bound, run) => {
                let (other, allow_errors) = (ask.passes_with.clone(), ask.spec.allow_errors);
                kinds.push(Arc::new(Usage { bound: *bound, run, other, allow_errors }));
            }
        }
    }
    Ok(())
}

impl FailureKind for Usage {
    fn oracle(&self, rustc: &Rustc, seen: Option<&JobResult>) -> Arc<dyn Oracle> {
        let limited = |runner: Runner| seen.map_or(runner.clone(), |seen| runner.limited_by(seen));
        let measured =
            self.runner(rustc).map(limited).map_or_else(|| Measured::Compiler(rustc.clone()), Measured::Program);
        let other = self.other.as_ref().map(|config| config.of(rustc));
        let errors = seen.filter(|_| !self.allow_errors).map(UsageOracle::errors);
        Arc::new(UsageOracle { measured, bound: self.bound, other, end: seen.map(|seen| seen.end), errors })
    }

    fn runner(&self, rustc: &Rustc) -> Option<Runner> {
        let runner = self.run.as_ref()?.runner(rustc);
        let seconds = match self.bound {
            Bound::Slower(bound) => SECONDS.max(bound.as_secs() * u64::from(TIMES) + 1),
            _ => runner.seconds,
        };
        Some(Runner { seconds, ..runner })
    }

    fn is_failure_with_run(&self) -> bool {
        self.run.is_some()
    }

    fn ways(&self, rustc: &Rustc) -> Vec<Rustc> {
        if self.run.is_none() { rustc.checking() } else { vec![rustc.clone()] }
    }
}
