//! Plain processes: each check in a folder of its own, with all processes and files removed afterwards.

use std::ffi::OsString;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mcve_launch::{Ended, Held, Launch, Launcher};
use rustix::io::Errno;
use rustix::process::Signal;

pub use super::cancel::Cancel;
use super::confinement::Confinement;
use super::environment::Environment;
use super::folder::{CheckFolder, RunFolder};
use super::group::{Group, Leader};
use super::inherited::reset_signals;
use super::job::{End, ExecError, Executor, Job, JobResult, Trust};
use super::limits::Memory;
use super::programs;
use super::steps::Steps;

/// The number of attempts to run a program that another process has open for writing.
const BUSY_TRIES: u32 = 40;

/// The number of runs of a check whose processes are killed from outside before it counts as killed.
const LOST_TRIES: u32 = 4;

/// Runs jobs as processes of this machine. Dropping it removes the run's temporary folder.
#[derive(Debug)]
pub struct Processes {
    pub(super) launcher: Launcher,
    pub(super) environment: Environment,
    /// The paths to which checks in a sandbox may write besides their own folder; none without a sandbox.
    writable: Option<Vec<PathBuf>>,
    next: AtomicU64,
    pub(super) memory: Memory,
    steps: Steps,
    /// The last field, as the other fields may use the folder until they are dropped.
    folder: RunFolder,
}

/// Why there is no result of a job.
pub(super) enum NoResult {
    /// Another process killed the processes.
    Lost,
    Error(ExecError),
}

impl From<ExecError> for NoResult {
    fn from(error: ExecError) -> Self {
        Self::Error(error)
    }
}

impl Processes {
    /// Makes the temporary folder in which each check gets its own, and removes the folders that killed runs left. No process of
    /// a check may have more than `memory`. All run in a sandbox, if there is to be one.
    ///
    /// This process then starts others without inherited settings of signals ([`reset_signals`]).
    ///
    /// # Errors
    /// When the folder cannot be made, or no process can be started.
    pub fn new(memory: Memory, confinement: Option<&Confinement>) -> io::Result<Self> {
        reset_signals();
        let folder = RunFolder::new()?;
        let without_secrets = |confinement: &Confinement| Environment::without_secrets(&confinement.kept_variables);
        let environment = confinement.map_or_else(Environment::inherited, without_secrets);
        let writable = confinement.map(|confinement| confinement.writable.clone());
        let launcher = Launcher::new(confinement.map(|confinement| confinement.sandbox(folder.checks())))?;
        let (next, steps) = (AtomicU64::new(0), Steps::kept_in(folder.path()));
        Ok(Self { launcher, environment, writable, next, memory, steps, folder })
    }

    /// The restrictions that the sandbox enforces; none without a sandbox.
    pub fn held(&self) -> Option<Held> {
        self.writable.as_ref().map(|_| self.launcher.held())
    }

    /// The run's temporary folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A fresh folder that holds the files of a job.
    fn fresh_folder(&self, job: &Job) -> Result<CheckFolder, ExecError> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let folder = CheckFolder::new(self.folder.checks().join(number.to_string()))?;
        folder.write(job)?;
        Ok(folder)
    }

    /// The path of a folder that stays from one check to the next.
    pub fn kept_folder(&self, number: usize) -> PathBuf {
        self.folder.checks().join(format!("kept-{number}"))
    }

    /// A folder for files that can be cached nowhere else, until the end of the run.
    #[cfg(target_os = "linux")]
    pub(crate) fn own_cache(&self) -> PathBuf {
        self.folder().join("cache")
    }

    /// Runs a job in a fresh folder: each part by `serve`, which gets a deadline, or as a process if `serve` does not run it.
    #[cfg(target_os = "linux")]
    pub(super) fn run_by<E: From<NoResult>>(
        &self,
        job: &Job,
        timeout: Duration,
        cancel: &Cancel,
        mut serve: impl FnMut(&Job, &CheckFolder, Option<Instant>) -> Result<Option<JobResult>, E>,
    ) -> Result<JobResult, E> {
        if cancel.is_cancelled() {
            return Ok(JobResult::ended(End::Cancelled));
        }
        let folder = self.fresh_folder(job).map_err(NoResult::from)?;
        self.run_parts(job, timeout, &folder, Trust::Likely, |part, deadline| {
            let served = serve(part, &folder, deadline)?;
            served.map_or_else(|| Ok(self.run_there(part, deadline, cancel, &folder)?), Ok)
        })
    }

    /// Runs the steps of a job and then itself, in its folder, each by `run`, which gets a deadline.
    fn run_parts<E: From<NoResult>>(
        &self,
        job: &Job,
        timeout: Duration,
        folder: &CheckFolder,
        trust: Trust,
        mut run: impl FnMut(&Job, Option<Instant>) -> Result<JobResult, E>,
    ) -> Result<JobResult, E> {
        let begun = Instant::now();
        let deadline = begun.checked_add(timeout);
        let result = self.steps.run(job, folder, trust, &mut |part| run(part, deadline))?;
        Ok(JobResult { wall: begun.elapsed(), ..folder.read_answer(job, result) })
    }

    /// Runs a job that is not a check, in a fresh folder, without a memory limit: it may need all the memory there is.
    #[cfg(target_os = "linux")]
    pub(super) fn run_without_limit(&self, job: &Job, timeout: Duration) -> Result<JobResult, ExecError> {
        let folder = self.fresh_folder(job)?;
        let cancel = Cancel::default();
        match watch(job, Instant::now().checked_add(timeout), &cancel, self.start(job, &folder, None, &cancel)?) {
            Ok(result) => Ok(folder.read_answer(job, result)),
            Err(NoResult::Error(error)) => Err(error),
            Err(NoResult::Lost) => Ok(JobResult::ended(End::Signalled(Signal::KILL.as_raw()))),
        }
    }

    /// Runs a job in a folder that `lay` makes, and again if the run was lost, each time with the full time limit.
    pub(super) fn run_in(
        &self,
        job: &Job,
        timeout: Duration,
        cancel: &Cancel,
        mut lay: impl FnMut() -> Result<CheckFolder, ExecError>,
    ) -> Result<JobResult, ExecError> {
        let mut tries = 0;
        loop {
            if cancel.is_cancelled() {
                return Ok(JobResult::ended(End::Cancelled));
            }
            let folder = lay()?;
            tries += 1;
            let run = |part: &Job, deadline| self.run_there(part, deadline, cancel, &folder);
            match self.run_parts(job, timeout, &folder, Trust::Certain, run) {
                Ok(result) => return Ok(result),
                Err(NoResult::Error(error)) => {
                    let is_busy = error.source.kind() == io::ErrorKind::ExecutableFileBusy;
                    if !is_busy || tries >= BUSY_TRIES {
                        return Err(error);
                    }
                    std::thread::sleep(Duration::from_millis(u64::from(tries)));
                }
                Err(NoResult::Lost) if tries < LOST_TRIES => {}
                Err(NoResult::Lost) => return Ok(JobResult::ended(End::Signalled(Signal::KILL.as_raw()))),
            }
        }
    }

    fn run_there(
        &self,
        job: &Job,
        deadline: Option<Instant>,
        cancel: &Cancel,
        folder: &CheckFolder,
    ) -> Result<JobResult, NoResult> {
        watch(job, deadline, cancel, self.start(job, folder, self.memory.0, cancel)?)
    }

    fn start<'a>(
        &self,
        job: &Job,
        folder: &CheckFolder,
        memory: Option<u64>,
        cancel: &'a Cancel,
    ) -> Result<Group<'a>, ExecError> {
        let words: Vec<OsString> = job.argv.iter().map(|word| word.in_folder(&folder.work)).collect();
        let env = self.environment.with(&folder.env(job));
        let program = words.first().cloned().unwrap_or_default();
        let path =
            programs::find_in(&program, env.iter().rev().find(|(name, _)| name == "PATH").map(|(_, value)| &**value))
                .map_err(|source| cannot_run(Path::new(&program), source))?;
        let own = std::iter::once(&*folder.path);
        let confined_to =
            self.writable.as_ref().map(|writable| own.chain(writable.iter().map(|path| &**path)).collect::<Vec<_>>());
        let launch = Launch {
            stdin: job.streams.as_ref().map(|streams| streams[0].as_fd()),
            stdout: job.streams.as_ref().map(|streams| streams[1].as_fd()),
            memory,
            processor: job.processor,
            waiting: job.waiting,
            confined_to: confined_to.as_deref(),
            ..Launch::new(&path, &words, &env, &folder.work)
        };
        Group::start(&self.launcher, &launch, cancel)
            .map_err(|source| cannot("start a process for", Path::new(&program), source))
    }
}

/// Waits for the end of a group that runs a job, or until `deadline`; without limit if there is none.
pub(super) fn watch<L: Leader>(
    job: &Job,
    deadline: Option<Instant>,
    cancel: &Cancel,
    mut group: Group<'_, L>,
) -> Result<JobResult, NoResult> {
    let begun = Instant::now();
    let cannot_watch = |source| cannot("watch", &program(job), source);
    let in_time = group.wait(deadline).map_err(cannot_watch)?;
    let (ended, stdout, stderr) = group.finish().map_err(cannot_watch)?;
    let usage = if let Ended::Ran(_, usage) = &ended { *usage } else { None };
    let end = match ended {
        _ if cancel.is_cancelled() => End::Cancelled,
        Ended::Lost => return Err(NoResult::Lost),
        Ended::Failed(source) => return Err(cannot_run(&program(job), source).into()),
        Ended::Ran(..) if !in_time => End::TimedOut,
        // Says nothing about the program: the kernel may have killed it for memory, or another process may have.
        Ended::Ran(status, _) if status.signal() == Some(Signal::KILL.as_raw()) => return Err(NoResult::Lost),
        Ended::Ran(status, _) => {
            status.code().map_or_else(|| End::Signalled(status.signal().unwrap_or(0)), End::Exited)
        }
    };
    Ok(JobResult { stdout, stderr, wall: begun.elapsed(), usage, ..JobResult::ended(end) })
}

impl Executor for Processes {
    fn run(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, ExecError> {
        self.run_in(job, timeout, cancel, || self.fresh_folder(job))
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

fn cannot(doing: &str, program: &Path, source: io::Error) -> ExecError {
    ExecError { doing: format!("cannot {doing} `{}`", program.display()), source }
}

fn program(job: &Job) -> PathBuf {
    job.argv.first().map(|word| word.in_folder(Path::new(""))).unwrap_or_default().into()
}

#[cfg(test)]
mod tests;
