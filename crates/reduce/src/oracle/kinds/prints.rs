//! The oracle of a text that a program prints when it is run.

use std::path::Path;

use crate::exec::job::{End, Job, JobResult};
use crate::oracle::run::Runner;
use crate::oracle::{Advice, CompilerJob, FailureId, Oracle, Properties, Verdict};
use crate::program::Program;
use mcve_dd::outcome::Outcome;

/// Does the program still print this?
#[derive(Clone, Debug)]
pub(crate) struct PrintsOracle {
    pub runner: Runner,
    /// The text on standard output or standard error.
    pub text: String,
    /// How it must end, as the unreduced program does, once that is known.
    pub end: Option<End>,
}

impl Oracle for PrintsOracle {
    fn job(&self, program: &Program) -> Job {
        self.runner.job(program)
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        if result.failed_step.is_some() {
            return Verdict::not_compiled(result);
        }
        if matches!(result.end, End::TimedOut | End::Cancelled) || self.end.is_some_and(|end| end != result.end) {
            return Verdict::new(Outcome::Unresolved, result.end.to_string());
        }
        let has_text = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(&self.text);
        match has_text(&result.stdout) || has_text(&result.stderr) {
            true => Verdict::new(Outcome::Fail, "it prints the same"),
            false => Verdict::new(Outcome::Pass, "it prints something else"),
        }
    }

    fn failure(&self) -> FailureId {
        format!("the program prints `{}`", self.text).into()
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        self.runner.command(program, path)
    }
}

impl Advice for PrintsOracle {
    fn properties(&self) -> Properties {
        Properties { holds_values: true, ..Properties::default() }
    }

    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        matches!(which, CompilerJob::Hints | CompilerJob::Errors | CompilerJob::Layout)
            .then(|| which.by(&self.runner.rustc, program))
    }
}
