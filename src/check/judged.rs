//! The layer of the oracle: from what came of a job to a verdict.

use std::sync::Arc;

use super::limits::Stop;
use super::request::{About, Check, Ran, Reply, Request, Run, Source};
use crate::dd::outcome::Outcome;
use crate::exec::job::Trust;
use crate::oracle::Oracle;

/// Has jobs run and their results judged.
pub(super) struct JudgedBy {
    /// Runs jobs.
    pub(super) below: Box<dyn Run>,
    /// Judges.
    pub(super) oracle: Arc<dyn Oracle>,
}

impl Check for JudgedBy {
    fn ask(&mut self, request: &Request<'_>) -> Result<Reply, Stop> {
        let Ran { result, trust } = match request.given {
            Some(result) => Ran { result: result.clone(), trust: Trust::Certain },
            None => self.below.run(request)?,
        };
        let has_verdict = !matches!(request.key.about, About::Output(_));
        let verdict = has_verdict.then(|| self.oracle.verdict(&result));
        let fails = verdict.as_ref().is_some_and(|verdict| verdict.outcome == Outcome::Fail);
        self.below.settle(request.key, fails);
        let wall = result.wall;
        Ok(Reply { verdict, result: Some(Arc::new(result)), trust, wall, source: Source::Run })
    }
}
