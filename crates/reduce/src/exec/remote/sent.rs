//! Jobs and results as they are sent.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use data_encoding::BASE64;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::file::SentFile;
use super::outside::Places;
use crate::exec::job::{Answer, End, Job, JobResult, Step, Usage, Word};
use crate::program::{ContentHash, File};

/// A job as it is sent.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct SentJob {
    files: Vec<SentFile>,
    /// The files that it names by the paths that they have on the machine of the client.
    pub(super) outside: Vec<SentFile>,
    argv: Vec<SentWord>,
    env: Vec<(String, Option<String>)>,
    answer: Option<SentAnswer>,
    processor_ms: Option<u64>,
    waiting_ms: Option<u64>,
    is_measured: bool,
    steps: Vec<SentStep>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum SentWord {
    Text(String),
    File { template: String, path: PathBuf },
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum SentAnswer {
    Variable(String),
    Path(PathBuf),
}

#[derive(Clone, Debug, Deserialize, Serialize)]
struct SentStep {
    argv: Vec<SentWord>,
    reads: Vec<PathBuf>,
    output: PathBuf,
}

/// A result as it is sent.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct SentResult {
    end: End,
    stdout: String,
    stderr: String,
    micros: u64,
    usage: Option<(u64, u64, bool)>,
    step_usage: Option<(u64, u64, bool)>,
    failed_step: Option<usize>,
}

impl SentJob {
    /// A job that names these files by their paths, if it can be sent: one with streams, or with words that are not UTF-8, cannot.
    pub(super) fn new(job: &Job, outside: Vec<SentFile>) -> Option<Self> {
        if job.streams.is_some() {
            return None;
        }
        let file = |(path, file): &(PathBuf, File)| SentFile::of(path, file);
        let text = |text: &OsString| text.to_str().map(str::to_owned);
        let env = job.env.iter().map(|(name, value)| {
            Some((
                text(name)?,
                match value {
                    Some(value) => Some(text(value)?),
                    None => None,
                },
            ))
        });
        let answer = match &job.answer {
            Some(Answer::NamedBy(name)) => Some(SentAnswer::Variable(text(name)?)),
            Some(Answer::At(path)) => Some(SentAnswer::Path(path.clone())),
            None => None,
        };
        let step = |step: &Step| {
            Some(SentStep { argv: sent(&step.argv)?, reads: step.reads.clone(), output: step.output.clone() })
        };
        Some(Self {
            files: job.files.iter().map(file).collect(),
            outside,
            argv: sent(&job.argv)?,
            env: env.collect::<Option<_>>()?,
            answer,
            processor_ms: job.processor.map(millis),
            waiting_ms: job.waiting.map(millis),
            is_measured: job.is_measured,
            steps: job.steps.iter().map(step).collect::<Option<_>>()?,
        })
    }

    /// The hashes of its files, in the order of those of the job.
    pub(super) fn hashes(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| file.hash.as_str())
    }

    /// A hash of the job: all clients that send this job send this token.
    pub(super) fn token(&self) -> String {
        let json = serde_json::to_string(self).expect("all is text and numbers");
        ContentHash::of(json.as_bytes()).into()
    }

    /// The job on a machine where things are at other places. `blob` has the bytes of files by their hashes; none if one is missing.
    pub(super) fn job(self, places: &Places<'_>, blob: impl Fn(&str) -> Option<Arc<[u8]>>) -> Option<Job> {
        let file = |file: SentFile| file.here(&blob);
        let words = |words: Vec<SentWord>| -> Vec<Word> {
            let word = |word| match word {
                SentWord::Text(text) => Word::Text(places.word(&text).into()),
                SentWord::File { template, path } => Word::File { template: places.word(&template), path },
            };
            words.into_iter().map(word).collect()
        };
        let variable = |(name, value): (String, Option<String>)| {
            let value = value.map(|value| places.value(&name, &value).into());
            (name.into(), value)
        };
        let step = |step: SentStep| Step { argv: words(step.argv), reads: step.reads, output: step.output };
        let answer = self.answer.map(|answer| match answer {
            SentAnswer::Variable(name) => Answer::NamedBy(name.into()),
            SentAnswer::Path(path) => Answer::At(path),
        });
        Some(Job {
            files: self.files.into_iter().map(file).collect::<Option<_>>()?,
            argv: words(self.argv),
            env: self.env.into_iter().map(variable).collect(),
            answer,
            processor: self.processor_ms.map(Duration::from_millis),
            waiting: self.waiting_ms.map(Duration::from_millis),
            is_measured: self.is_measured,
            steps: self.steps.into_iter().map(step).collect(),
            ..Job::default()
        })
    }
}

impl SentResult {
    pub(super) fn new(result: &JobResult, places: &Places<'_>) -> Self {
        let usage = |usage: Usage| (micros(usage.processor), usage.memory, usage.has_waited);
        Self {
            end: result.end,
            stdout: BASE64.encode(&places.printed(&result.stdout)),
            stderr: BASE64.encode(&places.printed(&result.stderr)),
            micros: micros(result.wall),
            usage: result.usage.map(usage),
            step_usage: result.step_usage.map(usage),
            failed_step: result.failed_step,
        }
    }

    /// The sum that shows that it came whole, as the answer to a token.
    pub(super) fn sum(&self, token: &str) -> u64 {
        let json = serde_json::to_string(self).expect("all is text and numbers");
        xxh3_64(format!("{token} {json}").as_bytes())
    }

    /// The result; none if its outputs are not well-formed.
    pub(super) fn result(&self) -> Option<JobResult> {
        let usage =
            |(processor, memory, has_waited)| Usage { processor: Duration::from_micros(processor), memory, has_waited };
        Some(JobResult {
            stdout: BASE64.decode(self.stdout.as_bytes()).ok()?,
            stderr: BASE64.decode(self.stderr.as_bytes()).ok()?,
            wall: Duration::from_micros(self.micros),
            usage: self.usage.map(usage),
            step_usage: self.step_usage.map(usage),
            failed_step: self.failed_step,
            ..JobResult::ended(self.end)
        })
    }
}

fn sent(words: &[Word]) -> Option<Vec<SentWord>> {
    let word = |word: &Word| {
        Some(match word {
            Word::Text(text) => SentWord::Text(text.to_str()?.to_owned()),
            Word::File { template, path } => SentWord::File { template: template.clone(), path: path.clone() },
        })
    };
    words.iter().map(word).collect()
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
