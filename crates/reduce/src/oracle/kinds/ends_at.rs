//! The condition that the run of a program ends by the same statement, which keeps the place of a failure that names none.

use std::ops::Range;

use mcve_transforms::{Ended, FILE, Source, Tree};

use crate::exec::job::{Answer, Job, JobResult};
use crate::oracle::run::Runner;
use crate::oracle::{Condition, Properties};
use crate::program::Program;

/// The run ends by a statement of the unreduced program.
pub(crate) struct EndsAt {
    /// How the program is run.
    pub(crate) runner: Runner,
    /// The statement that begins last.
    pub(crate) last: Range<usize>,
    /// The statement that begins last before another function ends the run, if one does.
    pub(crate) before: Option<Range<usize>>,
}

impl Condition for EndsAt {
    fn job(&self, program: &Program, _: &JobResult) -> Result<Job, String> {
        let source = Source::parse(&*program.text);
        let origin = |byte| program.origin_of(byte).map(|from| from.start);
        let text = Ended::program(&Tree::new(&source), origin).ok_or("no statement is run")?;
        Ok(Job { answer: Some(Answer::NamedBy(FILE.into())), ..self.runner.job(&program.with_text(text)) })
    }

    fn broken(&self, result: &JobResult, _: &JobResult) -> Option<String> {
        // A new statement may be anything that took the place of the old one.
        let ended = Ended::read(&String::from_utf8_lossy(&result.stdout))?;
        let is_there = self.last.contains(&ended.last);
        let was_before = match (&self.before, ended.before) {
            (Some(before), Some(byte)) => before.contains(&byte),
            _ => true,
        };
        (!is_there || !was_before).then(|| "another statement ends the run".to_owned())
    }

    fn properties(&self) -> Properties {
        Properties::default()
    }
}
