//! Predicts answers that are not known.

use std::time::Duration;

use super::replica::Replica;
use crate::check::checks::Checks;
use crate::check::limits::Stop;
use crate::check::pool::State;
use crate::check::request::{About, Key, Reply, Request, Source};
use crate::exec::job::{JobResult, Trust};
use crate::oracle::Verdict;

/// Predicts the answer to a question of `replica`, whose checks are `checks`, and begins its job as soon as a thread is free.
pub(in crate::check) fn predict(checks: &Checks, replica: &Replica, request: &Request<'_>) -> Result<Reply, Stop> {
    let judge = |result: &JobResult| checks.oracle().verdict(result).outcome;
    let mut state = replica.board.state();
    loop {
        let is_stale = state.is_over || state.expected.mispredictions != replica.mispredictions;
        if is_stale || !state.compare(&judge) {
            return Err(Stop::Interrupted);
        }
        // The real search may have come to know it meanwhile.
        let known = checks.parts.known.get(request.key);
        if let Some(reply) = known.or_else(|| assume(&mut state, checks, request.key)) {
            return Ok(reply);
        }
        if state.step(request.key).is_none() && state.load() < replica.board.count {
            state.begin(request.key, checks.parts.task(request));
            replica.board.wake();
        } else {
            state = replica.board.wait(state);
        }
    }
}

/// The answer to a question whose job was begun, as far as it is known or can be assumed. An output cannot.
fn assume(state: &mut State, checks: &Checks, key: Key) -> Option<Reply> {
    if let About::Output(_) = key.about {
        let result = state.result(state.step(key)?.ticket)?.as_ref().ok()?.clone();
        return Some(Reply::of(result, None, Trust::Certain, Source::Prediction));
    }
    let outcome = state.predict(key, checks.course.likely())?;
    let (verdict, source) = (Some(Verdict::new(outcome, "")), Source::Prediction);
    Some(Reply { verdict, result: None, trust: Trust::Certain, wall: Duration::ZERO, source })
}
