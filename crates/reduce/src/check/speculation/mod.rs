//! Checks the next questions of a search before it asks them.
//!
//! A replica of the search runs ahead of the real one. It is the same code over the same answers, and assumes of a check under way
//! what `likely` says. When an assumption turns out wrong, the jobs that were begun after it are
//! cancelled, and the replica starts again where the real search last announced how it continues. The real search asks one question
//! after the other and finds some of them answered, so nothing depends on the replica but the time.

mod board;
pub(super) mod expected;
pub(crate) mod likely;
mod prediction;
pub(super) mod replica;

use std::sync::Arc;

use self::replica::{Replica, Thread};
use crate::check::checks::{Checks, Continuation};
use crate::check::pool::Board;
use crate::check::request::{About, Key, Request};
use crate::exec::job::Trust;
use crate::locked::lock;
use crate::program::Program;
pub(super) use prediction::predict;

/// Announces how the search continues, so that its next questions are checked before it asks them. Does nothing with one worker, or
/// where the workers are for several runs of one check.
pub(crate) fn set_continuation(checks: &mut Checks, continuation: impl FnOnce() -> Continuation) {
    let Some(board) = speculates(checks).filter(|_| checks.parts.repetition.is_none()) else { return };
    let (continuation, announced) = (continuation(), Arc::clone(&checks.continuation));
    let course = checks.course;
    board.announce(|| *lock(&announced) = Some((continuation, course)));
    if checks.thread.is_none() {
        let parts = checks.parts.clone();
        checks.thread = Some(Thread::start(move || {
            // It is taken from under the board's lock, so that it is the one that was announced last.
            let taken = || lock(&announced).clone();
            let mut done = (0, 0);
            while let Some((replica, (continuation, course))) = Replica::next(&board, &mut done, taken) {
                // However it ends, the real search goes on, and says how.
                let _ = continuation(Checks::of_replica(parts.clone(), replica, course));
            }
        }));
    }
}

/// How many checks run at once.
pub(crate) fn workers(checks: &Checks) -> usize {
    checks.pool.as_ref().map_or(1, |pool| pool.board.count)
}

/// Begins checks that will be asked for, as far as there are workers.
pub fn expect(checks: &Checks, programs: &mut dyn Iterator<Item = Program>) {
    let Some(board) = speculates(checks).filter(|_| checks.parts.repetition.is_none()) else { return };
    for program in programs.take(board.count) {
        let key = Key::verdict(&program);
        if checks.parts.known.get(key).is_none() {
            expect_job(checks, &board, key, &program);
        }
    }
}

/// The board on which jobs are begun before they are asked for; none where that is not done.
pub(super) fn speculates(checks: &Checks) -> Option<Arc<Board>> {
    let board = checks.pool.as_ref().map(|pool| Arc::clone(&pool.board));
    board.filter(|board| board.count > 1 && checks.parts.layers.speculation)
}

/// Begins the job of a question about the check of `program` that will be asked.
pub(super) fn expect_job(checks: &Checks, board: &Board, key: Key, program: &Program) {
    let trust = if let About::Run(_) = key.about { Trust::Certain } else { checks.least_trust() };
    let job = || checks.oracle().job(program);
    board.expect(key, || checks.parts.task(&Request { trust, ..Request::certain(key, &job) }));
}

#[cfg(test)]
mod tests;
