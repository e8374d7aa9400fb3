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
        let (trust, limit, ticket) = (task.trust, task.limit, self.submit(task));
        self.expected.steps.push(Step { key, ticket, trust, limit, assumed: None, outcome: None });
    }

    fn remove(&mut self, is_it: impl FnMut(&Step) -> bool) -> Option<Step> {
        let index = self.expected.steps.iter().position(is_it)?;
        Some(self.expected.steps.remove(index))
    }

    /// The outcome of a question whose job was begun; `likely` is assumed if it is not known, and nothing was assumed before.
    pub(super) fn predict(&mut self, key: Key, likely: Outcome) -> Option<Outcome> {
        let step = self.expected.steps.iter_mut().find(|step| step.key == key)?;
        Some(step.outcome.unwrap_or_else(|| *step.assumed.get_or_insert(likely)))
    }

    /// Cancels the jobs of the steps from `from` on.
    fn cut(&mut self, from: usize) {
        self.expected.mispredictions += 1;
        self.expected.steps.split_off(from).iter().for_each(|step| self.cancel(step.ticket));
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

impl Board {
    /// Joins the job of a question if it was begun and is certain enough, and begins it otherwise.
    pub(in crate::check) fn join(&self, key: Key, task: Task, least: Trust) -> Step {
        self.change(|state| {
            let steps = &mut state.expected.steps;
            if let Some(index) = steps.iter().position(|step| step.key == key && step.trust >= least) {
                let passed: Vec<Step> = steps.drain(..index).collect();
                passed.iter().for_each(|step| state.cancel(step.ticket));
                return state.expected.steps[0];
            }
            if !steps.is_empty() && state.expected.is_continued {
                // The search takes another course than it announced, unless all was begun by an earlier announcement.
                if state.expected.followed == state.expected.continuations {
                    state.expected.is_continued = false;
                }
                state.cut(0);
            }
            let (trust, limit, ticket) = (task.trust, task.limit, state.submit_first(task));
            let step = Step { key, ticket, trust, limit, assumed: None, outcome: None };
            state.expected.steps.insert(0, step);
            step
        })
    }

    /// Takes the job of a question out of band, if it was begun and is certain enough. It is no step any more, so that no
    /// misprediction cancels it while the search waits for it.
    pub(in crate::check) fn take(&self, key: Key, least: Trust) -> Option<Step> {
        self.change(|state| state.remove(|step| step.key == key && step.trust >= least))
    }

    /// Forgets the job of a question that had no result.
    pub(in crate::check) fn leave(&self, key: Key) {
        self.change(|state| state.remove(|step| step.key == key));
    }

    /// Ends the job of a question that will not be asked.
    pub(in crate::check) fn cancel(&self, key: Key) {
        self.change(|state| {
            if let Some(step) = state.remove(|step| step.key == key) {
                state.cancel(step.ticket);
            }
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
    pub(in crate::check) fn settle(&self, key: Key, fails: bool) {
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
