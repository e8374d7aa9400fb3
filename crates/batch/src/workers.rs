//! Threads that work through tasks, each under a claim, by calls of `mcve`.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::call::{Answer, Caller};
use crate::claim::{Claim, Disk, release, renew, take};

/// The time between two looks at the claims of other processes.
const LOOK: Duration = Duration::from_millis(200);

/// The time between two looks at whether the batch has to end.
const WATCH: Duration = Duration::from_millis(50);

/// The time after the budget in which calls write their results.
const GRACE: Duration = Duration::from_secs(20);

/// The limits of a batch.
#[derive(Debug)]
pub struct Settings<'a> {
    /// The number of calls that run at once.
    pub jobs: usize,
    /// The time at which the batch ends.
    pub deadline: Option<Instant>,
    /// The most time for each reduction.
    pub per_run: Option<Duration>,
    /// The time after which a process that has not renewed its claim counts as dead.
    pub lease: Duration,
    /// Ends the batch early.
    pub interrupt: &'a AtomicBool,
}

/// A part of a batch that one thread does under one claim.
pub(crate) trait Task: Sync {
    /// The name of its claim.
    fn name(&self) -> String;

    /// Whether nothing is left to do, as far as this process knows.
    fn is_done(&self) -> bool;

    /// Reads what other processes have done. Fails if that cannot be read.
    fn refresh(&self) -> io::Result<()> {
        Ok(())
    }

    /// Does it. Fails if the folder cannot be used, or `mcve` cannot be run.
    fn work(&self, calls: &Calls<'_>) -> anyhow::Result<()>;
}

/// Threads that work through tasks.
pub(crate) struct Workers<'a> {
    caller: &'a Caller,
    pub(crate) settings: Settings<'a>,
    claims: Disk,
    held: Mutex<Vec<(u64, Claim)>>,
    next: AtomicU64,
    is_over: Mutex<bool>,
    ends: Condvar,
}

/// The calls of one task.
pub(crate) struct Calls<'a> {
    workers: &'a Workers<'a>,
    id: u64,
}

impl<'a> Workers<'a> {
    pub(crate) fn new(caller: &'a Caller, settings: Settings<'a>, claims: Disk) -> Self {
        let (held, next, is_over, ends) = Default::default();
        Self { caller, settings, claims, held, next, is_over, ends }
    }

    /// Works through tasks until all are done or the batch has to end. Waits for those of other processes. False if some are not done.
    pub(crate) fn work_through<T: Task>(&self, tasks: &[T]) -> anyhow::Result<bool> {
        *lock(&self.is_over) = false;
        // With a budget, a task may be over without being done.
        let is_over: Vec<AtomicBool> = tasks.iter().map(|_| AtomicBool::new(false)).collect();
        std::thread::scope(|scope| {
            let watch = scope.spawn(|| self.watch());
            let worker = || self.work(tasks, &is_over).inspect_err(|_| self.caller.stop_all());
            let threads = self.settings.jobs.min(tasks.len()).max(1);
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
            let done: Vec<_> = threads.into_iter().map(|thread| thread.join().expect("it does not panic")).collect();
            *lock(&self.is_over) = true;
            self.ends.notify_all();
            let watched = watch.join().expect("it does not panic");
            done.into_iter().chain([watched]).collect::<anyhow::Result<()>>()
        })?;
        Ok(tasks.iter().all(Task::is_done))
    }

    /// What one thread does.
    fn work<T: Task>(&self, tasks: &[T], is_over: &[AtomicBool]) -> anyhow::Result<()> {
        loop {
            let (mut waits, mut has_worked) = (None, false);
            for (task, is_over) in tasks.iter().zip(is_over) {
                if self.has_to_end() {
                    return Ok(());
                }
                if is_over.load(Ordering::Relaxed) {
                    continue;
                }
                if task.is_done() {
                    is_over.store(true, Ordering::Relaxed);
                    continue;
                }
                let Some(claim) = take(&self.claims, &task.name(), self.settings.lease)? else {
                    waits = Some(task);
                    continue;
                };
                let id = self.next.fetch_add(1, Ordering::Relaxed);
                lock(&self.held).push((id, claim.clone()));
                // Its last owner may have just finished it.
                let done = task
                    .refresh()
                    .map_err(Into::into)
                    .and_then(|()| if task.is_done() { Ok(()) } else { task.work(&Calls { workers: self, id }) });
                lock(&self.held).retain(|(own, _)| *own != id);
                is_over.store(true, Ordering::Relaxed);
                release(&self.claims, &claim)?;
                done?;
                has_worked = true;
            }
            match waits {
                None => return Ok(()),
                Some(task) if !has_worked => {
                    std::thread::sleep(LOOK);
                    task.refresh()?;
                }
                Some(_) => {}
            }
        }
    }

    /// Renews claims, and ends calls that have lost theirs, or all calls if the batch has to end.
    fn watch(&self) -> anyhow::Result<()> {
        let mut renewed = Instant::now();
        let mut is_over = lock(&self.is_over);
        while !*is_over {
            is_over = self.ends.wait_timeout(is_over, WATCH).expect("nobody panics with it").0;
            let is_late = self.settings.deadline.is_some_and(|deadline| Instant::now() > deadline + GRACE);
            if self.settings.interrupt.load(Ordering::Relaxed) || is_late {
                self.caller.stop_all();
            }
            if renewed.elapsed() > self.settings.lease / 4 {
                renewed = Instant::now();
                let held = lock(&self.held).clone();
                for (id, claim) in held {
                    if !renew(&self.claims, &claim)? {
                        self.caller.stop(id);
                    }
                }
            }
        }
        Ok(())
    }

    fn has_to_end(&self) -> bool {
        self.settings.interrupt.load(Ordering::Relaxed)
            || self.settings.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || !self.caller.is_open()
    }
}

impl Calls<'_> {
    /// Runs a command line of `mcve` in a folder. None if the call was stopped.
    pub(crate) fn run(&self, words: &[OsString], folder: &Path) -> anyhow::Result<Option<Answer>> {
        let answer = self.workers.caller.call(self.id, words, folder).context("cannot run mcve")?;
        Ok(answer.filter(|_| self.workers.caller.is_open()))
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("nobody panics with it")
}
