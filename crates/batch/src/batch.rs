//! A batch: recognises the failures of inputs, and reduces groups.

use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::call::Caller;
use crate::folder::{Folder, Known};
use crate::group::{Group, Recognised, Shown};
use crate::input::Input;
use crate::invocation::Invocation;
use crate::plan::Plan;
use crate::reduce::Reduction;
use crate::workers::{Calls, Settings, Task, Workers, lock};

/// One claim is for all inputs whose keys begin with the same characters, this many.
const PREFIX: usize = 3;

/// An event of a batch.
#[derive(Debug)]
pub enum Progress<'a> {
    /// So many inputs are recognised, of so many.
    Recognised(usize, usize),
    /// A group is finished.
    Finished(&'a Group),
}

/// Called for each event, from any thread.
pub type Observer<'a> = &'a (dyn Fn(Progress<'_>) + Sync);

/// A batch.
pub struct Batch<'a> {
    folder: &'a Folder,
    invocation: &'a Invocation,
    workers: Workers<'a>,
    known: Mutex<Known>,
    observer: Observer<'a>,
}

/// Inputs to be recognised under one claim.
struct Unrecognised<'a> {
    batch: &'a Batch<'a>,
    prefix: &'a str,
    /// With their keys.
    inputs: &'a [(String, &'a Input)],
    /// How many are recognised of all, and how many there are.
    done: &'a AtomicUsize,
    all: usize,
}

/// A group to be reduced.
struct Unreduced<'a> {
    batch: &'a Batch<'a>,
    group: &'a Group,
    /// How many groups are left.
    left: &'a AtomicUsize,
}

impl<'a> Batch<'a> {
    /// A batch in a folder.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn new(
        folder: &'a Folder,
        invocation: &'a Invocation,
        caller: &'a Caller,
        settings: Settings<'a>,
        observer: Observer<'a>,
    ) -> anyhow::Result<Self> {
        let claims = folder.claims().with_context(|| format!("cannot write in {}", folder.path().display()))?;
        Ok(Self {
            folder,
            invocation,
            workers: Workers::new(caller, settings, claims),
            known: Mutex::default(),
            observer,
        })
    }

    /// Recognises the failures of inputs, each content once, and groups them. None if it was stopped before its end.
    ///
    /// # Errors
    /// When the folder cannot be used, or `mcve` cannot be run.
    pub fn plan(&self, inputs: &[Input]) -> anyhow::Result<Option<Plan>> {
        self.folder.read_recognised(&mut lock(&self.known))?;
        let by_key: BTreeMap<String, &Input> = inputs.iter().map(|input| (self.invocation.key(input), input)).collect();
        let missing: Vec<_> =
            by_key.into_iter().filter(|(key, _)| !lock(&self.known).found.contains_key(key)).collect();
        let (done, all) = (&AtomicUsize::new(0), missing.len());
        // The same claims in all processes, whatever was known when they began.
        let tasks = missing.chunk_by(|(one, _), (next, _)| one[..PREFIX] == next[..PREFIX]);
        let tasks = tasks.map(|inputs| Unrecognised { batch: self, prefix: &inputs[0].0[..PREFIX], inputs, done, all });
        let is_whole = self.workers.work_through(&tasks.collect::<Vec<_>>())?;
        Ok(is_whole.then(|| Plan::new(self.invocation.clone(), inputs, &lock(&self.known).found)))
    }

    /// Reduces groups, as far as no other process does. False if it was stopped before its end.
    ///
    /// # Errors
    /// When the folder cannot be used, or `mcve` cannot be run.
    pub fn reduce(&self, groups: &[Group]) -> anyhow::Result<bool> {
        let left = &AtomicUsize::new(groups.iter().filter(|group| !self.folder.is_complete(group)).count());
        let tasks: Vec<_> = groups.iter().map(|group| Unreduced { batch: self, group, left }).collect();
        self.workers.work_through(&tasks)
    }

    /// The number of checks at once and the time of a reduction while so many groups are left.
    fn share(&self, left: usize) -> (usize, Option<Duration>) {
        let Settings { jobs, deadline, per_run, .. } = self.workers.settings;
        let at_once = jobs.min(left).max(1);
        let rest = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let share = rest.map(|rest| rest.mul_f64(at_once as f64 / left.max(1) as f64));
        (jobs / at_once, share.into_iter().chain(per_run).min())
    }
}

impl Unrecognised<'_> {
    /// The failure of an input; none if the call was stopped.
    fn recognise(&self, key: &str, input: &Input, calls: &Calls<'_>) -> anyhow::Result<Option<Recognised>> {
        let Batch { folder, invocation, .. } = self.batch;
        let place = folder.work(key)?;
        let Some(answer) = calls.run(&invocation.recognise(input, &place), &place)? else { return Ok(None) };
        std::fs::remove_dir_all(&place)?;
        let failure = answer.events("baseline").next().map(|event| {
            let text = |name: &str| event[name].as_str().map(str::to_owned);
            Shown { words: text("failure").unwrap_or_default(), fingerprint: text("fingerprint") }
        });
        let why = if failure.is_some() { String::new() } else { input.named_in(&answer.error()) };
        Ok(Some(Recognised { key: key.to_owned(), failure, why }))
    }
}

impl Task for Unrecognised<'_> {
    fn name(&self) -> String {
        format!("recognise-{}", self.prefix)
    }

    fn is_done(&self) -> bool {
        let known = lock(&self.batch.known);
        self.inputs.iter().all(|(key, _)| known.found.contains_key(key))
    }

    fn refresh(&self) -> io::Result<()> {
        self.batch.folder.read_recognised(&mut lock(&self.batch.known))
    }

    fn work(&self, calls: &Calls<'_>) -> anyhow::Result<()> {
        for (key, input) in self.inputs {
            if lock(&self.batch.known).found.contains_key(key) {
                continue;
            }
            let Some(found) = self.recognise(key, input, calls)? else { break };
            self.batch.folder.keep_recognised(&found)?;
            lock(&self.batch.known).found.insert(key.clone(), found);
            let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
            (self.batch.observer)(Progress::Recognised(done, self.all));
        }
        Ok(())
    }
}

impl Task for Unreduced<'_> {
    fn name(&self) -> String {
        format!("group-{}", self.group.name)
    }

    fn is_done(&self) -> bool {
        self.batch.folder.is_complete(self.group)
    }

    fn work(&self, calls: &Calls<'_>) -> anyhow::Result<()> {
        let Batch { folder, invocation, .. } = self.batch;
        let (jobs, budget) = self.batch.share(self.left.load(Ordering::Relaxed));
        let is_finished = Reduction { folder, invocation, calls, group: self.group, jobs, budget }.run()?;
        self.left.fetch_sub(1, Ordering::Relaxed);
        if is_finished {
            (self.batch.observer)(Progress::Finished(self.group));
        }
        Ok(())
    }
}
