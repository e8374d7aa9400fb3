//! What will be asked next is checked before it is asked: another search runs ahead of the real one, on the assumption that
//! a check under way comes out as the one before in its pass did.
//!
//! It is the same code over the same answers, and begins where the real one said last how it goes on. Where an assumption
//! turns out wrong, what was begun behind it is cancelled, and it begins there again. The real search asks one question after
//! the other and finds some of them answered, so that nothing depends on what runs ahead.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use mcve_transforms::{Halt, STACK};

use super::checker::{Checker, Course, Limits, Stop};
use super::workers::{Board, State, Task, Way, Workers};
use crate::dd::outcome::Outcome;
use crate::exec::job::JobResult;
use crate::program::ContentHash;
use crate::state::record::Teller;

/// What is asked about a text: the verdict of a check, or what a job says that has none.
pub(super) type Question = (Option<Teller>, ContentHash);

/// The questions that are likely to be asked next, in this order.
#[derive(Default)]
pub(super) struct Path {
    steps: Vec<Step>,
    /// How the real search goes on.
    course: Option<Course>,
    /// How often it said so.
    courses: u64,
    /// How often an assumption was wrong.
    errors: u64,
}

/// A question whose job was begun.
struct Step {
    question: Question,
    ticket: u64,
    way: Way,
    /// What is assumed by what runs ahead of it, as long as nothing is known.
    assumed: Option<Outcome>,
    /// What is known before the real search knows it.
    outcome: Option<Outcome>,
}

impl Step {
    /// Whether something was begun that is of no use if the question's text fails, or if it does not.
    fn misleads(&self, fails: bool) -> bool {
        self.outcome.or(self.assumed).is_some_and(|outcome| (outcome == Outcome::Fail) != fails)
    }
}

impl State {
    fn step(&self, question: Question) -> Option<&Step> {
        self.path.steps.iter().find(|step| step.question == question)
    }

    fn begin(&mut self, question: Question, task: Task) -> u64 {
        let way = task.way;
        let ticket = self.submit(task);
        self.path.steps.push(Step { question, ticket, way, assumed: None, outcome: None });
        ticket
    }

    /// The outcome of a question whose job was begun, and whether it is known; `likely` is assumed if nothing was before.
    fn outcome(&mut self, question: Question, likely: Outcome) -> Option<(Outcome, bool)> {
        let step = self.path.steps.iter_mut().find(|step| step.question == question)?;
        Some(match step.outcome {
            Some(outcome) => (outcome, true),
            None => (*step.assumed.get_or_insert(likely), false),
        })
    }

    /// Ends what was begun for the steps from that at `from` on.
    fn cut(&mut self, from: usize) {
        self.path.errors += 1;
        for step in self.path.steps.split_off(from) {
            self.cancel(step.ticket);
        }
    }

    /// Takes notice of what came of the steps; whether it is what was assumed.
    fn look(&mut self, judge: &dyn Fn(&JobResult) -> Outcome) -> bool {
        for index in 0..self.path.steps.len() {
            let Step { question: (teller, _), ticket, outcome, .. } = self.path.steps[index];
            let (None, None, Some(Ok(result))) = (teller, outcome, self.result(ticket)) else { continue };
            let outcome = judge(result);
            let step = &mut self.path.steps[index];
            let misleads = step.misleads(outcome == Outcome::Fail);
            step.outcome = Some(outcome);
            if misleads {
                self.cut(index + 1);
                return false;
            }
        }
        true
    }
}

impl Board {
    /// Has the real search ask a question; the ticket, and how its job is run, which may have begun, by a shortcut only if
    /// that `may` be.
    pub(super) fn ask(&self, question: Question, task: Task, may: bool) -> (u64, Way) {
        self.change(|state| {
            let is_fit = |way| way == task.way || way == Way::Plain || way == Way::Quick && may;
            let is_it = |step: &Step| step.question == question && is_fit(step.way);
            if let Some(index) = state.path.steps.iter().position(is_it) {
                for step in state.path.steps.drain(..index).collect::<Vec<_>>() {
                    state.cancel(step.ticket);
                }
                return (state.path.steps[0].ticket, state.path.steps[0].way);
            }
            // The search took another course than it had said.
            if !state.path.steps.is_empty() {
                state.cut(0);
                state.path.course = None;
            }
            let way = task.way;
            (state.begin(question, task), way)
        })
    }

    /// Says that the real search knows the answer to a question, and whether it is that the text fails.
    pub(super) fn settle(&self, question: Question, fails: bool) {
        self.change(|state| {
            let Some(index) = state.path.steps.iter().position(|step| step.question == question) else { return };
            if state.path.steps[index].misleads(fails) {
                state.cut(index + 1);
            }
            state.path.steps.remove(index);
        });
    }

    /// Ends all that runs ahead, until the search says again how it goes on.
    pub(super) fn forget(&self) {
        self.change(|state| {
            state.cut(0);
            state.path.course = None;
        });
    }

    /// Says how the real search goes on.
    pub(super) fn announce(&self, course: Course) {
        self.change(|state| {
            state.path.course = Some(course);
            state.path.courses += 1;
        });
    }
}

/// What stands in the place of checks where a search runs ahead.
pub(super) struct Ahead {
    board: Arc<Board>,
    /// How many assumptions had been wrong when it began.
    errors: u64,
    /// The outcome that was known last in the pass.
    last: Cell<Option<Outcome>>,
}

impl Ahead {
    /// Runs ahead of the search that says on `board` how it goes on, until that is over, each time by a checker that
    /// `checker` makes.
    pub(super) fn run(board: &Arc<Board>, checker: impl Fn(Self) -> Checker) {
        let mut done = (0, 0);
        loop {
            let mut state = board.state();
            let course = loop {
                let now = (state.path.courses, state.path.errors);
                match &state.path.course {
                    _ if state.is_over => return,
                    Some(course) if now != done => {
                        done = now;
                        break Arc::clone(course);
                    }
                    _ => state = board.wait(state),
                }
            };
            drop(state);
            // However it ends, the real search goes on, and says how.
            let _ = course(checker(Self { board: Arc::clone(board), errors: done.1, last: Cell::new(None) }));
        }
    }

    /// The outcome for a text, as far as `known` tells or it can be assumed.
    pub(super) fn outcome(
        &self,
        text: ContentHash,
        task: &dyn Fn() -> Task,
        judge: &dyn Fn(&JobResult) -> Outcome,
        known: &dyn Fn() -> Option<Outcome>,
    ) -> Result<Outcome, Stop> {
        let question = (None, text);
        let likely = self.last.get().unwrap_or(Outcome::Pass);
        let known = || known().map(|outcome| (outcome, true));
        let find = |state: &mut State| known().or_else(|| state.outcome(question, likely));
        let (outcome, is_known) = self.find(question, task, judge, &find)?;
        if is_known {
            self.has_seen(outcome);
        }
        Ok(outcome)
    }

    /// Tells when nobody waits any more for what runs ahead.
    pub(super) fn halt(&self) -> Halt {
        let (board, errors) = (Arc::clone(&self.board), self.errors);
        Rc::new(move || {
            let state = board.state();
            state.is_over || state.path.errors != errors
        })
    }

    /// Takes notice of an outcome that is known.
    pub(super) fn has_seen(&self, outcome: Outcome) {
        self.last.set(Some(outcome));
    }

    /// What a job says that has no verdict. That cannot be assumed.
    pub(super) fn told(
        &self,
        question: Question,
        task: &dyn Fn() -> Task,
        judge: &dyn Fn(&JobResult) -> Outcome,
        known: &dyn Fn() -> Option<JobResult>,
    ) -> Result<JobResult, Stop> {
        let find = |state: &mut State| {
            known().or_else(|| Some(state.result(state.step(question)?.ticket)?.as_ref().ok()?.clone()))
        };
        self.find(question, task, judge, &find)
    }

    /// The answer to a question, whose job is begun as soon as there is a thread for it.
    fn find<T>(
        &self,
        question: Question,
        task: &dyn Fn() -> Task,
        judge: &dyn Fn(&JobResult) -> Outcome,
        find: &dyn Fn(&mut State) -> Option<T>,
    ) -> Result<T, Stop> {
        let mut state = self.board.state();
        loop {
            if state.is_over || state.path.errors != self.errors || !state.look(judge) {
                return Err(Stop::Interrupted);
            }
            if let Some(answer) = find(&mut state) {
                return Ok(answer);
            }
            if state.step(question).is_none() && state.load() < self.board.count {
                state.begin(question, task());
                self.board.changed.notify_all();
            } else {
                state = self.board.wait(state);
            }
        }
    }
}

impl Checker {
    /// Says how the search goes on, so that what it will ask is checked before; nothing where one job runs at once.
    pub(super) fn announce(&mut self, course: impl FnOnce() -> Course) {
        if let Some(ahead) = &self.ahead {
            ahead.last.set(None);
        }
        if self.jobs() == 1 || self.ahead.is_some() {
            return;
        }
        self.workers.board.announce(course());
        if !std::mem::replace(&mut self.has_ahead, true) {
            let (board, answers, journal) =
                (Arc::clone(&self.workers.board), self.answers.clone(), self.journal.clone());
            let (oracle, executor) = (Arc::clone(&self.oracle), Arc::clone(&self.executor));
            let limits = Limits { timeout: self.limits.timeout, ..Limits::default() };
            let checker = move |ahead: Ahead| {
                let workers = Workers::of(Arc::clone(&ahead.board));
                let checker = Self::of(Arc::clone(&oracle), Arc::clone(&executor), workers, limits.clone());
                let mut checker = checker.with_journal(journal.clone());
                (checker.answers, checker.ahead) = (answers.clone(), Some(ahead));
                checker
            };
            let thread = std::thread::Builder::new().name("ahead".to_owned()).stack_size(STACK);
            // Without it the search is as it is by one worker.
            self.workers.threads.extend(thread.spawn(move || Ahead::run(&board, checker)));
        }
    }
}

#[cfg(test)]
mod tests;
