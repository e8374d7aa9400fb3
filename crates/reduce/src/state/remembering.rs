//! An executor that does not run again what a journal knows.

use std::time::Duration;

use super::journal::Journal;
use crate::exec::cancel::Cancel;
use crate::exec::job::{End, ExecError, Executor, Job, JobResult};

/// Runs jobs in the order in which an earlier run did, and only those that come after what is known of it.
pub struct Remembering<'a> {
    /// Runs the others.
    pub executor: &'a dyn Executor,
    /// What is known, and where the others are written down.
    pub journal: &'a Journal,
}

impl Executor for Remembering<'_> {
    fn run(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, ExecError> {
        if let Some(result) = self.journal.take_run() {
            return Ok(result);
        }
        let result = self.executor.run(job, timeout, cancel)?;
        // What was called off says nothing.
        if result.end != End::Cancelled {
            self.journal.record_run(&result);
        }
        Ok(result)
    }
}
