//! Steps: what runs before a job, in its folder, and is not run again as long as nothing that it reads has changed.

use std::collections::{HashMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use xxhash_rust::xxh3::Xxh3Default;

use super::folder::CheckFolder;
use super::job::{End, Job, JobResult, Step, Trust, Usage, Word};
use super::process::{NoResult, Processes};

/// What came of so many steps is kept, that of the last ones: what a step leaves may have megabytes.
const KEPT: usize = 32;

/// What came of steps, by what they are and what they read.
#[derive(Debug, Default)]
pub(super) struct Steps {
    known: Mutex<HashMap<u128, Outcome>>,
    /// In which order they are known.
    order: Mutex<VecDeque<u128>>,
}

/// What came of the steps of a job.
pub(super) enum Taken {
    /// All ended well; what the last of them used.
    All(Option<Usage>),
    /// This one did not.
    Failed(JobResult),
}

/// What came of a step.
#[derive(Clone, Debug)]
enum Outcome {
    /// The file that it left, at this path, and what it used.
    Left(PathBuf, Option<Usage>),
    /// It did not end well.
    Failed(JobResult),
}

impl Steps {
    fn known(&self, key: u128) -> Option<Outcome> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned()
    }

    fn learn(&self, key: u128, outcome: Outcome) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(key, outcome);
        let mut order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        order.push_back(key);
        if order.len() > KEPT
            && let Some(oldest) = order.pop_front()
            && let Some(Outcome::Left(path, _)) = known.remove(&oldest)
        {
            // What links to it stays.
            let _ = fs::remove_file(path);
        }
    }
}

impl Processes {
    /// Takes the steps of a job in its folder, each by `run`, up to the first that does not end well.
    pub(super) fn take_steps<E: From<NoResult>>(
        &self,
        job: &Job,
        folder: &CheckFolder,
        trust: Trust,
        run: &mut dyn FnMut(&Job) -> Result<JobResult, E>,
    ) -> Result<Taken, E> {
        let (mut made, mut usage): (HashMap<&Path, u128>, _) = (HashMap::new(), None);
        for (number, step) in job.steps.iter().enumerate() {
            let key = key(job, step, trust, &made);
            let path = folder.work().join(&step.output);
            let outcome = match self.steps().known(key) {
                // Another thread may have dropped it meanwhile.
                Some(Outcome::Left(kept, used)) if link(&kept, &path) => Outcome::Left(kept, used),
                Some(failed @ Outcome::Failed(_)) => failed,
                _ => self.take(job, step, key, folder, run)?,
            };
            match outcome {
                Outcome::Failed(result) => {
                    return Ok(Taken::Failed(JobResult { failed_step: Some(number), ..result }));
                }
                Outcome::Left(_, used) => usage = used,
            }
            made.insert(&step.output, key);
        }
        Ok(Taken::All(usage))
    }

    fn take<E: From<NoResult>>(
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
        let left = folder.work().join(&step.output);
        if result.end != End::Exited(0) || !left.is_file() {
            // What crashed, was called off, or took too long once may end otherwise the next time: this check may have had less time
            // left for it than another one has.
            if result.end == End::Exited(1) {
                self.steps().learn(key, Outcome::Failed(result.clone()));
            }
            return Ok(Outcome::Failed(result));
        }
        let kept = self.folder().join(format!("step-{key:032x}"));
        // Another thread may have taken the same step meanwhile.
        if kept.is_file() || link(&left, &kept) {
            self.steps().learn(key, Outcome::Left(kept.clone(), result.usage));
        }
        Ok(Outcome::Left(kept, result.usage))
    }
}

/// Makes the file `from` stand at `to`, too; whether that can be done.
fn link(from: &Path, to: &Path) -> bool {
    fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(drop)).is_ok()
}

/// What a step is and reads, and how certain it is what comes of it; `made` are the outputs of those before it.
fn key(job: &Job, step: &Step, trust: Trust, made: &HashMap<&Path, u128>) -> u128 {
    let mut hasher = Xxh3Default::new();
    let mut add = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    add(&[u8::from(trust == Trust::Certain)]);
    for word in &step.argv {
        match word {
            Word::Text(text) => add(text.as_encoded_bytes()),
            Word::File { template, path } => {
                add(template.as_bytes());
                add(path.as_os_str().as_encoded_bytes());
            }
        }
    }
    for (name, value) in &job.env {
        add(name.as_encoded_bytes());
        add(value.as_ref().map_or(&[][..], |value| value.as_encoded_bytes()));
    }
    for path in &step.reads {
        add(path.as_os_str().as_encoded_bytes());
        if let Some(key) = made.get(&**path) {
            add(&key.to_le_bytes());
        }
        for (_, file) in job.files.iter().filter(|(name, _)| name == path) {
            add(&file.bytes);
        }
    }
    hasher.digest128()
}
