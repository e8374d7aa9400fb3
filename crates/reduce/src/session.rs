//! What the runs of one command share: where checks run, when they end, what is known from before.

use std::io;
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
use crate::exec::tool::ToolSandbox;
use crate::state::journal::Journal;

/// What the runs of one command share. Clones use the same processes.
#[derive(Clone)]
pub struct Session {
    /// The toolchain of rustup to use; none: the one that rustup chooses.
    pub toolchain: Option<String>,
    /// When a run stops before its end.
    pub limits: Limits,
    /// How many checks run at once.
    pub jobs: usize,
    /// Whether checks that only run the compiler may run in forks of one that has started.
    pub has_fork_servers: bool,
    /// What earlier runs found, and where this one records what it finds.
    pub journal: Journal,
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
        let processes = Arc::new(processes(memory, confinement.as_ref())?);
        let (has_fork_servers, journal) = (true, Journal::nowhere(None));
        Ok(Self { toolchain, limits, jobs: 1, has_fork_servers, journal, memory, confinement, processes })
    }

    /// This session with another journal.
    #[must_use]
    pub fn with_journal(self, journal: Journal) -> Self {
        Self { journal, ..self }
    }

    /// This session with other limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Runs checks.
    #[must_use]
    pub fn executor(&self) -> Arc<dyn Executor> {
        Arc::clone(&self.processes) as Arc<dyn Executor>
    }

    /// Runs checks that only run `compiler`: by fork servers, if there can be any.
    #[must_use]
    #[cfg(target_os = "linux")]
    pub fn executor_of(&self, compiler: Option<PathBuf>) -> Arc<dyn Executor> {
        let Some(compiler) = compiler.filter(|_| self.has_fork_servers) else { return self.executor() };
        let cache = cache_folder().unwrap_or_else(|| self.processes.own_cache());
        Arc::new(ForkServers::new(Arc::clone(&self.processes), compiler, cache))
    }

    /// Runs checks.
    #[must_use]
    #[cfg(not(target_os = "linux"))]
    pub fn executor_of(&self, _: Option<PathBuf>) -> Arc<dyn Executor> {
        self.executor()
    }

    /// Runs checks of whole folders, which keep what they built from one check to the next.
    #[must_use]
    pub fn executor_of_folders(&self) -> Arc<dyn Executor> {
        Arc::new(KeptFolders::new(Arc::clone(&self.processes)))
    }

    /// Runs checks with the limit of memory that is usual.
    ///
    /// # Errors
    /// As of [`new`](Self::new).
    pub fn executor_of_usual_memory(&self) -> io::Result<Arc<dyn Executor>> {
        Ok(Arc::new(processes(None, self.confinement.as_ref())?))
    }

    /// The sandbox of cargo and of what it runs, which may also write to these folders; none where checks have none.
    ///
    /// # Errors
    /// When there is no folder for temporary files.
    pub fn tool_sandbox(&self, folders: &[PathBuf]) -> io::Result<Option<Arc<ToolSandbox>>> {
        let Some(mut confinement) = self.confinement.clone() else { return Ok(None) };
        confinement.writable.extend_from_slice(folders);
        ToolSandbox::new(&confinement).map(|sandbox| Some(Arc::new(sandbox)))
    }

    /// The temporary folder of this session.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.processes.folder()
    }

    /// The remark on a sandbox that does not hold all, of checks that run candidates or only compile them.
    #[must_use]
    pub fn lacking(&self, runs_candidates: bool) -> Option<String> {
        lacking(self.held()?, "checks", runs_candidates)
    }

    /// What the sandbox holds; none where there is to be none.
    #[must_use]
    pub fn held(&self) -> Option<Held> {
        self.processes.held()
    }
}

/// The remark on a sandbox that does not keep `whom` from something, where they run foreign code if `runs_code`.
#[must_use]
pub fn lacking(held: Held, whom: &str, runs_code: bool) -> Option<String> {
    if !held.files {
        return Some(format!("this system has no sandbox for {whom} (Landlock, or namespaces)"));
    }
    let network = (!held.network).then_some("using the network");
    let modes = (!held.modes && runs_code).then_some("changing modes and times of your files");
    let all: Vec<&str> = network.into_iter().chain(modes).collect();
    (!all.is_empty()).then(|| format!("this system does not keep {whom} from {}", all.join(" and ")))
}

fn processes(memory: Option<Memory>, confinement: Option<&Confinement>) -> io::Result<Processes> {
    let memory = memory.unwrap_or_default();
    confinement.map_or_else(|| Processes::new(memory), |confinement| Processes::confined(memory, confinement))
}
