//! The layer that joins jobs that were begun before they were asked for.

use super::board::Joined;
use crate::check::dispatch::Dispatch;
use crate::check::limits::Stop;
use crate::check::request::{Key, Ran, Request, Run};
use crate::exec::job::End;

/// Joins jobs that were begun.
pub(in crate::check) struct Speculative {
    pub(in crate::check) below: Dispatch,
}

impl Run for Speculative {
    fn run(&mut self, request: &Request<'_>) -> Result<Ran, Stop> {
        let board = &self.below.pool.board;
        self.below.clock.resume();
        if request.out_of_band {
            return match board.take(request.key, request.trust) {
                Some(Joined { ticket, trust, .. }) => Ok(Ran { result: self.below.wait(ticket, request)?, trust }),
                None => self.below.run(request),
            };
        }
        let joined = board.join(request.key, self.below.modes.task(request), request.trust);
        // A job that cannot be run has no result, however often somebody asks.
        let result = self.below.wait(joined.ticket, request).inspect_err(|_| board.leave(request.key))?;
        // It might have ended within the time that it may take now.
        if joined.is_short && result.end == End::TimedOut {
            return self.below.run(request);
        }
        Ok(Ran { result, trust: joined.trust })
    }

    fn settle(&mut self, key: Key, fails: bool) {
        self.below.pool.board.settle(key, fails);
    }
}
