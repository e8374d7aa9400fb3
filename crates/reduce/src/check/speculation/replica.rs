//! The replica of the search, and its thread.

use std::rc::Rc;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

use mcve_transforms::{Halt, STACK};

use crate::check::pool::Board;

#[derive(Clone)]
pub(in crate::check) struct Replica {
    pub(super) board: Arc<Board>,
    /// How many predictions had been wrong when it began.
    pub(super) mispredictions: u64,
}

impl Replica {
    /// Waits for the next continuation that the search announces on `board`, or for the next misprediction, after which the last one
    /// begins again; none once the search is over. `done` are the counts at the last begin, and `announced` takes the continuation.
    pub(in crate::check) fn next<T>(
        board: &Arc<Board>,
        done: &mut (u64, u64),
        announced: impl Fn() -> Option<T>,
    ) -> Option<(Self, T)> {
        let mut state = board.state();
        while !state.is_over {
            let now = (state.expected.continuations, state.expected.mispredictions);
            if state.expected.is_continued
                && now != *done
                && let Some(continuation) = announced()
            {
                *done = now;
                state.expected.followed = now.0;
                let replica = Self { board: Arc::clone(board), mispredictions: now.1 };
                return Some((replica, continuation));
            }
            state = board.wait(state);
        }
        None
    }

    /// Ends the work of the replica when its assumptions are wrong, or the search is over.
    pub(in crate::check) fn halt(&self) -> Halt {
        let (board, mispredictions) = (Arc::clone(&self.board), self.mispredictions);
        Rc::new(move || {
            let state = board.state();
            state.is_over || state.expected.mispredictions != mispredictions
        })
    }
}

/// The thread of a replica. Dropping it waits for its end, which comes when the pool is over.
pub(in crate::check) struct Thread(Option<JoinHandle<()>>);

impl Thread {
    /// Starts it. Without one the search is as it is by one worker.
    pub(in crate::check) fn start(run: impl FnOnce() + Send + 'static) -> Self {
        let thread = Builder::new().name("replica".to_owned()).stack_size(STACK);
        Self(thread.spawn(run).ok())
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        // Its panic is on standard error already.
        self.0.take().map(JoinHandle::join);
    }
}
