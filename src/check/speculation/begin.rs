//! How the front begins jobs before they are asked for.

use std::sync::Arc;

use super::replica::{Continuation, Replica, Thread};
use crate::check::checks::{Checks, request};
use crate::check::limits::{Clock, Limits};
use crate::check::pool::Board;
use crate::check::request::{About, Key, Request};
use crate::exec::job::{Job, Trust};
use crate::program::Program;

impl Checks {
    /// Says how the search continues, so that what it will ask is checked before; nothing where one job runs at once, or the workers
    /// are for several runs of one check.
    pub fn set_continuation(&mut self, continuation: impl FnOnce() -> Continuation) {
        if let Some(replica) = &self.replica {
            replica.begin_pass();
        }
        let Some(board) = self.speculates().filter(|_| self.parts.repetition.is_none()) else { return };
        board.set_continuation(continuation());
        if self.thread.is_none() {
            let (board, parts) = (board, self.parts.clone());
            let checks = move |replica: Replica| {
                let (stack, clock) = (parts.of_replica(&replica), Clock::start(Limits::default()));
                Self::of(parts.clone(), stack, clock, None, Some(replica))
            };
            self.thread = Some(Thread::start(move || Replica::run(&board, checks)));
        }
    }

    /// Begins checks that will be asked for, as far as there are workers.
    pub fn expect(&mut self, programs: &mut dyn Iterator<Item = Program>) {
        let Some(board) = self.speculates().filter(|_| self.parts.repetition.is_none()) else { return };
        for program in programs.take(board.count) {
            let key = Key { text: program.hash(), about: About::Verdict };
            if self.parts.known.get(key).is_none() {
                self.expect_job(&board, key, &|| self.parts.oracle.job(&program));
            }
        }
    }

    /// Where jobs are begun before they are asked for, if they are.
    pub(in crate::check) fn speculates(&self) -> Option<Arc<Board>> {
        let board = self.pool.as_ref().map(|pool| Arc::clone(&pool.board));
        board.filter(|board| board.count > 1 && self.parts.layers.speculation)
    }

    /// Begins the job of a question that will be asked.
    pub(in crate::check) fn expect_job(&self, board: &Board, key: Key, job: &dyn Fn() -> Job) {
        let limit = self.parts.slowest.limit(self.parts.fixed);
        let trust = if let About::Run(_) = key.about { Trust::Certain } else { self.least_trust() };
        board.expect(key, || self.parts.modes.task(&Request { trust, limit, ..request(key, job) }));
    }
}
