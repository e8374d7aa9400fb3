//! Failures that are planted: a program fails that compiles and has some syntax.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use mcve_dd::outcome::Outcome;
use mcve_reduce::exec::cancel::Cancel;
use mcve_reduce::exec::job::{End, ExecError, Executor, Job, JobResult};
use mcve_reduce::exec::limits::Memory;
use mcve_reduce::exec::process::Processes;
use mcve_reduce::exec::programs;
use mcve_reduce::oracle::headers::Headers;
use mcve_reduce::oracle::rustc::Rustc;
use mcve_reduce::oracle::{CompilerJob, FailureId, Oracle, Verdict};
use mcve_reduce::program::Program;

use super::properties::{self, Has};

/// The compiler, behind what starts it quickly.
#[derive(Clone)]
pub(super) struct Compiler {
    pub(super) rustc: PathBuf,
    plain: Arc<Processes>,
    pub(super) quick: Arc<dyn Executor>,
}

impl Compiler {
    pub(super) fn new() -> anyhow::Result<Self> {
        let rustc = programs::rustc(None, None)?;
        let plain = Arc::new(Processes::new(Memory::default())?);
        let quick = quick(&plain, &rustc);
        Ok(Self { rustc, plain, quick })
    }

    fn way(&self, text: &str, emit: &str) -> Rustc {
        Rustc::new(self.rustc.clone(), &Headers::parse(text), &[emit.into()], Path::new("/"))
    }

    /// Whether a program compiles.
    fn compiles(&self, program: &Program, timeout: Duration, cancel: &Cancel) -> Result<bool, ExecError> {
        let job = self.way(&program.text, "--emit=metadata").job(program);
        Ok(self.quick.run_quickly(&job, timeout, cancel)?.end == End::Exited(0))
    }
}

#[cfg(target_os = "linux")]
fn quick(plain: &Arc<Processes>, rustc: &Path) -> Arc<dyn Executor> {
    use mcve_reduce::exec::fork_server::{ForkServers, cache_folder};
    let Some(cache) = cache_folder() else { return plain.clone() };
    Arc::new(ForkServers::new(Arc::clone(plain), rustc.to_owned(), cache))
}

#[cfg(not(target_os = "linux"))]
fn quick(plain: &Arc<Processes>, _: &Path) -> Arc<dyn Executor> {
    plain.clone()
}

/// A planted failure, as an oracle and as what runs its checks: the exit code is 0 where it is there, 1 where it is not, 2
/// where the program does not compile.
#[derive(Clone)]
pub(super) struct Planted {
    pub(super) compiler: Compiler,
    /// What a program that fails has, in words.
    pub(super) name: &'static str,
    pub(super) has: Has,
}

impl Executor for Planted {
    fn run(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, ExecError> {
        if !job.argv.is_empty() {
            return self.compiler.plain.run(job, timeout, cancel);
        }
        let begun = std::time::Instant::now();
        let text = std::str::from_utf8(&job.files[0].1.bytes).expect("programs are text");
        let program = Program::new(job.files[0].0.clone(), text);
        let code = match self.compiler.compiles(&program, timeout, cancel)? {
            true => i32::from(!properties::has(&program.text, self.has)),
            false => 2,
        };
        Ok(JobResult { wall: begun.elapsed(), ..JobResult::ended(End::Exited(code)) })
    }
}

impl Oracle for Planted {
    fn job(&self, program: &Program) -> Job {
        Job {
            files: vec![(program.name.clone(), program.text.clone().into())],
            argv: Vec::new(),
            env: Vec::new(),
            ..Job::default()
        }
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        let (outcome, reason) = match result.end {
            End::Exited(0) => (Outcome::Fail, "it has the property"),
            End::Exited(1) => (Outcome::Pass, "it has not"),
            _ => (Outcome::Unresolved, "it does not compile"),
        };
        Verdict { outcome, reason: reason.to_owned() }
    }

    fn failure(&self) -> FailureId {
        self.name.to_owned().into()
    }

    fn command(&self, _: &Program, path: &Path) -> String {
        format!("{} {}", Command::new(&self.compiler.rustc).get_program().display(), path.display())
    }

    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        let rustc = self.compiler.way(&program.text, "--emit=metadata");
        (which == CompilerJob::Hints).then(|| which.by(&rustc, program))
    }
}
