//! The state that the runs of one command share: the executor of checks, the limits, the journal.

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mcve_launch::Held;

use crate::check::limits::Limits;
use crate::exec::confinement::Confinement;
#[cfg(target_os = "linux")]
use crate::exec::fork_server::{ForkServers, cache_folder};
use crate::exec::incremental::KeptFolders;
use crate::exec::job::Executor;
use crate::exec::limits::Memory;
use crate::exec::process::Processes;
use crate::exec::remote::{Workers, serve, serve_folder};
use crate::exec::tool::ToolSandbox;
use crate::state::journal::Journal;
use crate::state::store::StorePlace;

/// The state that the runs of one command share. Clones use the same processes.
#[derive(Clone)]
pub struct Session {
    /// The toolchain of rustup to use; none: the one that rustup chooses.
    pub toolchain: Option<String>,
    /// The limits that stop a run early.
    pub limits: Limits,
    /// The number of concurrent checks.
    pub jobs: usize,
    /// Lines for a shell that start programs which run checks, as `mcve worker` does.
    pub executors: Vec<String>,
    /// Whether checks that only run the compiler may run in forks of one that has started.
    pub has_fork_servers: bool,
    /// The results of earlier runs, to which this run adds its own.
    pub journal: Journal,
    /// The verdicts that runs share, if they do.
    pub store: Option<StorePlace>,
    /// The most memory that a process may have, if the user named it.
    pub memory: Option<Memory>,
    /// The sandbox of checks; none: they run without one.
    pub confinement: Option<Confinement>,
    processes: Arc<Processes>,
}

impl Session {
    /// A session without a journal whose checks run as processes of this machine.
    ///
    /// # Errors
    /// When there is no folder for temporary files, or no process can be started.
    pub fn new(
        toolchain: Option<String>,
        limits: Limits,
        memory: Option<Memory>,
        confinement: Option<Confinement>,
    ) -> io::Result<Self> {
        let processes = Arc::new(Processes::new(memory.unwrap_or_default(), confinement.as_ref())?);
        let (has_fork_servers, journal, store) = (true, Journal::nowhere(None), None);
        Ok(Self {
            toolchain,
            limits,
            jobs: 1,
            executors: Vec::new(),
            has_fork_servers,
            journal,
            store,
            memory,
            confinement,
            processes,
        })
    }

    /// The executor of checks.
    pub fn executor(&self) -> Arc<dyn Executor> {
        Arc::clone(&self.processes) as Arc<dyn Executor>
    }

    /// The executor of checks that need nothing but `compiler`: by other programs if the user names some.
    ///
    /// # Errors
    /// When one of them cannot be started, or has not the same compiler.
    pub(crate) fn shared_executor_of(&self, compiler: PathBuf) -> io::Result<Arc<dyn Executor>> {
        if self.executors.is_empty() {
            return Ok(self.executor_of(Some(compiler)));
        }
        Ok(Arc::new(Workers::start(&self.executors, &compiler, Arc::clone(&self.processes))?))
    }

    /// Runs checks that come as lines of `input`, so many at once, until it ends.
    ///
    /// # Errors
    /// When a line cannot be read or written.
    pub fn serve(&self, slots: usize, input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
        serve(&self.processes, slots, input, output)
    }

    /// Runs the checks of a folder, as [`serve_folder`] says.
    ///
    /// # Errors
    /// When they cannot be read, or an answer not written.
    pub fn serve_folder(&self, folder: &Path, output: impl Write + Send) -> io::Result<()> {
        serve_folder(&self.processes, folder, output)
    }

    /// The executor of checks that only run `compiler`: by fork servers, if possible.
    #[cfg(target_os = "linux")]
    pub fn executor_of(&self, compiler: Option<PathBuf>) -> Arc<dyn Executor> {
        let Some(compiler) = compiler.filter(|_| self.has_fork_servers) else { return self.executor() };
        let cache = cache_folder().unwrap_or_else(|| self.processes.own_cache());
        Arc::new(ForkServers::new(Arc::clone(&self.processes), compiler, cache))
    }

    /// The executor of checks.
    #[cfg(not(target_os = "linux"))]
    pub fn executor_of(&self, _: Option<PathBuf>) -> Arc<dyn Executor> {
        self.executor()
    }

    /// The executor of checks of whole folders, which keep their builds from one check to the next.
    pub fn executor_of_folders(&self) -> Arc<dyn Executor> {
        Arc::new(KeptFolders::new(Arc::clone(&self.processes)))
    }

    /// An executor of checks with the default memory limit.
    pub(crate) fn executor_of_usual_memory(&self) -> io::Result<Arc<dyn Executor>> {
        Ok(Arc::new(Processes::new(Memory::default(), self.confinement.as_ref())?))
    }

    /// The sandbox of cargo and its children, which may also write to these folders; none if checks have none.
    ///
    /// # Errors
    /// When there is no folder for temporary files.
    pub fn tool_sandbox(&self, folders: &[PathBuf]) -> io::Result<Option<Arc<ToolSandbox>>> {
        let Some(mut confinement) = self.confinement.clone() else { return Ok(None) };
        confinement.writable.extend_from_slice(folders);
        ToolSandbox::new(&confinement).map(|sandbox| Some(Arc::new(sandbox)))
    }

    /// The temporary folder of this session.
    pub fn folder(&self) -> &Path {
        self.processes.folder()
    }

    /// The note on a sandbox with missing restrictions, for checks that run candidates or only compile them.
    pub fn lacking(&self, runs_candidates: bool) -> Option<String> {
        lacking(self.held()?, "checks", runs_candidates)
    }

    /// The restrictions of the sandbox; none without a sandbox.
    pub fn held(&self) -> Option<Held> {
        self.processes.held()
    }
}

/// The note on the missing restrictions of a sandbox on `whom`, which run untrusted code if `runs_code`.
pub fn lacking(held: Held, whom: &str, runs_code: bool) -> Option<String> {
    if !held.files {
        return Some(format!("this system has no sandbox for {whom} (Landlock, or namespaces)"));
    }
    let network = (!held.network).then_some("using the network");
    let modes = (!held.modes && runs_code).then_some("changing modes and times of your files");
    let all: Vec<&str> = network.into_iter().chain(modes).collect();
    (!all.is_empty()).then(|| format!("this system does not keep {whom} from {}", all.join(" and ")))
}
