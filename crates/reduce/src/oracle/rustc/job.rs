//! The job in which rustc compiles a program.

use super::crates::{HERE, found, operand};
use super::{JSON, Rustc};
use crate::exec::job::{Job, Word};
use crate::program::Program;

/// Variables that change what rustc prints.
const UNSET: [&str; 4] = ["RUSTC_LOG", "RUSTC_LOG_COLOR", "RUST_LIB_BACKTRACE", "RUST_LOG"];

impl Rustc {
    /// The job that compiles `program`.
    #[must_use]
    pub fn job(&self, program: &Program) -> Job {
        self.job_by(program, |rustc| rustc)
    }

    /// The job that compiles `program` by a changed configuration.
    pub(crate) fn job_by(&self, program: &Program, change: impl FnOnce(Self) -> Self) -> Job {
        let rustc = change(self.of(program));
        let steps = self.steps(program);
        let mut argv = vec![Word::Text(rustc.program.clone().into())];
        argv.extend(rustc.args.into_iter().map(|argument| Word::Text(found(argument, &steps))));
        argv.extend((!steps.is_empty()).then(|| Word::Text(HERE.into())));
        argv.push(Word::Text(JSON.into()));
        argv.push(Word::Text(operand(&program.name).into()));
        let mut env = rustc.env;
        env.extend(UNSET.map(|name| (name.into(), None)));
        env.extend(self.cleared.iter().map(|name| (name.clone(), None)));
        // Without these two an internal compiler error takes three times as long, for a report that nobody reads. What a
        // killed compiler leaves behind shall be in the check's folder.
        let ours = [("RUSTC_ICE", "0"), ("RUST_BACKTRACE", "0"), ("TMPDIR", ".")];
        env.extend(ours.map(|(name, value)| (name.into(), Some(value.into()))));
        Job { files: program.files(), argv, env, steps, ..Job::default() }
    }
}
