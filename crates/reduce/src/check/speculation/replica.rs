//! The replica of the search, and its layer that predicts answers.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

use mcve_transforms::{Halt, STACK};

use crate::check::dispatch::Modes;
use crate::check::limits::Stop;
use crate::check::pool::{Board, State};
use crate::check::request::{About, Check, Key, Reply, Request, Source};
use crate::exec::job::{JobResult, Trust};
use crate::oracle::{Oracle, Verdict};
use mcve_dd::outcome::Outcome;

#[derive(Clone)]
pub(in crate::check) struct Replica {
    board: Arc<Board>,
    /// How many predictions had been wrong when it began.
    mispredictions: u64,
    /// The outcome that was known last in the pass.
    last: Rc<Cell<Option<Outcome>>>,
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
                let replica = Self { board: Arc::clone(board), mispredictions: now.1, last: Rc::default() };
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

    pub(in crate::check) fn observe(&self, outcome: Outcome) {
        self.last.set(Some(outcome));
    }

    /// Begins a pass, of which no outcome is known.
    pub(in crate::check) fn begin_pass(&self) {
        self.last.set(None);
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

/// Predicts answers that are not known, and begins their jobs.
pub(in crate::check) struct Prediction {
    pub(in crate::check) replica: Replica,
    pub(in crate::check) oracle: Arc<dyn Oracle>,
    /// Decides how jobs are run.
    pub(in crate::check) modes: Modes,
    /// The answers that the real search has meanwhile.
    pub(in crate::check) known: Box<dyn Fn(Key) -> Option<Reply>>,
}

impl Check for Prediction {
    fn ask(&mut self, request: &Request<'_>) -> Result<Reply, Stop> {
        let replica = &self.replica;
        let judge = |result: &JobResult| self.oracle.verdict(result).outcome;
        let mut state = replica.board.state();
        loop {
            let is_stale = state.is_over || state.expected.mispredictions != replica.mispredictions;
            if is_stale || !state.compare(&judge) {
                return Err(Stop::Interrupted);
            }
            if let Some(reply) = self.find(&mut state, request.key) {
                return Ok(reply);
            }
            if state.step(request.key).is_none() && state.load() < replica.board.count {
                state.begin(request.key, self.modes.task(request));
                replica.board.wake();
            } else {
                state = replica.board.wait(state);
            }
        }
    }
}

impl Prediction {
    /// The answer as far as it is known or can be assumed. An output cannot.
    fn find(&self, state: &mut State, key: Key) -> Option<Reply> {
        if let Some(reply) = (self.known)(key) {
            return Some(reply);
        }
        let reply = |verdict, result: Option<Arc<JobResult>>| {
            let wall = result.as_ref().map(|result| result.wall).unwrap_or_default();
            Reply { verdict, result, trust: Trust::Certain, wall, source: Source::Prediction }
        };
        if let About::Output(_) = key.about {
            let result = state.result(state.step(key)?.ticket)?.as_ref().ok()?.clone();
            return Some(reply(None, Some(Arc::new(result))));
        }
        let likely = self.replica.last.get().unwrap_or(Outcome::Pass);
        let (outcome, is_known) = state.predict(key, likely)?;
        if is_known {
            self.replica.observe(outcome);
        }
        Some(reply(Some(Verdict::new(outcome, "")), None))
    }
}
