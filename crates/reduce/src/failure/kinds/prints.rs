//! The program prints a text.

use std::sync::Arc;

use super::kind::{Ask, FailureKind};
use super::run_with::RunWith;
use crate::exec::job::JobResult;
use crate::failure::error::FailureError;
use crate::oracle::Oracle;
use crate::oracle::prints::PrintsOracle;
use crate::oracle::run::Runner;
use crate::oracle::rustc::Rustc;

#[derive(Clone, Debug)]
pub(in crate::failure) struct Prints {
    pub(in crate::failure) text: String,
    pub(in crate::failure) run: RunWith,
}

pub(super) fn add(ask: &Ask<'_>, kinds: &mut Vec<Arc<dyn FailureKind>>) -> Result<(), FailureError> {
    if let Some(text) = &ask.spec.prints {
        kinds.push(Arc::new(Prints { text: text.clone(), run: ask.run_or_main() }));
    }
    Ok(())
}

impl FailureKind for Prints {
    fn oracle(&self, rustc: &Rustc, seen: Option<&JobResult>) -> Arc<dyn Oracle> {
        let runner = self.run.runner(rustc);
        let runner = seen.map_or(runner.clone(), |seen| runner.limited_by(seen));
        Arc::new(PrintsOracle { runner, text: self.text.clone(), end: seen.map(|seen| seen.end) })
    }

    fn runner(&self, rustc: &Rustc) -> Option<Runner> {
        Some(self.run.runner(rustc))
    }

    fn is_failure_with_run(&self) -> bool {
        true
    }
}
