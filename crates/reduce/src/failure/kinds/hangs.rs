//! The program does not end.

use std::sync::Arc;
use std::time::Duration;

use super::kind::{Ask, FailureKind};
use super::run_with::RunWith;
use crate::exec::job::JobResult;
use crate::failure::error::FailureError;
use crate::oracle::Oracle;
use crate::oracle::hang::HangOracle;
use crate::oracle::run::Runner;
use crate::oracle::rustc::Rustc;
use crate::oracle::usage::Bound;

/// The program does not end within a processor time.
#[derive(Clone, Debug)]
struct Hangs {
    bound: Duration,
    run: RunWith,
    /// Whether the failure also requires the place where the program hangs.
    is_located: bool,
}

pub(super) fn add(ask: &Ask<'_>, kinds: &mut Vec<Arc<dyn FailureKind>>) -> Result<(), FailureError> {
    let Some(run) = ask.run() else { return Ok(()) };
    for bound in &ask.spec.bounds {
        if let Bound::Hangs(bound) = *bound {
            kinds.push(Arc::new(Hangs { bound, run: run.clone(), is_located: true }));
        }
    }
    Ok(())
}

impl FailureKind for Hangs {
    fn oracle(&self, rustc: &Rustc, seen: Option<&JobResult>) -> Arc<dyn Oracle> {
        Arc::new(HangOracle::new(self.run.runner(rustc), self.bound, self.is_located, seen))
    }

    fn runner(&self, rustc: &Rustc) -> Option<Runner> {
        Some(self.run.runner(rustc))
    }

    fn is_failure_with_run(&self) -> bool {
        true
    }

    fn simpler(&self) -> Option<Arc<dyn FailureKind>> {
        self.is_located.then(|| Arc::new(Self { is_located: false, ..self.clone() }) as Arc<dyn FailureKind>)
    }
}
