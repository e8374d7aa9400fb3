//! Questions about a program, answers, and the traits of layers.

use std::sync::Arc;
use std::time::Duration;

use super::limits::Stop;
use crate::exec::job::{Job, JobResult, Trust};
use crate::oracle::Verdict;
use crate::program::ContentHash;
pub use crate::state::record::Query;
use mcve_dd::outcome::Outcome;

/// The key of a question: a text, and the property in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The hash of the text, or of all files of a version.
    pub text: ContentHash,
    /// The property in question.
    pub about: About,
}

/// The property of a text in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum About {
    /// Whether it fails.
    Verdict,
    /// Whether it fails in the run of this number: the input and the result are run several times.
    Run(usize),
    /// The output of a job without a verdict.
    Output(Query),
    /// Whether the condition of this number holds of it. Only the layer of the oracle asks this.
    Condition(usize),
}

/// A question on its way through the layers.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The key.
    pub key: Key,
    /// Makes the job that answers it.
    pub job: &'a dyn Fn() -> Job,
    /// How certain the answer has to be at least.
    pub trust: Trust,
    /// How long a run may take.
    pub limit: Duration,
    /// The result of the job, if it was run before and is only judged.
    pub given: Option<&'a JobResult>,
    /// Whether the answer must neither confirm nor refute a prediction.
    pub out_of_band: bool,
}

/// The answer to a question.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The verdict; none if the question was for an output.
    pub verdict: Option<Verdict>,
    /// The result of the job; none if only its verdict is known.
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
    pub(crate) fn outcome(&self) -> Outcome {
        self.verdict.as_ref().expect("who asks for a verdict gets one").outcome
    }
}

/// Who answered a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A job that was run for it.
    Run,
    /// A job that was run for several candidates at once.
    Screening,
    /// The journal of an earlier run.
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

    /// Learns the answer to a question whose job was run.
    fn settle(&mut self, key: Key, fails: bool) {
        let _ = (key, fails);
    }
}

/// The result of a job.
pub struct Ran {
    /// Its result.
    pub result: JobResult,
    /// How certain that is.
    pub trust: Trust,
}
