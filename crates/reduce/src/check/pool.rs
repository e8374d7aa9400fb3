//! A fixed number of threads that run jobs, so that several are under way at once.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::speculation::expected::ExpectedQuestions;
use crate::exec::cancel::Cancel;
use crate::exec::job::{ExecError, Executor, Job, JobResult, Trust};
use crate::locked::lock;

pub(super) struct Task {
    pub(super) job: Job,
    /// How certain its result is: that of a process of its own, or likely, that of the fork server.
    pub(super) trust: Trust,
    /// How long it may take.
    pub(super) limit: Duration,
}

impl Task {
    fn run(&self, executor: &dyn Executor, cancel: &Cancel) -> Result<JobResult, ExecError> {
        match self.trust {
            Trust::Certain => executor.run(&self.job, self.limit, cancel),
            Trust::Likely => executor.run_quickly(&self.job, self.limit, cancel),
        }
    }
}

/// Threads that run jobs. Dropping it cancels what runs and waits for the threads.
pub(super) struct Pool {
    /// The state that the threads share.
    pub(super) board: Arc<Board>,
    threads: Vec<JoinHandle<()>>,
}

/// The state that threads share.
pub(super) struct Board {
    /// How many threads there are.
    pub(super) count: usize,
    state: Mutex<State>,
    changed: Condvar,
}

/// The jobs that are wanted, by the tickets that name them.
#[derive(Default)]
pub(super) struct State {
    tickets: u64,
    queue: VecDeque<(u64, Task)>,
    /// The jobs that have no result yet.
    wanted: HashMap<u64, Cancel>,
    results: HashMap<u64, Result<JobResult, ExecError>>,
    /// How many threads run a job.
    busy: usize,
    /// Whether the pool is about to be dropped.
    pub(super) is_over: bool,
    /// The jobs that were begun before they were asked for.
    pub(super) expected: ExpectedQuestions,
}

impl Pool {
    /// Starts `count` threads, at least one.
    pub(super) fn new(count: usize, executor: &Arc<dyn Executor>) -> std::io::Result<Self> {
        let count = count.max(1);
        let board = Arc::new(Board { count, state: Mutex::default(), changed: Condvar::new() });
        let mut pool = Self { board, threads: Vec::new() };
        for index in 0..count {
            let (board, executor) = (Arc::clone(&pool.board), Arc::clone(executor));
            let work = move || {
                while let Some((ticket, task, cancel)) = board.next() {
                    board.finish(ticket, task.run(&*executor, &cancel));
                }
            };
            pool.threads.push(std::thread::Builder::new().name(format!("check-{index}")).spawn(work)?);
        }
        Ok(pool)
    }

    /// Has a job run by the next free thread; the ticket names it.
    pub(super) fn submit(&self, task: Task) -> u64 {
        self.board.change(|state| state.submit_first(task))
    }

    /// Has a job run after all others; the ticket names it.
    pub(super) fn submit_last(&self, task: Task) -> u64 {
        self.board.change(|state| state.submit(task))
    }

    /// Ends a job whose result is not wanted any more.
    pub(super) fn cancel(&self, ticket: u64) {
        self.board.change(|state| state.cancel(ticket));
    }

    /// Takes the result of a job; none if it takes longer than `patience`.
    pub(super) fn wait(&self, ticket: u64, patience: Duration) -> Option<Result<JobResult, ExecError>> {
        let until = Instant::now() + patience;
        let mut state = self.board.state();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match state.results.remove(&ticket) {
                None if left.is_zero() => return None,
                None => state = self.board.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0,
                result => return result,
            }
        }
    }
}

impl Board {
    /// A thread that panics while it holds the lock leaves a state that is still right.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Waits until anything changed.
    pub(super) fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn wake(&self) {
        self.changed.notify_all();
    }

    /// Changes the state and wakes all that wait for a change.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let changed = change(&mut self.state());
        self.wake();
        changed
    }

    fn next(&self) -> Option<(u64, Task, Cancel)> {
        let mut state = self.state();
        while !state.is_over {
            match state.queue.pop_front() {
                None => state = self.wait(state),
                Some((ticket, task)) => {
                    state.busy += 1;
                    let cancel = state.wanted[&ticket].clone();
                    return Some((ticket, task, cancel));
                }
            }
        }
        None
    }

    fn finish(&self, ticket: u64, result: Result<JobResult, ExecError>) {
        self.change(|state| {
            state.busy -= 1;
            if state.wanted.remove(&ticket).is_some() {
                state.results.insert(ticket, result);
            }
        });
    }
}

impl State {
    /// Puts a task behind all others.
    pub(super) fn submit(&mut self, task: Task) -> u64 {
        let ticket = self.ticket();
        self.queue.push_back((ticket, task));
        ticket
    }

    /// Puts a task before all others.
    pub(super) fn submit_first(&mut self, task: Task) -> u64 {
        let ticket = self.ticket();
        self.queue.push_front((ticket, task));
        ticket
    }

    fn ticket(&mut self) -> u64 {
        self.tickets += 1;
        self.wanted.insert(self.tickets, Cancel::default());
        self.tickets
    }

    /// Ends a job whose result is not wanted any more.
    pub(super) fn cancel(&mut self, ticket: u64) {
        self.results.remove(&ticket);
        self.queue.retain(|(queued, _)| *queued != ticket);
        if let Some(cancel) = self.wanted.remove(&ticket) {
            cancel.cancel();
        }
    }

    /// The result of a job that nobody has taken yet.
    pub(super) fn result(&self, ticket: u64) -> Option<&Result<JobResult, ExecError>> {
        self.results.get(&ticket)
    }

    /// How many threads run a job or have one to run.
    pub(super) fn load(&self) -> usize {
        self.busy + self.queue.len()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.board.change(|state| {
            state.is_over = true;
            state.wanted.values().for_each(Cancel::cancel);
        });
        for thread in self.threads.drain(..) {
            // The panic of a worker is on standard error already.
            let _ = thread.join();
        }
    }
}
