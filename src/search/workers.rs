//! A fixed number of threads that run jobs, so that several checks are under way at once.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::exec::job::{ExecError, Executor, Job, JobResult};
use crate::exec::process::Cancel;

/// How a job is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// So that what comes of it is certain.
    Plain,
    /// By the executor's shortcut.
    Quick,
}

struct Task {
    ticket: u64,
    job: Job,
    way: Way,
    timeout: Duration,
    cancel: Cancel,
}

/// Threads that run jobs. Dropping it cancels what runs and waits for the threads.
pub struct Workers {
    tasks: Option<Sender<Task>>,
    results: Receiver<(u64, Result<JobResult, ExecError>)>,
    threads: Vec<JoinHandle<()>>,
    running: Vec<(u64, Cancel)>,
    tickets: u64,
}

impl Workers {
    /// Starts `count` threads, at least one.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn new(count: usize, executor: Arc<dyn Executor>) -> std::io::Result<Self> {
        let (tasks, queue) = channel::<Task>();
        let queue = Arc::new(Mutex::new(queue));
        let (done, results) = channel();
        let mut workers = Self { tasks: Some(tasks), results, threads: Vec::new(), running: Vec::new(), tickets: 0 };
        for index in 0..count.max(1) {
            let (queue, done, executor) = (Arc::clone(&queue), done.clone(), Arc::clone(&executor));
            let work = move || {
                while let Some(task) = next(&queue) {
                    let result = match task.way {
                        Way::Plain => executor.run(&task.job, task.timeout, &task.cancel),
                        Way::Quick => executor.run_quickly(&task.job, task.timeout, &task.cancel),
                    };
                    if done.send((task.ticket, result)).is_err() {
                        break;
                    }
                }
            };
            workers.threads.push(std::thread::Builder::new().name(format!("check-{index}")).spawn(work)?);
        }
        Ok(workers)
    }

    /// How many jobs can run at once.
    #[must_use]
    pub fn count(&self) -> usize {
        self.threads.len()
    }

    /// Has a job run by the next free thread; the ticket names it in [`Workers::wait`] and [`Workers::cancel`].
    pub fn submit(&mut self, job: Job, way: Way, timeout: Duration) -> u64 {
        self.tickets += 1;
        let (ticket, cancel) = (self.tickets, Cancel::default());
        self.running.push((ticket, cancel.clone()));
        let tasks = self.tasks.as_ref().expect("tasks are taken until the drop");
        tasks.send(Task { ticket, job, way, timeout, cancel }).expect("the threads live until the drop");
        ticket
    }

    /// Ends a job whose result is not wanted any more; it still is reported, as cancelled or with its result.
    pub fn cancel(&mut self, ticket: u64) {
        if let Some((_, cancel)) = self.running.iter().find(|(running, _)| *running == ticket) {
            cancel.cancel();
        }
    }

    /// The next result, or `None` when there is none within `patience`.
    pub fn wait(&mut self, patience: Duration) -> Option<(u64, Result<JobResult, ExecError>)> {
        match self.results.recv_timeout(patience) {
            Ok((ticket, result)) => {
                self.running.retain(|(running, _)| *running != ticket);
                Some((ticket, result))
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => unreachable!("the threads live until the drop"),
        }
    }
}

fn next(queue: &Mutex<Receiver<Task>>) -> Option<Task> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.tasks = None;
        for (_, cancel) in &self.running {
            cancel.cancel();
        }
        for thread in self.threads.drain(..) {
            // A panic of a worker has been told on standard error already.
            let _ = thread.join();
        }
    }
}
