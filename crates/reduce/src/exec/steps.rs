//! Steps run before a job, in its folder. A step is not run again while its inputs are unchanged.

use std::collections::{HashMap, VecDeque};
use std::fs;
use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use xxhash_rust::xxh3::Xxh3Default;

use super::folder::CheckFolder;
use super::job::{End, Job, JobResult, Step, Trust, Usage};
use crate::locked::lock;

/// The number of the latest outputs that are kept: one may have megabytes.
const KEPT: usize = 32;

/// The outcomes of steps, by a hash of the step and of its inputs.
#[derive(Debug)]
pub(super) struct Steps {
    /// The folder of the kept outputs.
    folder: PathBuf,
    /// The outcomes, and their keys, the oldest first.
    known: Mutex<(HashMap<u128, Outcome>, VecDeque<u128>)>,
}

#[derive(Clone, Debug)]
enum Outcome {
    /// The path of its output, and its resource usage.
    Left(PathBuf, Option<Usage>),
    Failed(JobResult),
}

impl Steps {
    /// No outcomes yet; outputs will be kept in `folder`.
    pub(super) fn kept_in(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), known: Mutex::default() }
    }

    fn known(&self, key: u128) -> Option<Outcome> {
        lock(&self.known).0.get(&key).cloned()
    }

    fn learn(&self, key: u128, outcome: Outcome) {
        let (known, order) = &mut *lock(&self.known);
        known.insert(key, outcome);
        order.push_back(key);
        if order.len() > KEPT
            && let Some(oldest) = order.pop_front()
            && let Some(Outcome::Left(path, _)) = known.remove(&oldest)
        {
            // Hard links to it stay.
            let _ = fs::remove_file(path);
        }
    }

    /// Runs the steps of a job up to the first that fails, then the job. A step with a known outcome is not run again.
    pub(super) fn run<E>(
        &self,
        job: &Job,
        folder: &CheckFolder,
        trust: Trust,
        run: &mut dyn FnMut(&Job) -> Result<JobResult, E>,
    ) -> Result<JobResult, E> {
        let (mut made, mut usage): (HashMap<&Path, u128>, _) = (HashMap::new(), None);
        for (number, step) in job.steps.iter().enumerate() {
            let key = key(job, step, trust, &made);
            let path = folder.work.join(&step.output);
            let outcome = match self.known(key) {
                // Another thread may have dropped it in the meantime.
                Some(Outcome::Left(kept, used)) if link(&kept, &path) => Outcome::Left(kept, used),
                Some(failed @ Outcome::Failed(_)) => failed,
                _ => self.run_step(job, step, key, folder, run)?,
            };
            match outcome {
                Outcome::Failed(result) => return Ok(JobResult { failed_step: Some(number), ..result }),
                Outcome::Left(_, used) => usage = used,
            }
            made.insert(&step.output, key);
        }
        Ok(JobResult { step_usage: usage, ..run(job)? })
    }

    fn run_step<E>(
        &self,
        job: &Job,
        step: &Step,
        key: u128,
        folder: &CheckFolder,
        run: &mut dyn FnMut(&Job) -> Result<JobResult, E>,
    ) -> Result<Outcome, E> {
        let (argv, env, is_measured) = (step.argv.clone(), job.env.clone(), job.is_measured);
        let own = Job { argv, env, is_measured, ..Job::default() };
        let result = run(&own)?;
        let left = folder.work.join(&step.output);
        if result.end != End::Exited(0) || !left.is_file() {
            // A step that crashed, was cancelled, or timed out may end differently the next time: this check may
            // have had less time left for it than another one has.
            if result.end == End::Exited(1) {
                self.learn(key, Outcome::Failed(result.clone()));
            }
            return Ok(Outcome::Failed(result));
        }
        let kept = self.folder.join(format!("step-{key:032x}"));
        // Another thread may have taken the same step in the meantime.
        if kept.is_file() || link(&left, &kept) {
            self.learn(key, Outcome::Left(kept.clone(), result.usage));
        }
        Ok(Outcome::Left(kept, result.usage))
    }
}

/// Links the file `from` at `to`, or copies it; false if neither works.
fn link(from: &Path, to: &Path) -> bool {
    fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(drop)).is_ok()
}

/// A hash of a step, of its inputs, and of the trust in its outcome; `made` are the outputs of the steps before it.
fn key(job: &Job, step: &Step, trust: Trust, made: &HashMap<&Path, u128>) -> u128 {
    let mut hasher = Xxh3Default::new();
    (trust, &step.argv, &job.env).hash(&mut hasher);
    for path in &step.reads {
        (path, made.get(&**path)).hash(&mut hasher);
        for (_, file) in job.files.iter().filter(|(name, _)| name == path) {
            file.bytes.hash(&mut hasher);
        }
    }
    hasher.digest128()
}
