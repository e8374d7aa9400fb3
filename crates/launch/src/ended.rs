//! What is launched, and how it ended.

use std::ffi::OsString;
use std::os::fd::BorrowedFd;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

/// A process to start.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    /// The program, by a path. It is not looked for in `PATH`.
    pub program: &'a Path,
    /// Its words, the first of which names the program.
    pub words: &'a [OsString],
    /// All of its environment.
    pub env: &'a [(OsString, OsString)],
    /// The folder in which it starts.
    pub folder: &'a Path,
    /// Standard input; none: it is empty.
    pub stdin: Option<BorrowedFd<'a>>,
    /// Standard output; none: it goes nowhere.
    pub stdout: Option<BorrowedFd<'a>>,
    /// Standard error; none: it goes nowhere.
    pub stderr: Option<BorrowedFd<'a>>,
    /// How many bytes of memory of its own each process may have (`RLIMIT_DATA`); none: as many as this one.
    pub memory: Option<u64>,
    /// How much processor time it may take, without what it starts: then a signal ends it (`SIGPROF`). None: as much as it likes.
    pub processor: Option<Duration>,
    /// In a sandbox, where it may write of what the sandbox allows; none: there.
    pub confined_to: Option<&'a [&'a Path]>,
}

/// What a process and all that it started used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Processor time of all of them, in the program and in the system. In milliseconds.
    pub processor: Duration,
    /// The most bytes of physical memory that one of them had.
    pub memory: u64,
}

/// How a process ended.
#[derive(Debug)]
pub enum Ended {
    /// It ran, and ended so; with what it used, where that is measured.
    Ran(ExitStatus, Option<Usage>),
    /// It could not be started.
    Failed(std::io::Error),
    /// Its warden was killed by somebody else, and it was killed with it: nothing can be said.
    Lost,
}
