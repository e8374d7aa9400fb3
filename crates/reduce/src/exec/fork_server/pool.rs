//! The executor: free servers, and plain processes for jobs that servers cannot do.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use super::cache::Cache;
use super::library;
use super::protocol;
use super::server::Server;
use crate::exec::cancel::Cancel;
use crate::exec::job::{ExecError, Executor, Job, JobResult, Word};
use crate::exec::process::{NoResult, Processes, watch};
use crate::exec::shim::Changes;
use crate::exec::shortcut::Shortcut;
use crate::locked::lock;

/// Runs the jobs of one compiler by fork servers, one per concurrent job, and all other jobs as plain processes.
#[derive(Debug)]
pub struct ForkServers {
    free: Mutex<Vec<Server>>,
    processes: Arc<Processes>,
    compiler: PathBuf,
    cache: PathBuf,
    /// The preloaded library, once a server was needed; or why there is none.
    library: OnceLock<Result<PathBuf, String>>,
    shortcut: Shortcut,
}

/// The time limit of a server's first answer, which takes a hundredth of a second.
const TRIAL: Duration = Duration::from_secs(60);

/// Why a job was not served.
enum Refusal {
    /// A server cannot do such a job.
    Unfit,
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
    /// Servers of `compiler`, which is not rustup's proxy. Their library is cached in the folder `cache`, or in the temporary
    /// folder of the run if `cache` cannot be written. Nothing is made or started before the first job.
    pub fn new(processes: Arc<Processes>, compiler: PathBuf, cache: PathBuf) -> Self {
        let (library, free, shortcut) = Default::default();
        Self { processes, compiler, cache, library, free, shortcut }
    }

    /// Whether a job or one of its steps runs the compiler and nothing else.
    fn is_ours(&self, job: &Job) -> bool {
        // The resource usage of a fork is not measured.
        !job.is_measured && (self.is_compiler(&job.argv) || job.steps.iter().any(|step| self.is_compiler(&step.argv)))
    }

    fn is_compiler(&self, argv: &[Word]) -> bool {
        matches!(argv.first(), Some(Word::Text(program)) if Path::new(program) == self.compiler)
    }

    fn serve(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, Refusal> {
        if cancel.is_cancelled() {
            return Err(Refusal::Unfit);
        }
        let mut server = self.server(protocol::early(&job.env))?;
        let served = self.serve_by(&mut server, job, timeout, cancel);
        if !matches!(served, Err(Refusal::Broken(_))) {
            lock(&self.free).push(server);
        }
        served
    }

    fn serve_by(
        &self,
        server: &mut Server,
        job: &Job,
        timeout: Duration,
        cancel: &Cancel,
    ) -> Result<JobResult, Refusal> {
        self.processes.run_by(job, timeout, cancel, |part, folder, deadline| {
            if !self.is_compiler(&part.argv) {
                return Ok(None);
            }
            let words: Vec<OsString> = part.argv.iter().map(|word| word.in_folder(&folder.work)).collect();
            let request = protocol::request(&folder.work, &words, &folder.env(part)).ok_or(Refusal::Unfit)?;
            let group = server.fork(&request, cancel);
            let group = group.map_err(|error| Refusal::Broken(format!("it does not serve: {error}")))?;
            Ok(Some(watch(part, deadline, cancel, group)?))
        })
    }

    /// A free server with these changes to its environment, or a new one.
    fn server(&self, env: Changes) -> Result<Server, Refusal> {
        let mut free = lock(&self.free);
        if let Some(index) = free.iter().rposition(|server| server.has(&env)) {
            return Ok(free.swap_remove(index));
        }
        drop(free);
        let library = self.library().map_err(Refusal::Broken)?;
        let mut server = Server::start(&self.processes, &self.compiler, library, env)
            .map_err(|error| Refusal::Broken(library::discard(library, &self.cache, &error)))?;
        self.try_out(&mut server)?;
        Ok(server)
    }

    /// Whether the forks of a server do what they are asked. The standard library of older compilers (such as of Rust 1.63)
    /// stores the arguments of the process before `main`, so that a fork would repeat the command line of the server.
    fn try_out(&self, server: &mut Server) -> Result<(), Refusal> {
        let argv = [self.compiler.as_os_str(), OsStr::new("-vV")].map(|word| Word::Text(word.to_owned())).to_vec();
        let job = Job { argv, ..Job::default() };
        let result = self.serve_by(server, &job, TRIAL, &Cancel::default())?;
        if library::host(&result.stdout).is_none() {
            return Err(Refusal::Broken("this rustc does not take its words from `main`".to_owned()));
        }
        Ok(())
    }

    fn library(&self) -> Result<&Path, String> {
        let find = || {
            let (cache, own) = (Cache::open(&self.cache), self.processes.own_cache());
            let found = library::find_or_build(&self.compiler, cache.as_ref(), &own, &self.processes);
            found.map_err(|error| format!("{error:#}"))
        };
        self.library.get_or_init(find).as_deref().map_err(Clone::clone)
    }
}

impl Executor for ForkServers {
    fn run(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, ExecError> {
        if !self.shortcut.is_open() {
            // No server will be used again. One that was busy when the shortcut was closed is free only now.
            lock(&self.free).clear();
        }
        self.processes.run(job, timeout, cancel)
    }

    fn run_quickly(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, ExecError> {
        let likely = job.likely();
        // A process of its own has the limit of time in which the likely variant differs.
        let ends_sooner = |likely: &&Job| job.is_measured && likely.processor.is_some() && job.processor.is_none();
        if let Some(sooner) = likely.as_ref().filter(ends_sooner)
            && self.shortcut.is_open()
        {
            self.shortcut.mark_served();
            return self.processes.run(sooner, timeout, cancel);
        }
        if self.is_ours(job) && self.shortcut.is_open() {
            match self.serve(likely.as_ref().unwrap_or(job), timeout, cancel) {
                Ok(result) => {
                    self.shortcut.mark_served();
                    return Ok(result);
                }
                Err(Refusal::Unfit) => {}
                Err(Refusal::Broken(why)) => self.shortcut.close(why),
            }
        }
        self.run(job, timeout, cancel)
    }

    fn shortcut(&self) -> Option<&Shortcut> {
        Some(&self.shortcut)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::process::Command;

    use super::*;
    use crate::exec::job::End;
    use crate::exec::limits::Memory;
    use crate::exec::programs;

    #[test]
    fn no_server_stays_once_the_shortcut_is_closed_not_even_one_that_served_then() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("there is a mkfifo").success());
        let compiler = programs::rustc(None, None).expect("the tests are compiled by one");
        let processes = Arc::new(Processes::new(Memory::default(), None).expect("a folder can be made"));
        let servers = ForkServers::new(processes, compiler.clone(), folder.path().join("cache"));
        let run = |text: String| {
            let words = ["--crate-type=lib", "--emit=metadata", "a.rs"].map(|word| Word::Text(word.into()));
            let argv = std::iter::once(Word::Text(compiler.clone().into())).chain(words).collect();
            let job = Job { files: vec![("a.rs".into(), text.as_str().into())], argv, ..Job::default() };
            servers.run_quickly(&job, TRIAL, &Cancel::default()).expect("it can be run").end
        };
        std::thread::scope(|scope| {
            let busy = scope.spawn(|| run(format!("include!({:?});", pipe.display().to_string())));
            // The pipe exists when the check reads.
            let writer = File::options().write(true).open(&pipe).expect("it is there");
            assert_eq!(run(String::new()), End::Exited(0));
            servers.shortcut.close("a test");
            drop(writer);
            assert_eq!(busy.join().expect("it does not panic"), End::Exited(0));
        });
        assert_eq!((run(String::new()), lock(&servers.free).len()), (End::Exited(0), 0));
    }
}
