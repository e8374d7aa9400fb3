//! What is launched, and how it ended.

use std::ffi::OsString;
use std::os::fd::BorrowedFd;
use std::path::Path;
use std::process::ExitStatus;

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
    /// In a sandbox, where it may write of what the sandbox allows; none: there.
    pub confined_to: Option<&'a [&'a Path]>,
}

/// How a process ended.
#[derive(Debug)]
pub enum Ended {
    /// It ran, and ended so.
    Ran(ExitStatus),
    /// It could not be started.
    Failed(std::io::Error),
    /// Its warden was killed by somebody else, and it was killed with it: nothing can be said.
    Lost,
}
