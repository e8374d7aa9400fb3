//! What a run that was cut short knew is not asked again, and what is new is written down.

use std::sync::Arc;

use super::request::{About, Query, Reply, Request, Source};
use crate::exec::job::{JobResult, Trust};
use crate::state::journal::Journal;
use crate::state::record::Judged;

/// What the journal knows of a question.
pub(super) fn recall(journal: &Journal, request: &Request<'_>) -> Option<Reply> {
    let text = request.key.text;
    let judged = match request.key.about {
        About::Verdict => journal.verdict(text, request.trust)?,
        About::Run(_) => journal.take_baseline(text)?,
        About::Output(query) => {
            let result = of_subject(journal.output(query, text)?, request);
            return Some(Reply::of(result, None, Trust::Certain, Source::Journal));
        }
        About::Condition(_) => return None,
    };
    let is_first_run = request.key.about == About::Run(0);
    let result = is_first_run.then(|| journal.output(Query::Check, text)).flatten();
    let result = result.map(|result| Arc::new(of_subject(result, request)));
    let (verdict, trust, wall) = (Some(judged.verdict()), judged.trust, judged.wall());
    Some(Reply { verdict, result, trust, wall, source: Source::Journal })
}

/// Writes an answer down, before anybody hears it.
pub(super) fn write_down(journal: &Journal, request: &Request<'_>, reply: &Reply) {
    let text = request.key.text;
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

/// A recorded result, with the program that it is about: the journal does not hold that.
fn of_subject(result: JobResult, request: &Request<'_>) -> JobResult {
    JobResult { subject: (request.job)().subject, ..result }
}
