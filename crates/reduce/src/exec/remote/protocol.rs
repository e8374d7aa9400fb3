//! The lines between a client and a worker.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use data_encoding::BASE64;
use serde::{Deserialize, Serialize};

use crate::exec::job::{Answer, End, Job, JobResult, Step, Usage, Word};
use crate::program::{ContentHash, File, FileKind};
use xxhash_rust::xxh3::xxh3_64;

/// The form of these lines.
pub(super) const FORM: u32 = 1;

/// Files from this size on are sent to a worker once.
pub(super) const LARGE: usize = 1 << 16;

/// What a client sends.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Request {
    Hello { form: u32, compiler: String, version: String },
    Run { id: u64, token: String, job: Box<SentJob>, timeout_ms: u64 },
    Cancel(u64),
}

/// What a worker sends.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reply {
    /// It takes jobs, so many at once.
    Ready {
        slots: usize,
    },
    /// It takes none, for this reason.
    Refused(String),
    Done {
        id: u64,
        token: String,
        result: SentResult,
        sum: u64,
    },
    /// It has not all files of a job any more.
    Missing(u64),
    /// The job could not be run.
    Failed {
        id: u64,
        why: String,
    },
}

/// A job as it is sent.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct SentJob {
    pub(super) files: Vec<SentFile>,
    argv: Vec<SentWord>,
    env: Vec<(String, Option<String>)>,
    answer: Option<SentAnswer>,
    processor_ms: Option<u64>,
    waiting_ms: Option<u64>,
    is_measured: bool,
    steps: Vec<SentStep>,
}

#[derive(Debug, Deserialize, Serialize)]
pub(super) struct SentFile {
    path: PathBuf,
    pub(super) kind: Kind,
    pub(super) hash: String,
    /// Its bytes in Base64; none if the worker has them.
    pub(super) bytes: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Plain,
    Executable,
    Link,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum SentWord {
    Text(String),
    File { template: String, path: PathBuf },
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum SentAnswer {
    Variable(String),
    Path(PathBuf),
}

#[derive(Debug, Deserialize, Serialize)]
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
    /// A job, if it can be sent: one with streams, or with words that are not UTF-8, cannot. `has` says which large files are there.
    pub(super) fn new(job: &Job, has: impl Fn(&str) -> bool) -> Option<Self> {
        if job.streams.is_some() {
            return None;
        }
        let file = |(path, file): &(PathBuf, File)| {
            let hash = String::from(ContentHash::of(&file.bytes));
            let bytes = (file.bytes.len() < LARGE || !has(&hash)).then(|| BASE64.encode(&file.bytes));
            let kind = match file.kind {
                FileKind::Plain => Kind::Plain,
                FileKind::Executable => Kind::Executable,
                FileKind::Link => Kind::Link,
            };
            SentFile { path: path.clone(), kind, hash, bytes }
        };
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
            argv: sent(&job.argv)?,
            env: env.collect::<Option<_>>()?,
            answer,
            processor_ms: job.processor.map(millis),
            waiting_ms: job.waiting.map(millis),
            is_measured: job.is_measured,
            steps: job.steps.iter().map(step).collect::<Option<_>>()?,
        })
    }

    /// The job for a compiler in another place: `moved` is its folder there and here. `blob` has the files that were not sent again;
    /// none if one is missing.
    pub(super) fn job(self, moved: &[String; 2], blob: impl Fn(&str) -> Option<Arc<[u8]>>) -> Option<Job> {
        let here = |text: String| text.replace(&moved[0], &moved[1]);
        let file = |file: SentFile| {
            let kind = match file.kind {
                Kind::Plain => FileKind::Plain,
                Kind::Executable => FileKind::Executable,
                Kind::Link => FileKind::Link,
            };
            let bytes = match file.bytes {
                Some(bytes) => BASE64.decode(bytes.as_bytes()).ok()?.into(),
                None => blob(&file.hash)?,
            };
            Some((inside(file.path)?, File { kind, bytes }))
        };
        let words = |words: Vec<SentWord>| -> Vec<Word> {
            let word = |word| match word {
                SentWord::Text(text) => Word::Text(here(text).into()),
                SentWord::File { template, path } => Word::File { template: here(template), path },
            };
            words.into_iter().map(word).collect()
        };
        let step = |step: SentStep| Step { argv: words(step.argv), reads: step.reads, output: step.output };
        let answer = self.answer.map(|answer| match answer {
            SentAnswer::Variable(name) => Answer::NamedBy(name.into()),
            SentAnswer::Path(path) => Answer::At(path),
        });
        Some(Job {
            files: self.files.into_iter().map(file).collect::<Option<_>>()?,
            argv: words(self.argv),
            env: self
                .env
                .into_iter()
                .map(|(name, value)| (name.into(), value.map(|value| here(value).into())))
                .collect(),
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
    pub(super) fn new(result: &JobResult) -> Self {
        let usage = |usage: Usage| (micros(usage.processor), usage.memory, usage.has_waited);
        Self {
            end: result.end,
            stdout: BASE64.encode(&result.stdout),
            stderr: BASE64.encode(&result.stderr),
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

/// A path below the folder of a job; none if it leads out of it.
fn inside(path: PathBuf) -> Option<PathBuf> {
    use std::path::Component::Normal;
    path.components().all(|part| matches!(part, Normal(_))).then_some(path)
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

/// The folder of a toolchain, of which this is the compiler.
pub(super) fn sysroot(compiler: &Path) -> Option<&Path> {
    compiler.parent()?.parent()
}
