//! Jobs and their results.

use std::ffi::OsString;
use std::fmt;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

pub use mcve_launch::Usage;
use rustix::process::Signal;
use serde::{Deserialize, Serialize};

use super::cancel::Cancel;
use super::shortcut::Shortcut;
use crate::program::{File, Program};

/// A program to run in a fresh folder of its own.
#[derive(Clone, Debug, Default)]
pub struct Job {
    /// The files that the folder holds, by their path in it.
    pub files: Vec<(PathBuf, File)>,
    /// The program and its arguments.
    pub argv: Vec<Word>,
    /// Changes to the environment: a value to set, or `None` to unset.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// The file into which the program writes its answer, if it does: its content is then the standard output of the result.
    pub answer: Option<Answer>,
    /// The limit of processor time of its program, where the system supports one: a signal (`SIGPROF`) then ends it.
    pub processor: Option<Duration>,
    /// How long all its processes may wait, where the system supports that limit: a signal (`SIGXCPU`) then ends it.
    pub waiting: Option<Duration>,
    /// Whether its resource usage is measured.
    pub is_measured: bool,
    /// The steps that run before it, in its folder: the first that does not exit with 0 gives the result of the job.
    pub steps: Vec<Step>,
    /// A quicker variant of the job, for use where a likely answer is enough.
    pub likely: Option<Box<Likely>>,
    /// The program that it checks, if its result cannot be judged without it.
    pub subject: Option<Arc<Program>>,
    /// Its standard input and output, if the input is not empty and the output not of interest for the result.
    pub streams: Option<Arc<[OwnedFd; 2]>>,
}

/// A quicker variant of a job that most likely gives the same result. It shares everything else with the job.
#[derive(Clone, Debug)]
pub struct Likely {
    /// The files that replace those of the job.
    pub files: Vec<(PathBuf, File)>,
    /// The steps that replace those of the job.
    pub steps: Vec<Step>,
    /// The limit of processor time that replaces that of the job.
    pub processor: Option<Duration>,
    /// The limit of waiting that replaces that of the job.
    pub waiting: Option<Duration>,
}

impl Job {
    /// The quicker variant as a job of its own, if there is one.
    pub fn likely(&self) -> Option<Self> {
        let Likely { files, steps, processor, waiting } = (**self.likely.as_ref()?).clone();
        Some(Self { files, steps, processor, waiting, likely: None, ..self.clone() })
    }
}

/// A process that runs before that of a job and leaves a file for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The program and its arguments.
    pub argv: Vec<Word>,
    /// The files that its output depends on: files of the job, and outputs of earlier steps.
    pub reads: Vec<PathBuf>,
    /// The file that it writes, by its path in the folder.
    pub output: PathBuf,
}

/// The file into which a program writes its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// This variable holds the path for the program.
    NamedBy(OsString),
    /// The file is at this path in the folder.
    At(PathBuf),
}

/// A word of a command line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Word {
    /// A literal word.
    Text(OsString),
    /// A text in which every `{}` stands for the absolute path of a file of the job: `--input={}`.
    File {
        /// The text.
        template: String,
        /// The file's path in the folder; empty for the folder itself.
        path: PathBuf,
    },
}

impl Word {
    /// The word as the process receives it, for a job whose files are in `folder`.
    pub(crate) fn in_folder(&self, folder: &Path) -> OsString {
        match self {
            Self::Text(text) => text.clone(),
            Self::File { template, path } => {
                // Joining an empty path would add a slash.
                let path = if path.as_os_str().is_empty() { folder.to_owned() } else { folder.join(path) };
                let mut texts = template.split("{}");
                let mut word = OsString::from(texts.next().unwrap_or_default());
                for text in texts {
                    word.push(&path);
                    word.push(text);
                }
                word
            }
        }
    }

    /// The absolute path of a file of the job.
    pub fn path(path: impl Into<PathBuf>) -> Self {
        Self::File { template: "{}".to_owned(), path: path.into() }
    }
}

/// How a process ended.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub enum End {
    /// By itself, with this exit code.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// It took too long and was killed.
    TimedOut,
    /// Its result was no longer wanted, and it was killed.
    Cancelled,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (signal, name) = match self {
            Self::Exited(code) => return write!(f, "exit code {code}"),
            Self::TimedOut => return f.write_str("timed out"),
            Self::Cancelled => return f.write_str("cancelled"),
            Self::Signalled(signal) => (signal, Signal::from_named_raw(*signal)),
        };
        let names = [
            (Signal::ABORT, "SIGABRT"),
            (Signal::BUS, "SIGBUS"),
            (Signal::FPE, "SIGFPE"),
            (Signal::ILL, "SIGILL"),
            (Signal::KILL, "SIGKILL"),
            (Signal::SEGV, "SIGSEGV"),
            (Signal::TERM, "SIGTERM"),
            (Signal::TRAP, "SIGTRAP"),
        ];
        match names.iter().find(|(known, _)| Some(*known) == name) {
            Some((_, name)) => write!(f, "signal {signal} ({name})"),
            None => write!(f, "signal {signal}"),
        }
    }
}

/// The result of a job.
#[derive(Clone, Debug)]
pub struct JobResult {
    /// How it ended.
    pub end: End,
    /// Its standard output, up to a cap.
    pub stdout: Vec<u8>,
    /// Its standard error, up to a cap.
    pub stderr: Vec<u8>,
    /// How long it took.
    pub wall: Duration,
    /// The resource usage of its processes, without its steps; none if it was not measured, as for a fork of a compiler.
    pub usage: Option<Usage>,
    /// The resource usage of its last step, which may have run for an earlier job; none if it was not measured.
    pub step_usage: Option<Usage>,
    /// The number of the step that did not exit with 0, if there is one: the result is then that of the step.
    pub failed_step: Option<usize>,
    /// The program that the job checked, if the job names it.
    pub subject: Option<Arc<Program>>,
}

impl JobResult {
    /// The result of a job that ended in this way, printed nothing and took no time.
    pub fn ended(end: End) -> Self {
        let (stdout, stderr, wall, usage, step_usage, failed_step, subject) = Default::default();
        Self { end, stdout, stderr, wall, usage, step_usage, failed_step, subject }
    }

    pub(crate) fn error_lines(&self) -> Vec<String> {
        String::from_utf8_lossy(&self.stderr).lines().map(str::to_owned).collect()
    }

    /// The first lines of the output, indented.
    pub(crate) fn excerpt(&self) -> String {
        let text = [&self.stdout[..], &self.stderr[..]].map(String::from_utf8_lossy).concat();
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let mut shown: Vec<String> = lines.by_ref().take(SHOWN).map(|line| format!("  {}", shorten(line))).collect();
        match lines.count() {
            0 if shown.is_empty() => shown.push("  (it printed nothing)".to_owned()),
            0 => {}
            more => shown.push(format!("  .. and {more} more lines")),
        }
        if self.end == End::TimedOut {
            shown.push("  (it did not end in time)".to_owned());
        }
        shown.join("\n")
    }
}

/// How certain the result of a job is. The greater value is the more certain one.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trust {
    /// It was run by a shortcut: a fork of a compiler that has started.
    Likely,
    /// It was run as a process of its own.
    Certain,
}

/// Why a job could not be run at all. This stops a search, as it gives no information on the candidate.
#[derive(Debug)]
pub struct ExecError {
    /// The action that failed, such as `cannot run rustc`.
    pub doing: String,
    /// The error of the system.
    pub source: std::io::Error,
}

impl fmt::Display for ExecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.doing)
    }
}

impl std::error::Error for ExecError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// Runs jobs.
pub trait Executor: Send + Sync {
    /// Runs a job with its steps, all of them for at most `timeout`, and waits for it until `cancel` is cancelled.
    /// Fails when it cannot be run: no such program, no space left, too many processes.
    fn run(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, ExecError>;

    /// Runs a job by an open shortcut: faster, and almost as certain. A search confirms what it builds on by [`run`](Self::run).
    /// Fails as [`run`](Self::run): a shortcut that fails is closed, and the job is run without it.
    fn run_quickly(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, ExecError> {
        self.run(job, timeout, cancel)
    }

    /// Names jobs that most likely come next. They may run together with the next one.
    fn expect(&self, _jobs: Vec<Job>) {}

    /// How many jobs the shortcut runs at once on other machines. If it runs any there, it helps however long they take.
    fn slots_elsewhere(&self) -> usize {
        0
    }

    /// The shortcut that [`run_quickly`](Self::run_quickly) uses, if there is one.
    fn shortcut(&self) -> Option<&Shortcut> {
        None
    }
}

/// The number of lines of what a process printed that are shown.
const SHOWN: usize = 20;

/// The number of characters of a line that are shown.
const LONGEST: usize = 200;

fn shorten(line: &str) -> String {
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} ..", &line[..end]),
        None => line.to_owned(),
    }
}
