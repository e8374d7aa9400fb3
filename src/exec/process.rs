//! Plain processes: each check in a process group and a folder of its own, and nothing is left of either afterwards.

use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use tempfile::TempDir;

pub use super::cancel::Cancel;
use super::group::{Group, Leader};
use super::inherited::reset_signals;
use super::job::{End, ExecError, Executor, File, FileKind, Job, JobResult};
use super::limits::{self, Memory};

/// How often a program is tried again that cannot be run because somebody has it open for writing.
const BUSY_TRIES: u32 = 40;

/// What the names of the temporary folders of runs begin with.
pub const TEMPORARY: &str = "mcve-";

/// Runs jobs as processes of this machine. Dropping it removes the run's temporary folder.
#[derive(Debug)]
pub struct Processes {
    root: TempDir,
    next: AtomicU64,
    memory: Memory,
}

impl Processes {
    /// Makes the temporary folder in which each check gets its own. No process of a check may have more than `memory`.
    ///
    /// From here on this process starts others without the signals that it was started to ignore or block
    /// ([`reset_signals`]).
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new(memory: Memory) -> io::Result<Self> {
        reset_signals();
        Ok(Self { root: tempfile::Builder::new().prefix(TEMPORARY).tempdir()?, next: AtomicU64::new(0), memory })
    }

    /// The run's temporary folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.root.path()
    }

    fn fresh_folder(&self) -> Result<Folder, ExecError> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let folder = Folder(self.root.path().join(number.to_string()));
        fs::create_dir(&folder.0).map_err(|source| cannot_write(&folder.0, source))?;
        Ok(folder)
    }

    /// A folder for what can be kept nowhere else, until the end of the run.
    #[cfg(target_os = "linux")]
    pub(crate) fn own_cache(&self) -> PathBuf {
        self.root.path().join("cache")
    }

    /// How much memory a process of a check may have.
    #[cfg(target_os = "linux")]
    pub(super) fn memory(&self) -> Memory {
        self.memory
    }

    /// Runs a job as a group that `start` makes, in a folder that is there for it.
    pub(super) fn run_by<'a, L: Leader, E: From<ExecError>>(
        &self,
        job: &Job,
        timeout: Duration,
        cancel: &'a Cancel,
        start: impl FnOnce(&Path) -> Result<Group<'a, L>, E>,
    ) -> Result<JobResult, E> {
        if cancel.is_cancelled() {
            let (stdout, stderr, wall) = Default::default();
            return Ok(JobResult { end: End::Cancelled, stdout, stderr, wall });
        }
        let folder = self.fresh_folder()?;
        folder.write(job)?;
        Self::watch(job, timeout, cancel, start(&folder.0)?).map_err(E::from)
    }

    /// Runs a job in a folder that holds its files already and stays.
    pub(super) fn run_in(
        &self,
        job: &Job,
        folder: &Path,
        timeout: Duration,
        cancel: &Cancel,
    ) -> Result<JobResult, ExecError> {
        Self::watch(job, timeout, cancel, spawn(job, folder, self.memory, cancel)?)
    }

    /// Waits for the end of a group that runs a job, or for that of its time.
    fn watch<L: Leader>(
        job: &Job,
        timeout: Duration,
        cancel: &Cancel,
        mut group: Group<'_, L>,
    ) -> Result<JobResult, ExecError> {
        let begun = Instant::now();
        let in_time = group.wait(begun.checked_add(timeout)).map_err(|source| cannot_watch(job, source))?;
        let (status, stdout, stderr) = group.finish().map_err(|source| cannot_watch(job, source))?;
        let end = if cancel.is_cancelled() {
            End::Cancelled
        } else if !in_time {
            End::TimedOut
        } else if let Some(code) = status.code() {
            End::Exited(code)
        } else {
            End::Signalled(status.signal().unwrap_or(0))
        };
        Ok(JobResult { end, stdout, stderr, wall: begun.elapsed() })
    }
}

impl Executor for Processes {
    fn run(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, ExecError> {
        self.run_by(job, timeout, cancel, |folder| spawn(job, folder, self.memory, cancel))
    }
}

/// A check's own folder, removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn write(&self, job: &Job) -> Result<(), ExecError> {
        for (path, file) in &job.files {
            let path = self.0.join(path);
            let parent = path.parent().unwrap_or(&self.0);
            if parent != self.0 {
                fs::create_dir_all(parent).map_err(|source| cannot_write(parent, source))?;
            }
            write(&path, file).map_err(|source| cannot_write(&path, source))?;
        }
        Ok(())
    }
}

/// Writes a file where none of that name is.
pub(super) fn write(path: &Path, file: &File) -> io::Result<()> {
    match file.kind {
        FileKind::Link => symlink(OsStr::from_bytes(&file.bytes), path),
        FileKind::Plain => fs::write(path, &file.bytes),
        FileKind::Executable => {
            fs::write(path, &file.bytes)?;
            fs::set_permissions(path, Permissions::from_mode(0o755))
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A process that has been killed but not yet died may still make a file: then the folder is not empty when it
        // should be. What remains after that goes with the run's folder.
        let _ = fs::remove_dir_all(&self.0).or_else(|_| fs::remove_dir_all(&self.0));
    }
}

fn spawn<'a>(job: &Job, folder: &Path, memory: Memory, cancel: &'a Cancel) -> Result<Group<'a>, ExecError> {
    let mut words = job.argv.iter().map(|word| word.in_folder(folder));
    let program = words.next().unwrap_or_default();
    let mut command = Command::new(&program);
    command.args(words).current_dir(folder).process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    change(&mut command, &job.env);
    let mut tries = 0;
    loop {
        match command.spawn() {
            Ok(child) => {
                limits::set(&child, memory);
                return Ok(Group::new(child, cancel));
            }
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy && tries < BUSY_TRIES => {
                tries += 1;
                std::thread::sleep(Duration::from_millis(u64::from(tries)));
            }
            Err(source) => return Err(cannot_run(Path::new(&program), source)),
        }
    }
}

/// Changes the environment of a command: a value to set, or `None` to unset.
pub(super) fn change(command: &mut Command, env: &[(OsString, Option<OsString>)]) {
    for (name, value) in env {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
}

fn cannot_run(program: &Path, source: io::Error) -> ExecError {
    let why = match Errno::from_io_error(&source) {
        Some(Errno::NOENT) if program.exists() => ": the interpreter in its first line is missing",
        Some(Errno::NOEXEC) => ": a script must begin with `#!` and its interpreter",
        _ => "",
    };
    ExecError { doing: format!("cannot run `{}`{why}", program.display()), source }
}

pub(super) fn cannot_write(path: &Path, source: io::Error) -> ExecError {
    ExecError { doing: format!("cannot write `{}`", path.display()), source }
}

fn cannot_watch(job: &Job, source: io::Error) -> ExecError {
    let program = job.argv.first().map(|word| word.in_folder(Path::new(""))).unwrap_or_default();
    ExecError { doing: format!("cannot watch `{}`", program.display()), source }
}

#[cfg(test)]
mod tests;
