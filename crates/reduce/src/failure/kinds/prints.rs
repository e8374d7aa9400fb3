//! The program prints a text when it is run.

use std::path::Path;
use std::sync::Arc;

use super::kind::{Ask, FailureKind};
use super::run_with::RunWith;
use crate::exec::job::{End, Job, JobResult};
use crate::failure::error::FailureError;
use crate::oracle::run::Runner;
use crate::oracle::rustc::Rustc;
use crate::oracle::{CompilerJob, FailureId, Oracle, Properties, Verdict};
use crate::program::Program;

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

    fn is_of_run(&self) -> bool {
        true
    }
}

/// Does the program still print this?
#[derive(Clone, Debug)]
struct PrintsOracle {
    runner: Runner,
    /// The text on standard output or standard error.
    text: String,
    /// How it must end, as the unreduced program does, once that is known.
    end: Option<End>,
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
            return Verdict::unresolved(result.end.to_string());
        }
        let has_text = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(&self.text);
        match has_text(&result.stdout) || has_text(&result.stderr) {
            true => Verdict::fail("it prints the same"),
            false => Verdict::pass("it prints something else"),
        }
    }

    fn failure(&self) -> FailureId {
        format!("the program prints `{}`", self.text).into()
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        self.runner.command(program, path)
    }

    fn properties(&self) -> Properties {
        Properties { holds_values: true, ..Properties::default() }
    }

    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        self.runner.compiler_job(which, program)
    }
}
