//! Questions about a key and not about a program: versions of a folder, for which no oracle may be known yet.

use std::sync::Arc;

use super::checks::Checks;
use super::limits::Stop;
use super::request::{Key, Request};
use crate::event::Observer;
use crate::exec::job::{Job, JobResult};
use crate::oracle::Verdict;

/// The verdict on the key.
///
/// # Errors
/// When the search has to stop.
pub fn verdict(
    checks: &mut Checks,
    key: Key,
    job: &dyn Fn() -> Job,
    observer: &mut dyn Observer,
) -> Result<Verdict, Stop> {
    let reply = checks.ask(&Request { trust: checks.least_trust(), ..Request::certain(key, job) })?;
    checks.note(&reply, observer);
    Ok(reply.verdict.expect("who asks for a verdict gets one"))
}

/// The verdict on the key by the result of a job that was run before.
///
/// # Errors
/// When the search has to stop.
pub fn verdict_on(
    checks: &mut Checks,
    key: Key,
    result: &JobResult,
    observer: &mut dyn Observer,
) -> Result<Verdict, Stop> {
    let job = || unreachable!("it was run already");
    let reply = checks.ask(&Request { given: Some(result), ..Request::certain(key, &job) })?;
    checks.note(&reply, observer);
    Ok(reply.verdict.expect("who asks for a verdict gets one"))
}

/// The result of a job.
///
/// # Errors
/// When the job cannot be run, or the search has to stop.
pub fn result(checks: &mut Checks, key: Key, job: &dyn Fn() -> Job) -> Result<Arc<JobResult>, Stop> {
    let reply = checks.ask(&Request::certain(key, job))?;
    Ok(reply.result.expect("who asks for an output gets one"))
}
