//! What is to be run, and what came of it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::cancel::Cancel;

/// A program to run in a fresh folder of its own.
#[derive(Clone, Debug)]
pub struct Job {
    /// The files that the folder holds, by their path in it.
    pub files: Vec<(PathBuf, Arc<str>)>,
    /// The program and its arguments.
    pub argv: Vec<Word>,
    /// Changes to the environment: a value to set, or `None` to unset.
    pub env: Vec<(OsString, Option<OsString>)>,
}

/// A word of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// As it is.
    Text(OsString),
    /// The absolute path of a file of the job, between two texts: `--input={}`.
    File {
        /// What stands before the path.
        before: String,
        /// The file's path in the folder.
        path: PathBuf,
        /// What stands after it.
        after: String,
    },
}

impl Word {
    /// The word as the process gets it, for a job whose files are in `folder`.
    #[must_use]
    pub fn in_folder(&self, folder: &Path) -> OsString {
        match self {
            Self::Text(text) => text.clone(),
            Self::File { before, path, after } => {
                let mut word = OsString::from(before);
                word.push(folder.join(path));
                word.push(after);
                word
            }
        }
    }
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "exit code {code}"),
            Self::Signalled(signal) => write!(f, "signal {signal}"),
            Self::TimedOut => f.write_str("timed out"),
            Self::Cancelled => f.write_str("cancelled"),
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
}

/// Why a job could not be run at all. This stops a search: it says nothing about the candidate.
#[derive(Debug)]
pub struct ExecError {
    /// What was being done, such as `cannot run rustc`.
    pub doing: String,
    /// What went wrong.
    pub source: std::io::Error,
}

impl std::fmt::Display for ExecError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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
    /// Runs a job for at most `timeout` and waits for it, or until `cancel` says that nobody waits any more.
    ///
    /// # Errors
    /// When it cannot be run: no such program, no space left, too many processes.
    fn run(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, ExecError>;
}
