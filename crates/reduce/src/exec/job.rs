//! What is to be run, and what came of it.

use std::ffi::OsString;
use std::fmt;
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
    /// The file that the program answers by, if it does: then the standard output of the result is what that file holds.
    pub answer: Option<Answer>,
    /// How much processor time its program may take, where that can be limited: then a signal ends it (`SIGPROF`).
    pub processor: Option<Duration>,
    /// Whether what it uses is measured.
    pub is_measured: bool,
    /// What is run before it, in its folder: the result of the job is that of the first that does not exit with 0.
    pub steps: Vec<Step>,
    /// A quicker variant of the job, which is run where a likely answer is enough.
    pub likely: Option<Box<Likely>>,
    /// The program that it checks, where what comes of it cannot be judged without that.
    pub subject: Option<Arc<Program>>,
}

/// A quicker variant of a job that most likely gives the same result. It has everything else in common with the job.
#[derive(Clone, Debug)]
pub struct Likely {
    /// The files, in the place of those of the job.
    pub files: Vec<(PathBuf, File)>,
    /// The steps, in the place of those of the job.
    pub steps: Vec<Step>,
    /// The limit of processor time, in the place of that of the job.
    pub processor: Option<Duration>,
}

impl Job {
    /// The quicker variant as a job of its own, if there is one.
    #[must_use]
    pub fn likely(&self) -> Option<Self> {
        let Likely { files, steps, processor } = (**self.likely.as_ref()?).clone();
        Some(Self { files, steps, processor, likely: None, ..self.clone() })
    }
}

/// A process that runs before that of a job and leaves a file for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The program and its arguments.
    pub argv: Vec<Word>,
    /// The files that what it leaves depends on: of the job, and of steps before.
    pub reads: Vec<PathBuf>,
    /// The file that it leaves, by its path in the folder.
    pub output: PathBuf,
}

/// The file that a program answers by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// This variable names it to the program.
    NamedBy(OsString),
    /// It is at this path in the folder.
    At(PathBuf),
}

/// A word of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// As it is.
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
    /// The word as the process gets it, for a job whose files are in `folder`.
    #[must_use]
    pub fn in_folder(&self, folder: &Path) -> OsString {
        match self {
            Self::Text(text) => text.clone(),
            Self::File { template, path } => {
                // To join an empty path would add a slash.
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
    #[must_use]
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
    /// Its result was no longer wanted and it was killed.
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

/// What came of a job.
#[derive(Clone, Debug)]
pub struct JobResult {
    /// How it ended.
    pub end: End,
    /// What it wrote to standard output, up to a cap.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error, up to a cap.
    pub stderr: Vec<u8>,
    /// How long it took.
    pub wall: Duration,
    /// What its processes used, without those of its steps; none where that was not measured, as of a fork of a compiler.
    pub usage: Option<Usage>,
    /// What its last step used when it was taken, which may have been for a job before; none where that was not measured.
    pub step_usage: Option<Usage>,
    /// The number of the step that did not exit with 0, if one did not: this is what came of that.
    pub failed_step: Option<usize>,
    /// The program that the job checked, where the job says it.
    pub subject: Option<Arc<Program>>,
}

impl JobResult {
    /// What came of a job that ended so, printed nothing and took no time.
    #[must_use]
    pub fn ended(end: End) -> Self {
        let (stdout, stderr, wall, usage, step_usage, failed_step, subject) = Default::default();
        Self { end, stdout, stderr, wall, usage, step_usage, failed_step, subject }
    }
}

/// How certain it is what comes of a job. The greater is the more certain.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trust {
    /// It was run by a shortcut: a fork of a compiler that has started.
    Likely,
    /// It was run as a process of its own.
    Certain,
}

/// Why a job could not be run at all. This stops a search: it says nothing about the candidate.
#[derive(Debug)]
pub struct ExecError {
    /// What was being done, such as `cannot run rustc`.
    pub doing: String,
    /// What went wrong.
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
    /// Runs a job with its steps, all of them for at most `timeout`, and waits for it, or until `cancel` says that nobody waits any more.
    ///
    /// # Errors
    /// When it cannot be run: no such program, no space left, too many processes.
    fn run(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, ExecError>;

    /// The same by a shortcut, if there is one that is open: sooner, and as good as certain. What a search is to build on
    /// is confirmed by [`run`](Self::run).
    ///
    /// # Errors
    /// As of [`run`](Self::run): where the shortcut fails it is closed, and the job is run without it.
    fn run_quickly(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, ExecError> {
        self.run(job, timeout, cancel)
    }

    /// The shortcut that [`run_quickly`](Self::run_quickly) takes, if it takes one.
    fn shortcut(&self) -> Option<&Shortcut> {
        None
    }
}
