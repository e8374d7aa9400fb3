//! The condition that a program no longer fails once a change is applied to it, which keeps its cause.

use crate::exec::job::{Job, JobResult};
use crate::oracle::run::Runner;
use crate::oracle::{Condition, Properties};
use crate::program::{Change, Program};

/// The program passes with the change.
pub(crate) struct PassesChanged {
    /// The change of the input with which it passes.
    pub(crate) change: Change,
    /// How the program is run, with time to pass.
    pub(crate) runner: Runner,
}

impl Condition for PassesChanged {
    fn job(&self, program: &Program, _: &JobResult) -> Result<Job, String> {
        let changed = self.changed(program).ok_or("the cause is gone")?;
        Ok(self.runner.job(&changed))
    }

    fn broken(&self, result: &JobResult) -> Option<String> {
        (!self.runner.passes(result)).then(|| "does not pass with the change".to_owned())
    }

    fn properties(&self) -> Properties {
        // A value that is put in the place of its computation hides the cause.
        Properties { holds_values: true, ..Properties::default() }
    }

    fn changed(&self, program: &Program) -> Option<Program> {
        self.change.apply(program)
    }
}
