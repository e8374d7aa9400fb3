//! Questions about a program, and answers.

use std::sync::Arc;
use std::time::Duration;

use crate::exec::job::{Job, JobResult, Trust};
use crate::oracle::Verdict;
use crate::program::{ContentHash, Program};
pub(crate) use crate::state::record::Query;
use mcve_dd::outcome::Outcome;

/// The key of a question: a text, and the property in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    /// The hash of the text, or of all files of a version.
    pub(super) text: ContentHash,
    pub(super) about: About,
}

impl Key {
    /// The question whether a program fails.
    pub(crate) fn verdict(program: &Program) -> Self {
        Self { text: program.hash(), about: About::Verdict }
    }
}

/// The property of a text in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum About {
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
pub(super) struct Request<'a> {
    pub(super) key: Key,
    /// Makes the job that answers it.
    pub(super) job: &'a dyn Fn() -> Job,
    /// How certain the answer has to be at least.
    pub(super) trust: Trust,
    /// The result of the job, if it was run before and is only judged.
    pub(super) given: Option<&'a JobResult>,
    /// Whether the answer must neither confirm nor refute a prediction.
    pub(super) out_of_band: bool,
}

impl<'a> Request<'a> {
    /// A question that needs a certain answer.
    pub(super) fn certain(key: Key, job: &'a dyn Fn() -> Job) -> Self {
        Self { key, job, trust: Trust::Certain, given: None, out_of_band: false }
    }
}

/// The answer to a question.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    /// The verdict; none if the question was for an output.
    pub(crate) verdict: Option<Verdict>,
    /// The result of the job; none if only its verdict is known.
    pub(super) result: Option<Arc<JobResult>>,
    pub(super) trust: Trust,
    /// How long the job took.
    pub(super) wall: Duration,
    pub(crate) source: Source,
}

impl Reply {
    /// The answer by the result of a job.
    pub(super) fn of(result: JobResult, verdict: Option<Verdict>, trust: Trust, source: Source) -> Self {
        Self { verdict, wall: result.wall, result: Some(Arc::new(result)), trust, source }
    }

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
pub(crate) enum Source {
    /// A job that was run for it.
    Run,
    /// A job that was run for several candidates at once.
    Screening,
    /// The journal of an earlier run.
    Journal,
    Cache,
    /// A prediction: only a replica of the search gets such answers.
    Prediction,
}

/// The result of a job.
pub(super) struct Ran {
    pub(super) result: JobResult,
    pub(super) trust: Trust,
}
