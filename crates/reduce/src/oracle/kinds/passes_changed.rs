//! The oracle of a program that no longer fails once a change is applied to it, as a condition that keeps its cause.

use std::path::Path;

use crate::exec::job::{Job, JobResult};
use crate::oracle::run::Runner;
use crate::oracle::{Advice, FailureId, Oracle, Properties, Verdict};
use crate::program::{Change, Program};
use mcve_dd::outcome::Outcome;

/// Does the program pass with the change? Then the verdict is `Fail`: the condition holds.
pub(crate) struct PassesChanged {
    /// The change of the input with which it passes.
    pub(crate) change: Change,
    /// How the program is run, with time to pass.
    pub(crate) runner: Runner,
}

impl Oracle for PassesChanged {
    fn job(&self, program: &Program) -> Job {
        self.runner.job(&self.change.apply(program).unwrap_or_else(|| program.clone()))
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        match self.runner.passes(result) {
            true => Verdict::new(Outcome::Fail, "passes with the change"),
            false => Verdict::new(Outcome::Unresolved, "does not pass with the change"),
        }
    }

    /// Nothing: the failure is that of the program as it is.
    fn failure(&self) -> FailureId {
        String::new().into()
    }

    /// Nothing: the command shows the failure.
    fn command(&self, _: &Program, _: &Path) -> String {
        String::new()
    }

    fn advice(&self) -> &dyn Advice {
        self
    }
}

impl Advice for PassesChanged {
    fn properties(&self) -> Properties {
        // A value that is put in the place of its computation hides the cause.
        Properties { holds_values: true, ..Properties::default() }
    }

    fn job_after(&self, program: &Program, _: &JobResult) -> Option<Result<Job, String>> {
        let changed = self.change.apply(program);
        Some(changed.map(|changed| self.runner.job(&changed)).ok_or_else(|| "the cause is gone".to_owned()))
    }
}
