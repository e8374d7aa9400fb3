//! The executor: servers that are free, and plain processes for all that they do not do.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use super::library;
use super::protocol;
use super::server::Server;
use crate::exec::cancel::Cancel;
use crate::exec::job::{ExecError, Executor, Job, JobResult, Word};
use crate::exec::process::Processes;
use crate::exec::shortcut::Shortcut;

/// Runs the jobs of one compiler by fork servers, one for each that runs at once, and all others as plain processes.
#[derive(Debug)]
pub struct ForkServers {
    processes: Arc<Processes>,
    compiler: PathBuf,
    cache: PathBuf,
    /// What is preloaded, once a server was needed; or why there is none.
    library: OnceLock<Result<PathBuf, String>>,
    idle: Mutex<Vec<Server>>,
    shortcut: Shortcut,
}

/// Why a job was not served.
enum Refusal {
    /// It is not one for a server.
    Unfit,
    /// The server failed.
    Broken(String),
}

impl From<ExecError> for Refusal {
    fn from(error: ExecError) -> Self {
        Self::Broken(format!("{error}: {}", error.source))
    }
}

impl ForkServers {
    /// Servers of `compiler`, which is not rustup's proxy. What they need is kept in the folder `cache`. Nothing is made or
    /// started before the first job.
    #[must_use]
    pub fn new(processes: Arc<Processes>, compiler: PathBuf, cache: PathBuf) -> Self {
        let (library, idle, shortcut) = Default::default();
        Self { processes, compiler, cache, library, idle, shortcut }
    }

    fn serve(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, Refusal> {
        let is_ours = matches!(job.argv.first(), Some(Word::Text(program)) if Path::new(program) == self.compiler);
        if !is_ours || cancel.is_cancelled() {
            return Err(Refusal::Unfit);
        }
        let mut server = self.server().map_err(Refusal::Broken)?;
        let served = self.processes.run_by(job, timeout, cancel, |folder| {
            let words: Vec<OsString> = job.argv.iter().map(|word| word.in_folder(folder)).collect();
            let request = protocol::request(folder, &words, &job.env).ok_or(Refusal::Unfit)?;
            server.fork(&request, cancel).map_err(|error| Refusal::Broken(format!("it does not serve: {error}")))
        });
        if !matches!(served, Err(Refusal::Broken(_))) {
            self.idle().push(server);
        }
        served
    }

    /// A server that is free, or a new one.
    fn server(&self) -> Result<Server, String> {
        if let Some(server) = self.idle().pop() {
            return Ok(server);
        }
        let made = || library::find_or_build(&self.compiler, &self.cache).map_err(|error| format!("{error:#}"));
        let library = self.library.get_or_init(made).as_ref().map_err(Clone::clone)?;
        Server::start(&self.compiler, library, self.processes.memory()).map_err(|error| {
            // It may be damaged: the next run makes it anew.
            let _ = std::fs::remove_file(library);
            format!("{error:#}")
        })
    }

    /// A thread that panics while it holds the lock leaves servers that are still free.
    fn idle(&self) -> MutexGuard<'_, Vec<Server>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Executor for ForkServers {
    fn run(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, ExecError> {
        self.processes.run(job, timeout, cancel)
    }

    fn run_quickly(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, ExecError> {
        if self.shortcut.is_open() {
            match self.serve(job, timeout, cancel) {
                Ok(result) => return Ok(result),
                Err(Refusal::Unfit) => {}
                Err(Refusal::Broken(why)) => {
                    self.shortcut.close(why);
                    self.idle().clear();
                }
            }
        }
        self.run(job, timeout, cancel)
    }

    fn shortcut(&self) -> Option<&Shortcut> {
        Some(&self.shortcut)
    }
}
