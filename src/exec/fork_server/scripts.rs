//! Scripts that call a compiler which is served.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::Duration;

use super::library::{self, Artifact, discard};
use super::stubs::Stubs;
use crate::exec::cancel::Cancel;
use crate::exec::job::{ExecError, Executor, Job, JobResult};
use crate::exec::process::Processes;
use crate::exec::shim::{Calls, Changes};
use crate::exec::shortcut::Shortcut;

/// The name of the folder of the stub.
const FOLDER: &str = "served";

/// What serves scripts.
#[derive(Debug)]
pub(super) struct Scripts {
    /// Of no use if they do not call the compiler.
    shortcut: Option<Shortcut>,
    server: Arc<Server>,
    /// What starts it before it is needed.
    thread: Option<JoinHandle<()>>,
}

/// A server, and what it needs to start.
#[derive(Debug)]
struct Server {
    /// Once it was started; or why there is none.
    stubs: OnceLock<Result<Stubs, String>>,
    compiler: PathBuf,
    cache: PathBuf,
    processes: Arc<Processes>,
    calls: Calls,
    env: Changes,
}

impl Scripts {
    /// Begins to start a server of `compiler` for scripts that are run with `env` and come to call it by `calls`, if they do.
    pub(super) fn start(processes: &Arc<Processes>, compiler: &Path, cache: &Path, calls: Calls, env: Changes) -> Self {
        let shortcut = calls.any().then(Shortcut::default);
        let (compiler, cache, processes) = (compiler.to_owned(), cache.to_owned(), Arc::clone(processes));
        let stubs = OnceLock::new();
        let server = Arc::new(Server { stubs, compiler, cache, processes, calls, env });
        let own = Arc::clone(&server);
        let early = move || {
            own.stubs();
        };
        // Without a thread it is started when it is needed.
        let thread = shortcut.as_ref().and_then(|_| std::thread::Builder::new().spawn(early).ok());
        Self { shortcut, server, thread }
    }

    /// Whether the server is of use, if it may be.
    pub(super) fn shortcut(&self) -> Option<&Shortcut> {
        self.shortcut.as_ref()
    }

    /// Runs a job so that the compiler is served that it calls, or that it is; none if there is no server.
    pub(super) fn run(
        &self,
        processes: &Processes,
        job: &Job,
        is_compiler: bool,
        timeout: Duration,
        cancel: &Cancel,
    ) -> Option<Result<JobResult, ExecError>> {
        let shortcut = self.shortcut().filter(|shortcut| shortcut.is_open())?;
        let stubs = self.server.stubs().as_ref().map_err(|why| shortcut.close(why)).ok()?;
        let job = if is_compiler { stubs.instead_of(job) } else { stubs.script(job) };
        let result = processes.run(&job, timeout, cancel);
        match stubs.has_forked() {
            Ok(false) => {}
            Ok(true) => shortcut.mark_served(),
            Err(error) => shortcut.close(format!("it does not serve: {error}")),
        }
        Some(result)
    }
}

impl Drop for Scripts {
    fn drop(&mut self) {
        // What it makes is removed behind it.
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Server {
    /// Starts it, or waits for whoever does.
    fn stubs(&self) -> &Result<Stubs, String> {
        self.stubs.get_or_init(|| self.start())
    }

    fn start(&self) -> Result<Stubs, String> {
        let processes = &*self.processes;
        let found = |artifact| library::find_or_build(artifact, &self.compiler, &self.cache, processes);
        let found = |artifact| found(artifact).map_err(|error| format!("{error:#}"));
        let (library, stub) = (found(Artifact::Library)?, found(Artifact::Stub)?);
        let folder = processes.folder().join(FOLDER);
        Stubs::start(processes, [&self.compiler, &library, &stub], &folder, &self.calls, &self.env)
            .map_err(|error| discard(&[&library, &stub], &error))
    }
}
