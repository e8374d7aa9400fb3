//! Hands jobs to threads, no longer than the search may go on, and joins those that were begun before they were asked for.

use super::checks::Checks;
use super::limits::{POLL, Stop};
use super::request::{About, Ran, Request};
use super::speculation::expected::Step;
use crate::exec::job::{End, JobResult};

/// Runs the job of a question and waits for it.
pub(super) fn run(checks: &Checks, request: &Request<'_>) -> Result<Ran, Stop> {
    checks.clock.resume();
    let board = &checks.pool().board;
    let begun = match request.out_of_band {
        true => board.take(request.key, request.trust),
        false => Some(board.join(request.key, checks.parts.task(request), request.trust)),
    };
    if let Some(Step { ticket, trust, limit, .. }) = begun {
        // A job that cannot be run has no result, however often somebody asks.
        let result = wait(checks, ticket, request).inspect_err(|_| board.leave(request.key))?;
        // It might have ended within the time that it may take now.
        if limit >= checks.parts.limit() || result.end != End::TimedOut {
            return Ok(Ran { result, trust });
        }
    }
    let task = checks.parts.task(request);
    let trust = task.trust;
    let ticket = checks.pool().submit(task);
    Ok(Ran { result: wait(checks, ticket, request)?, trust })
}

fn wait(checks: &Checks, ticket: u64, request: &Request<'_>) -> Result<JobResult, Stop> {
    let result = result(checks, ticket)?;
    if !matches!(request.key.about, About::Output(_)) {
        checks.parts.modes.learn(result.wall);
    }
    Ok(result)
}

/// Waits for what comes of a task.
pub(super) fn result(checks: &Checks, ticket: u64) -> Result<JobResult, Stop> {
    loop {
        checks.proceed().inspect_err(|_| checks.pool().cancel(ticket))?;
        if let Some(result) = checks.pool().wait(ticket, POLL) {
            return result.map_err(Stop::Exec);
        }
    }
}
