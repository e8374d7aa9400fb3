//! An oracle that is a function of the program's text: no process runs.

use std::path::Path;
use std::time::Duration;

use crate::exec::cancel::Cancel;
use crate::exec::job::{End, ExecError, Executor, Job, JobResult};
use crate::oracle::{FailureId, Oracle, Properties, Verdict};
use crate::program::Program;

/// Runs a job by asking a function about the text of its first file.
pub(crate) struct ByClosure<F>(pub(crate) F);

impl<F: Fn(&str) -> bool + Send + Sync> Executor for ByClosure<F> {
    fn run(&self, job: &Job, _: Duration, _: &Cancel) -> Result<JobResult, ExecError> {
        let text = job.files.first().map_or_else(Default::default, |(_, file)| String::from_utf8_lossy(&file.bytes));
        Ok(JobResult::ended(End::Exited((self.0)(&text).into())))
    }
}

/// The failure that such a function sees.
pub(crate) struct Seen;

impl Oracle for Seen {
    fn job(&self, program: &Program) -> Job {
        Job { files: program.files(), ..Job::default() }
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        if result.end == End::Exited(1) {
            Verdict::fail("the failure is there")
        } else {
            Verdict::pass("the failure is not there")
        }
    }

    fn failure(&self) -> FailureId {
        "a function sees the failure".to_owned().into()
    }

    fn command(&self, _: &Program, _: &Path) -> String {
        String::new()
    }

    fn properties(&self) -> Properties {
        Properties { runs_candidates: false, ..Properties::default() }
    }
}
