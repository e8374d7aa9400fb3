//! The program is accepted, and does not fail when it is run. A condition only.

use std::sync::Arc;

use super::kind::FailureKind;
use super::run_with::SECONDS;
use crate::exec::job::JobResult;
use crate::oracle::Oracle;
use crate::oracle::accepted::AcceptedOracle;
use crate::oracle::run::Runner;
use crate::oracle::rustc::Rustc;

/// The program is accepted, and does not fail when it is run so.
#[derive(Clone, Debug)]
pub(in crate::failure) struct Accepted(pub(in crate::failure) Option<Runner>);

impl FailureKind for Accepted {
    fn oracle(&self, rustc: &Rustc, seen: Option<&JobResult>) -> Arc<dyn Oracle> {
        let limited = |runner: Runner| seen.map_or(runner.clone(), |seen| runner.limited_by(seen));
        // A crash may come before the errors that the check looks for.
        let compiled = || AcceptedOracle::Compiled(rustc.checking_types());
        Arc::new(self.runner(rustc).map(limited).map_or_else(compiled, AcceptedOracle::Run))
    }

    /// How the program is run. A run that fails may take less time than one that does not.
    fn runner(&self, rustc: &Rustc) -> Option<Runner> {
        let runner = self.0.clone()?;
        Some(Runner { rustc: rustc.clone(), processor: None, seconds: SECONDS, ..runner })
    }
}
