//! The condition that a program no longer fails once a change is applied to it, which keeps its cause.

use std::sync::Arc;

use crate::exec::job::{Job, JobResult};
use crate::oracle::{Condition, Oracle, Properties};
use crate::program::{Change, Program};
use mcve_dd::outcome::Outcome;

/// The program passes with the change.
pub(crate) struct PassesChanged {
    /// The change of the input with which it passes.
    pub(crate) change: Change,
    /// Judges the changed program.
    pub(crate) oracle: Arc<dyn Oracle>,
}

impl Condition for PassesChanged {
    fn job(&self, program: &Program, _: &JobResult) -> Result<Job, String> {
        let changed = self.changed(program).ok_or("the cause is gone")?;
        Ok(self.oracle.job(&changed))
    }

    fn broken(&self, result: &JobResult, _: &JobResult) -> Option<String> {
        (self.oracle.verdict(result).outcome != Outcome::Pass).then(|| "does not pass with the change".to_owned())
    }

    fn properties(&self) -> Properties {
        let runs_candidates = self.oracle.properties().runs_candidates;
        // A value that is put in the place of its computation hides the cause.
        Properties { runs_candidates, holds_values: runs_candidates, ..Properties::default() }
    }

    fn changed(&self, program: &Program) -> Option<Program> {
        self.change.apply(program)
    }
}
