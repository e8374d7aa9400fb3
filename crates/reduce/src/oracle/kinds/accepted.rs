//! The oracle of a program that a configuration accepts, as a condition of regressions and differences.

use std::path::Path;

use crate::exec::job::{End, Job, JobResult};
use crate::oracle::diagnostics::Stderr;
use crate::oracle::run::Runner;
use crate::oracle::rustc::Rustc;
use crate::oracle::{Advice, CompilerJob, FailureId, Oracle, Properties, Verdict};
use crate::program::Program;
use mcve_dd::outcome::Outcome;

/// Does this configuration accept the program? Then the verdict is `Fail`: the condition holds.
#[derive(Clone, Debug)]
pub(crate) enum AcceptedOracle {
    Compiled(Rustc),
    /// It compiles the program, which or whose test does not fail when it is run.
    Run(Runner),
}

impl AcceptedOracle {
    fn rustc(&self) -> &Rustc {
        match self {
            Self::Compiled(rustc) => rustc,
            Self::Run(runner) => &runner.rustc,
        }
    }
}

impl Oracle for AcceptedOracle {
    fn job(&self, program: &Program) -> Job {
        match self {
            Self::Compiled(rustc) => rustc.job(program),
            Self::Run(runner) => runner.job(program),
        }
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        let holds = match self {
            Self::Compiled(_) => result.end == End::Exited(0),
            Self::Run(runner) => runner.passes(result),
        };
        match (holds, self) {
            (true, _) => Verdict::new(Outcome::Fail, "accepted"),
            (false, Self::Run(_)) if result.failed_step.is_none() => {
                Verdict::new(Outcome::Unresolved, format!("{}: it fails there as well", self.failure().words))
            }
            _ => {
                let (condition, written) = (self.failure().words, Stderr::read(&result.stderr));
                let error = written.first_error_line().map(|error| format!(": {error}")).unwrap_or_default();
                Verdict::new(Outcome::Unresolved, format!("{condition}: it does not compile there{error}"))
            }
        }
    }

    fn failure(&self) -> FailureId {
        let rustc = self.rustc();
        let args = rustc.args.iter().filter(|arg| !arg.as_encoded_bytes().starts_with(b"--emit="));
        let words = rustc.called.iter().chain(args).map(|word| word.display().to_string());
        format!("`{}` accepts it", words.collect::<Vec<_>>().join(" ")).into()
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        match self {
            Self::Compiled(rustc) => rustc.command(program, path),
            Self::Run(runner) => runner.command(program, path),
        }
    }
}

impl Advice for AcceptedOracle {
    fn properties(&self) -> Properties {
        Properties { runs_candidates: matches!(self, Self::Run(_)), ..Properties::default() }
    }

    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        (which == CompilerJob::Hints).then(|| which.by(self.rustc(), program))
    }
}
