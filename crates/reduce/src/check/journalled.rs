//! The layer of the journal: what a run that was cut short knew is not asked again, and what is new is written down.

use std::sync::Arc;

use super::limits::{Clock, Stop};
use super::request::{About, Check, Query, Reply, Request, Source};
use crate::exec::job::{JobResult, Trust};
use crate::state::journal::Journal;
use crate::state::record::Judged;

pub(super) struct Journalled {
    pub(super) below: Box<dyn Check>,
    pub(super) journal: Journal,
    /// Stops while the journal answers. None where the journal is only read.
    pub(super) clock: Option<Clock>,
}

impl Journalled {
    fn known(&self, request: &Request<'_>) -> Option<Reply> {
        let text = request.key.text;
        let judged = match request.key.about {
            About::Verdict => self.journal.verdict(text, request.trust)?,
            About::Run(_) => self.journal.take_baseline(text)?,
            About::Output(query) => {
                let result = of_subject(self.journal.output(query, text)?, request);
                let (trust, wall, source) = (Trust::Certain, result.wall, Source::Journal);
                return Some(Reply { verdict: None, result: Some(Arc::new(result)), trust, wall, source });
            }
            About::Condition(_) => return None,
        };
        let is_first_run = request.key.about == About::Run(0);
        let result = is_first_run.then(|| self.journal.output(Query::Check, text)).flatten();
        let result = result.map(|result| Arc::new(of_subject(result, request)));
        let (verdict, trust, wall) = (Some(judged.verdict()), judged.trust, judged.wall());
        Some(Reply { verdict, result, trust, wall, source: Source::Journal })
    }

    /// Writes an answer down, before anybody hears it.
    fn record(&self, request: &Request<'_>, reply: &Reply) {
        let (text, journal) = (request.key.text, &self.journal);
        let Some(result) = &reply.result else { return };
        let judged = reply.verdict.as_ref().map(|verdict| Judged::new(text, verdict, result));
        match (request.key.about, judged) {
            (About::Verdict, Some(judged)) => journal.record_verdict(judged.by(reply.trust), result),
            (About::Run(run), Some(judged)) => {
                if run == 0 {
                    journal.record_output(Query::Check, text, result);
                }
                journal.record_baseline(judged);
            }
            (About::Output(query), _) => journal.record_output(query, text, result),
            _ => {}
        }
    }
}

/// A recorded result, with the program that it is about: the journal does not hold that.
fn of_subject(result: JobResult, request: &Request<'_>) -> JobResult {
    JobResult { subject: (request.job)().subject, ..result }
}

impl Check for Journalled {
    fn ask(&mut self, request: &Request<'_>) -> Result<Reply, Stop> {
        if let Some(reply) = self.known(request) {
            self.clock.iter().for_each(Clock::pause);
            return Ok(reply);
        }
        let reply = self.below.ask(request)?;
        if self.clock.is_some() {
            self.record(request, &reply);
        }
        Ok(reply)
    }
}
