//! The oracle of a program that completes something before it fails there, as a condition that keeps what decides whether it fails.

use std::path::Path;

use mcve_transforms::{Completed, FILE, Source, Tree};

use crate::exec::job::{Answer, Job, JobResult};
use crate::oracle::run::Runner;
use crate::oracle::run_failure::failing_byte;
use crate::oracle::{Advice, FailureId, Oracle, Properties, Verdict};
use crate::program::Program;
use mcve_dd::outcome::Outcome;

/// Does the program complete a part around its failure before it fails? Then the verdict is `Fail`: the condition holds.
pub(crate) struct CompletesBefore {
    /// How the program is run.
    pub(crate) runner: Runner,
    /// The outermost part that will do.
    pub(crate) part: Completed,
}

impl Oracle for CompletesBefore {
    fn job(&self, program: &Program) -> Job {
        Job { answer: Some(Answer::NamedBy(FILE.into())), ..self.runner.job(program) }
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        match Completed::read(&String::from_utf8_lossy(&result.stdout)) {
            Some(part) if part <= self.part => Verdict::new(Outcome::Fail, "completes it before it fails"),
            _ => Verdict::new(Outcome::Unresolved, "fails at the first attempt"),
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

impl Advice for CompletesBefore {
    fn properties(&self) -> Properties {
        // A value that is put in the place of its computation hides the cause.
        Properties { holds_values: true, ..Properties::default() }
    }

    fn job_after(&self, program: &Program, first: &JobResult) -> Option<Result<Job, String>> {
        let text = failing_byte(first, program).and_then(|byte| {
            let source = Source::parse(&*program.text);
            Completed::program(&Tree::new(&source), byte)
        });
        Some(
            text.map(|text| self.job(&program.with_text(text)))
                .ok_or_else(|| "it fails outside of a function".to_owned()),
        )
    }
}
