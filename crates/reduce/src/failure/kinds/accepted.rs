//! The program is accepted, and does not fail when it is run. A condition only.

use std::path::Path;
use std::sync::Arc;

use super::kind::FailureKind;
use super::run_with::{Checked, SECONDS};
use crate::exec::job::{End, Job, JobResult};
use crate::oracle::diagnostics::Stderr;
use crate::oracle::run::Runner;
use crate::oracle::rustc::Rustc;
use crate::oracle::{FailureId, Oracle, Properties, Verdict};
use crate::program::Program;

#[derive(Clone, Debug)]
pub(in crate::failure) struct Accepted(pub(in crate::failure) Option<Runner>);

impl FailureKind for Accepted {
    fn oracle(&self, rustc: &Rustc, seen: Option<&JobResult>) -> Arc<dyn Oracle> {
        // A crash may come before the errors that the check looks for.
        Arc::new(AcceptedOracle(Checked::new(self.runner(rustc), rustc.checking_types(), seen)))
    }

    /// How the program is run. A run that fails may take less time than one that does not.
    fn runner(&self, rustc: &Rustc) -> Option<Runner> {
        let runner = self.0.clone()?;
        Some(Runner { rustc: rustc.clone(), processor: None, seconds: SECONDS, ..runner })
    }
}

/// Does this configuration accept the program? Then the verdict is `Fail`: the condition holds.
#[derive(Clone, Debug)]
struct AcceptedOracle(Checked);

impl Oracle for AcceptedOracle {
    fn job(&self, program: &Program) -> Job {
        self.0.job(program)
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        let holds = match &self.0 {
            Checked::Compiler(_) => result.end == End::Exited(0),
            Checked::Program(runner) => runner.passes(result),
        };
        match holds {
            true => Verdict::fail("accepted"),
            false if self.0.is_run() && result.failed_step.is_none() => {
                Verdict::unresolved(format!("{}: it fails there as well", self.failure().words))
            }
            false => {
                let (condition, written) = (self.failure().words, Stderr::read(&result.stderr));
                let error = written.first_error_line().map(|error| format!(": {error}")).unwrap_or_default();
                Verdict::unresolved(format!("{condition}: it does not compile there{error}"))
            }
        }
    }

    fn failure(&self) -> FailureId {
        let rustc = self.0.rustc();
        let args = rustc.args.iter().filter(|arg| !arg.as_encoded_bytes().starts_with(b"--emit="));
        let words = rustc.called.iter().chain(args).map(|word| word.display().to_string());
        format!("`{}` accepts it", words.collect::<Vec<_>>().join(" ")).into()
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        self.0.command(program, path)
    }

    fn properties(&self) -> Properties {
        Properties { runs_candidates: self.0.is_run(), is_passing: true, ..Properties::default() }
    }
}
