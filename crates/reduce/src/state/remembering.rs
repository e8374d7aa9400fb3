//! An executor that does not repeat runs that a journal knows.

use std::time::Duration;

use super::journal::Journal;
use crate::exec::cancel::Cancel;
use crate::exec::job::{End, ExecError, Executor, Job, JobResult};

/// Runs jobs in the order of an earlier run, taking the recorded results first.
pub(crate) struct Remembering<'a> {
    /// Runs the jobs without a recorded result.
    pub executor: &'a dyn Executor,
    /// The recorded results, to which new ones are added.
    pub journal: &'a Journal,
}

impl Executor for Remembering<'_> {
    fn run(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, ExecError> {
        if let Some(result) = self.journal.take_run() {
            return Ok(result);
        }
        let result = self.executor.run(job, timeout, cancel)?;
        // A cancelled run has no meaningful result.
        if result.end != End::Cancelled {
            self.journal.record_run(&result);
        }
        Ok(result)
    }

    fn expect(&self, jobs: Vec<Job>) {
        self.executor.expect(jobs);
    }
}
