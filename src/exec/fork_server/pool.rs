//! The executor: servers that are free, and plain processes for all that they do not do.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use super::library::{self, Artifact};
use super::protocol;
use super::scripts::Scripts;
use super::server::Server;
use crate::exec::cancel::Cancel;
use crate::exec::job::{ExecError, Executor, Job, JobResult, Word};
use crate::exec::process::{NoResult, Processes};
use crate::exec::shim::{Calls, Changes};
use crate::exec::shortcut::Shortcut;

/// Runs the jobs of one compiler by fork servers, one for each that runs at once, and all others as plain processes; those
/// that are scripts with a server for the compiler that they call.
#[derive(Debug)]
pub struct ForkServers {
    /// Before the processes, as fields are dropped in this order: what it still makes is in their folder.
    scripts: Option<Scripts>,
    idle: Mutex<Vec<Server>>,
    processes: Arc<Processes>,
    compiler: PathBuf,
    cache: PathBuf,
    /// What is preloaded, once a server was needed; or why there is none.
    library: OnceLock<Result<PathBuf, String>>,
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

impl From<NoResult> for Refusal {
    fn from(none: NoResult) -> Self {
        match none {
            NoResult::Error(error) => error.into(),
            NoResult::Lost => Self::Unfit,
        }
    }
}

impl ForkServers {
    /// Servers of `compiler`, which is not rustup's proxy. What they need is kept in the folder `cache`, or where that cannot be
    /// written in the temporary folder of the run. Nothing is made or started before the first job.
    #[must_use]
    pub fn new(processes: Arc<Processes>, compiler: PathBuf, cache: PathBuf) -> Self {
        let (library, idle, shortcut, scripts) = Default::default();
        Self { processes, compiler, cache, library, idle, shortcut, scripts }
    }

    /// The same where the checks are scripts with these changes to their environment, which come to call the compiler in these
    /// ways. [`Executor::shortcut`] is theirs. Their server is started at once, beside whatever is done next.
    #[must_use]
    pub fn for_scripts(self, calls: Calls, env: Changes) -> Self {
        let scripts = Scripts::start(&self.processes, &self.compiler, &self.cache, calls, env);
        Self { scripts: Some(scripts), ..self }
    }

    /// Whether a job runs the compiler and nothing else.
    fn is_ours(&self, job: &Job) -> bool {
        matches!(job.argv.first(), Some(Word::Text(program)) if Path::new(program) == self.compiler)
    }

    fn serve(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, Refusal> {
        if cancel.is_cancelled() {
            return Err(Refusal::Unfit);
        }
        let mut server = self.server(protocol::early(&job.env)).map_err(Refusal::Broken)?;
        let served = self.processes.run_by(job, timeout, cancel, |folder| {
            let words: Vec<OsString> = job.argv.iter().map(|word| word.in_folder(folder.work())).collect();
            let request = protocol::request(folder.work(), &words, &folder.env(job)).ok_or(Refusal::Unfit)?;
            server.fork(&request, cancel).map_err(|error| Refusal::Broken(format!("it does not serve: {error}")))
        });
        if !matches!(served, Err(Refusal::Broken(_))) {
            self.idle().push(server);
        }
        served
    }

    /// A server with these changes to its environment that is free, or a new one.
    fn server(&self, env: Changes) -> Result<Server, String> {
        let mut idle = self.idle();
        if let Some(index) = idle.iter().rposition(|server| server.has(&env)) {
            return Ok(idle.swap_remove(index));
        }
        drop(idle);
        let library = self.library()?;
        Server::start(&self.processes, &self.compiler, library, env)
            .map_err(|error| library::discard(&[library], &error))
    }

    /// What is preloaded.
    fn library(&self) -> Result<&Path, String> {
        let made = || library::find_or_build(Artifact::Library, &self.compiler, &self.cache, &self.processes);
        let made = || made().map_err(|error| format!("{error:#}"));
        self.library.get_or_init(made).as_deref().map_err(Clone::clone)
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
        let is_ours = self.is_ours(job);
        let scripts = self.scripts.as_ref();
        if let Some(result) = scripts.and_then(|scripts| scripts.run(&self.processes, job, is_ours, timeout, cancel)) {
            return result;
        }
        if is_ours && self.shortcut.is_open() {
            match self.serve(job, timeout, cancel) {
                Ok(result) => {
                    self.shortcut.mark_served();
                    return Ok(result);
                }
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
        match &self.scripts {
            Some(scripts) => scripts.shortcut(),
            None => Some(&self.shortcut),
        }
    }
}
