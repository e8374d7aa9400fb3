//! Predictions on the board of the pool.

use super::expected::Step;
use crate::check::pool::{Board, State, Task};
use crate::check::request::{About, Key};
use crate::exec::job::{JobResult, Trust};
use mcve_dd::outcome::Outcome;

impl State {
    /// The step of a question, if its job was begun.
    pub(super) fn step(&self, key: Key) -> Option<&Step> {
        self.expected.steps.iter().find(|step| step.key == key)
    }

    pub(super) fn begin(&mut self, key: Key, task: Task) {
        let (trust, limit) = (task.mode.trust(), task.limit);
        let ticket = self.submit(task);
        self.expected.steps.push(Step { key, ticket, trust, limit, assumed: None, outcome: None });
    }

    /// The outcome of a question whose job was begun, and whether it is known; `likely` is assumed if nothing was before.
    pub(super) fn predict(&mut self, key: Key, likely: Outcome) -> Option<(Outcome, bool)> {
        let step = self.expected.steps.iter_mut().find(|step| step.key == key)?;
        Some(match step.outcome {
            Some(outcome) => (outcome, true),
            None => (*step.assumed.get_or_insert(likely), false),
        })
    }

    /// Cancels the jobs of the steps from `from` on.
    fn cut(&mut self, from: usize) {
        self.expected.mispredictions += 1;
        for step in self.expected.steps.split_off(from) {
            self.cancel(step.ticket);
        }
    }

    /// Compares the results of the steps with the assumptions; false if one was wrong.
    pub(super) fn compare(&mut self, judge: &dyn Fn(&JobResult) -> Outcome) -> bool {
        for index in 0..self.expected.steps.len() {
            let Step { key, ticket, outcome, .. } = self.expected.steps[index];
            let (About::Verdict, None, Some(Ok(result))) = (key.about, outcome, self.result(ticket)) else { continue };
            let outcome = judge(result);
            let step = &mut self.expected.steps[index];
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
    pub(super) ticket: u64,
    pub(super) trust: Trust,
    /// Whether it was begun with less time than it may take now.
    pub(super) is_short: bool,
}

impl Board {
    /// Joins the job of a question if it was begun and is certain enough, and begins it otherwise.
    pub(super) fn join(&self, key: Key, task: Task, least: Trust) -> Joined {
        self.change(|state| {
            let is_it = |step: &Step| step.key == key && step.trust >= least;
            if let Some(index) = state.expected.steps.iter().position(is_it) {
                for step in state.expected.steps.drain(..index).collect::<Vec<_>>() {
                    state.cancel(step.ticket);
                }
                let Step { ticket, trust, limit, .. } = state.expected.steps[0];
                return Joined { ticket, trust, is_short: limit < task.limit };
            }
            if !state.expected.steps.is_empty() && state.expected.is_continued {
                // The search takes another course than it announced, unless all was begun by an earlier announcement.
                if state.expected.followed == state.expected.continuations {
                    state.expected.is_continued = false;
                }
                state.cut(0);
            }
            let (trust, limit) = (task.mode.trust(), task.limit);
            let ticket = state.submit_first(task);
            state.expected.steps.insert(0, Step { key, ticket, trust, limit, assumed: None, outcome: None });
            Joined { ticket, trust, is_short: false }
        })
    }

    /// Takes the job of a question out of band, if it was begun and is certain enough. It is no step any more, so that no
    /// misprediction cancels it while the search waits for it.
    pub(super) fn take(&self, key: Key, least: Trust) -> Option<Joined> {
        self.change(|state| {
            let is_it = |step: &Step| step.key == key && step.trust >= least;
            let index = state.expected.steps.iter().position(is_it)?;
            let Step { ticket, trust, .. } = state.expected.steps.remove(index);
            Some(Joined { ticket, trust, is_short: false })
        })
    }

    /// Forgets the job of a question that had no result.
    pub(super) fn leave(&self, key: Key) {
        self.change(|state| state.expected.steps.retain(|step| step.key != key));
    }

    /// Ends the job of a question that will not be asked.
    pub(in crate::check) fn cancel(&self, key: Key) {
        self.change(|state| {
            let Some(index) = state.expected.steps.iter().position(|step| step.key == key) else { return };
            let step = state.expected.steps.remove(index);
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

    /// Takes the answer to a question from the real search: whether the text fails.
    pub(super) fn settle(&self, key: Key, fails: bool) {
        self.change(|state| {
            let Some(index) = state.expected.steps.iter().position(|step| step.key == key) else { return };
            if state.expected.steps[index].is_mispredicted(fails) {
                state.cut(index + 1);
            }
            state.expected.steps.remove(index);
        });
    }

    /// Cancels all jobs that were begun, until the search announces again how it continues.
    pub(in crate::check) fn forget(&self) {
        self.change(|state| {
            state.cut(0);
            state.expected.is_continued = false;
        });
    }

    /// Announces how the real search continues: `set` makes it known to the replica.
    pub(in crate::check) fn announce(&self, set: impl FnOnce()) {
        self.change(|state| {
            set();
            state.expected.is_continued = true;
            state.expected.continuations += 1;
        });
    }
}
