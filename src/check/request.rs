//! What is asked about a program, what a layer answers, and what a layer is.

use std::sync::Arc;
use std::time::Duration;

use super::limits::Stop;
use crate::dd::outcome::Outcome;
use crate::exec::job::{Job, JobResult, Trust};
use crate::oracle::Verdict;
use crate::program::ContentHash;
pub use crate::state::record::Query;

/// Names a question: a text, and what is asked about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The hash of the text, or of all files of a version.
    pub text: ContentHash,
    /// What is asked about it.
    pub about: About,
}

/// What is asked about a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum About {
    /// Whether it fails.
    Verdict,
    /// Whether it fails in one more run, whatever is known: the input and the result are run several times.
    Run(usize),
    /// What a job that has no verdict prints.
    Output(Query),
    /// Whether the condition of this number holds of it. Only the layer of the oracle asks this.
    Condition(usize),
}

/// A question on its way through the layers.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// What is asked.
    pub key: Key,
    /// Makes the job that answers it.
    pub job: &'a dyn Fn() -> Job,
    /// How certain the answer has to be at least.
    pub trust: Trust,
    /// How long a run may take.
    pub limit: Duration,
    /// What came of the job, if it was run already: it is only judged.
    pub given: Option<&'a JobResult>,
    /// Whether the search asks this beside its course, so that it says nothing about predictions of that.
    pub is_aside: bool,
}

/// The answer to a question.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The verdict; none where the question was for an output.
    pub verdict: Option<Verdict>,
    /// What came of the job; none where only its verdict is known.
    pub result: Option<Arc<JobResult>>,
    /// How certain it is.
    pub trust: Trust,
    /// How long the job took.
    pub wall: Duration,
    /// Who answered.
    pub source: Source,
}

impl Reply {
    /// The outcome.
    ///
    /// # Panics
    /// When the question was for an output.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.verdict.as_ref().expect("who asks for a verdict gets one").outcome
    }
}

/// Who answered a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A job that was run for it.
    Run,
    /// The journal of a run that was cut short.
    Journal,
    /// The cache.
    Cache,
    /// A prediction: only a replica of the search gets such answers.
    Prediction,
}

/// A layer that answers questions.
pub trait Check {
    /// Answers a question.
    ///
    /// # Errors
    /// When the search has to stop.
    fn ask(&mut self, request: &Request<'_>) -> Result<Reply, Stop>;
}

/// A layer that runs the job of a question.
pub trait Run {
    /// Runs the job and waits for it.
    ///
    /// # Errors
    /// When the search has to stop.
    fn run(&mut self, request: &Request<'_>) -> Result<Ran, Stop>;

    /// Takes notice of the answer to a question whose job was run: whether the text fails.
    fn settle(&mut self, key: Key, fails: bool) {
        let _ = (key, fails);
    }
}

/// What came of a job.
pub struct Ran {
    /// Its result.
    pub result: JobResult,
    /// How certain that is.
    pub trust: Trust,
}
