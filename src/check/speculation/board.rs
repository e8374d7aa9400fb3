//! How predictions come and go on the board of the pool.

use super::path::Step;
use super::replica::Continuation;
use crate::check::pool::{Board, State, Task};
use crate::check::request::{About, Key};
use crate::dd::outcome::Outcome;
use crate::exec::job::{JobResult, Trust};

impl State {
    /// The step of a question, if its job was begun.
    pub(super) fn step(&self, key: Key) -> Option<&Step> {
        self.path.steps.iter().find(|step| step.key == key)
    }

    /// Begins the job of a question.
    pub(super) fn begin(&mut self, key: Key, task: Task) {
        let (trust, limit) = (task.mode.trust(), task.limit);
        let ticket = self.submit(task);
        self.path.steps.push(Step { key, ticket, trust, limit, assumed: None, outcome: None });
    }

    /// The outcome of a question whose job was begun, and whether it is known; `likely` is assumed if nothing was before.
    pub(super) fn predict(&mut self, key: Key, likely: Outcome) -> Option<(Outcome, bool)> {
        let step = self.path.steps.iter_mut().find(|step| step.key == key)?;
        Some(match step.outcome {
            Some(outcome) => (outcome, true),
            None => (*step.assumed.get_or_insert(likely), false),
        })
    }

    /// Ends what was begun for the steps from that at `from` on.
    fn cut(&mut self, from: usize) {
        self.path.mispredictions += 1;
        for step in self.path.steps.split_off(from) {
            self.cancel(step.ticket);
        }
    }

    /// Takes notice of what came of the steps; whether it is what was assumed.
    pub(super) fn compare(&mut self, judge: &dyn Fn(&JobResult) -> Outcome) -> bool {
        for index in 0..self.path.steps.len() {
            let Step { key, ticket, outcome, .. } = self.path.steps[index];
            let (About::Verdict, None, Some(Ok(result))) = (key.about, outcome, self.result(ticket)) else { continue };
            let outcome = judge(result);
            let step = &mut self.path.steps[index];
            let is_mispredicted = step.is_mispredicted(outcome == Outcome::Fail);
            step.outcome = Some(outcome);
            if is_mispredicted {
                self.cut(index + 1);
                return false;
            }
        }
        true
    }
}

/// A job that answers a question of the real search.
pub(super) struct Joined {
    /// Names it.
    pub(super) ticket: u64,
    /// How certain its result is.
    pub(super) trust: Trust,
    /// Whether it was begun with less time than it may take now.
    pub(super) is_short: bool,
}

impl Board {
    /// Joins the job of a question if it was begun and will do, and begins it else.
    pub(super) fn join(&self, key: Key, task: Task, least: Trust) -> Joined {
        self.change(|state| {
            let is_it = |step: &Step| step.key == key && step.trust >= least;
            if let Some(index) = state.path.steps.iter().position(is_it) {
                for step in state.path.steps.drain(..index).collect::<Vec<_>>() {
                    state.cancel(step.ticket);
                }
                let Step { ticket, trust, limit, .. } = state.path.steps[0];
                return Joined { ticket, trust, is_short: limit < task.limit };
            }
            if !state.path.steps.is_empty() && state.path.continuation.is_some() {
                // The search takes another course than it said, unless all was begun by what it said before.
                if state.path.followed == state.path.continuations {
                    state.path.continuation = None;
                }
                state.cut(0);
            }
            let (trust, limit) = (task.mode.trust(), task.limit);
            let ticket = state.submit_first(task);
            state.path.steps.insert(0, Step { key, ticket, trust, limit, assumed: None, outcome: None });
            Joined { ticket, trust, is_short: false }
        })
    }

    /// Takes the job of a question that is beside the course of the search, if it was begun and will do. It is no step any more,
    /// so that no misprediction cancels what the search waits for.
    pub(super) fn take(&self, key: Key, least: Trust) -> Option<Joined> {
        self.change(|state| {
            let is_it = |step: &Step| step.key == key && step.trust >= least;
            let index = state.path.steps.iter().position(is_it)?;
            let Step { ticket, trust, .. } = state.path.steps.remove(index);
            Some(Joined { ticket, trust, is_short: false })
        })
    }

    /// Forgets the job of a question, of which nothing came.
    pub(super) fn leave(&self, key: Key) {
        self.change(|state| state.path.steps.retain(|step| step.key != key));
    }

    /// Ends the job of a question that will not be asked.
    pub(in crate::check) fn cancel(&self, key: Key) {
        self.change(|state| {
            let Some(index) = state.path.steps.iter().position(|step| step.key == key) else { return };
            let step = state.path.steps.remove(index);
            state.cancel(step.ticket);
        });
    }

    /// Begins the job of a question that will be asked.
    pub(in crate::check) fn expect(&self, key: Key, task: impl FnOnce() -> Task) {
        self.change(|state| {
            if state.step(key).is_none() {
                state.begin(key, task());
            }
        });
    }

    /// Says that the real search knows the answer to a question, and whether it is that the text fails.
    pub(super) fn settle(&self, key: Key, fails: bool) {
        self.change(|state| {
            let Some(index) = state.path.steps.iter().position(|step| step.key == key) else { return };
            if state.path.steps[index].is_mispredicted(fails) {
                state.cut(index + 1);
            }
            state.path.steps.remove(index);
        });
    }

    /// Ends all that was begun, until the search says again how it continues.
    pub(in crate::check) fn forget(&self) {
        self.change(|state| {
            state.cut(0);
            state.path.continuation = None;
        });
    }

    /// Says how the real search continues.
    pub(in crate::check) fn set_continuation(&self, continuation: Continuation) {
        self.change(|state| {
            state.path.continuation = Some(continuation);
            state.path.continuations += 1;
        });
    }
}
