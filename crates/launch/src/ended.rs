//! Processes to launch, and how they ended.

use std::ffi::OsString;
use std::os::fd::BorrowedFd;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

/// A process to start.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    /// The path of the program. It is not looked up in `PATH`.
    pub program: &'a Path,
    /// The arguments, the first of which is the program's name.
    pub words: &'a [OsString],
    /// The complete environment.
    pub env: &'a [(OsString, OsString)],
    /// The working directory.
    pub folder: &'a Path,
    /// Standard input; none for an empty one.
    pub stdin: Option<BorrowedFd<'a>>,
    /// Standard output; none discards it.
    pub stdout: Option<BorrowedFd<'a>>,
    /// Standard error; none discards it.
    pub stderr: Option<BorrowedFd<'a>>,
    /// The limit for each process's own memory in bytes (`RLIMIT_DATA`); none keeps the limit of this process.
    pub memory: Option<u64>,
    /// The limit for its own processor time, without its children: a signal (`SIGPROF`) ends it. None for no limit.
    pub processor: Option<Duration>,
    /// How long none of its processes may run while all of them wait: a signal (`SIGXCPU`), which may be repeated, then ends it.
    /// None for no limit.
    pub waiting: Option<Duration>,
    /// In a sandbox, the only writable paths of those that the sandbox allows; none allows all of these.
    pub confined_to: Option<&'a [&'a Path]>,
}

impl<'a> Launch<'a> {
    /// Without input, output, and limits.
    pub fn new(program: &'a Path, words: &'a [OsString], env: &'a [(OsString, OsString)], folder: &'a Path) -> Self {
        let (stdin, stdout, stderr) = (None, None, None);
        let (memory, processor, waiting, confined_to) = (None, None, None, None);
        Self { program, words, env, folder, stdin, stdout, stderr, memory, processor, waiting, confined_to }
    }
}

/// The resources that a process and its descendants used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The user and system time of all of them, in milliseconds.
    pub processor: Duration,
    /// The maximum physical memory of one of them, in bytes.
    pub memory: u64,
    /// Whether all of them waited for so long that they were ended.
    pub has_waited: bool,
}

/// The end of a process.
#[derive(Debug)]
pub enum Ended {
    /// It ran and exited with this status, and used these resources, if they are measured.
    Ran(ExitStatus, Option<Usage>),
    /// It could not be started.
    Failed(std::io::Error),
    /// Its warden was killed from outside, and it was killed with it: its status is unknown.
    Lost,
}
