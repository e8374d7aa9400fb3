//! The condition that a program completes something before it fails there, which keeps what decides whether it fails.

use mcve_transforms::{Completed, FILE, Source, Tree};

use crate::exec::job::{Answer, Job, JobResult};
use crate::oracle::run::Runner;
use crate::oracle::run_failure::failing_byte;
use crate::oracle::{Condition, Properties};
use crate::program::Program;

/// The program completes a part around its failure before it fails.
pub(crate) struct CompletesBefore {
    /// How the program is run.
    pub(crate) runner: Runner,
    /// The outermost part that will do.
    pub(crate) part: Completed,
}

impl Condition for CompletesBefore {
    fn job(&self, program: &Program, first: &JobResult) -> Result<Job, String> {
        let text = failing_byte(first, program).and_then(|byte| {
            let source = Source::parse(&*program.text);
            Completed::program(&Tree::new(&source), byte)
        });
        let instrumented = program.with_text(text.ok_or("it fails outside of a function")?);
        Ok(Job { answer: Some(Answer::NamedBy(FILE.into())), ..self.runner.job(&instrumented) })
    }

    fn broken(&self, result: &JobResult, _: &JobResult) -> Option<String> {
        let completed = Completed::read(&String::from_utf8_lossy(&result.stdout));
        completed.is_none_or(|part| part > self.part).then(|| "fails at the first attempt".to_owned())
    }

    fn properties(&self) -> Properties {
        // A value that is put in the place of its computation hides the cause.
        Properties { holds_values: true, ..Properties::default() }
    }
}
