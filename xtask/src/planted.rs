//! Failures that are planted: a program fails that compiles and has a property.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcve_dd::outcome::Outcome;
use mcve_reduce::exec::cancel::Cancel;
use mcve_reduce::exec::job::{End, ExecError, Executor, Job, JobResult, Word};
use mcve_reduce::exec::limits::Memory;
use mcve_reduce::exec::process::Processes;
use mcve_reduce::exec::programs;
use mcve_reduce::oracle::headers::Headers;
use mcve_reduce::oracle::rustc::Rustc;
use mcve_reduce::oracle::{Advice, CompilerJob, FailureId, Oracle, Properties, Verdict};
use mcve_reduce::program::Program;

use super::properties::{self, Has};

/// How long a program may run.
const PATIENCE: Duration = Duration::from_secs(5);

/// The shortest and the longest value whose printing is planted as a failure.
const VALUES: std::ops::RangeInclusive<usize> = 6..=30;

/// What a program that fails has.
#[derive(Clone)]
pub(super) enum Property {
    /// Something in its syntax: what, in words.
    Has(&'static str, Has),
    /// A value that it prints behind a label.
    Prints(String),
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Has(name, _) => f.write_str(name),
            Self::Prints(value) => write!(f, "prints `{value}`"),
        }
    }
}

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

    /// What a program that compiles prints, if it ends well.
    fn output(&self, program: &Program, timeout: Duration, cancel: &Cancel) -> Result<Option<String>, ExecError> {
        let mut argv: Vec<Word> =
            ["sh", "-c", "\"$@\" -o ./p 2> /dev/null && ./p", "sh"].map(|word| Word::Text(word.into())).into();
        let job = self.way(&program.text, "--emit=link").job(program);
        argv.extend(job.argv);
        let result = self.plain.run(&Job { argv, ..job }, timeout.min(PATIENCE), cancel)?;
        let is_fine = result.end == End::Exited(0);
        Ok(is_fine.then(|| String::from_utf8_lossy(&result.stdout).into_owned()))
    }

    /// The value of a line that the program prints, one that is likely to need some of it.
    pub(super) fn printed(&self, text: &str) -> anyhow::Result<Option<String>> {
        let output = self.output(&Program::new("p.rs", text), PATIENCE, &Cancel::default())?.unwrap_or_default();
        let values = output.lines().filter_map(|line| line.split_once(' ')).map(|(_, value)| value);
        Ok(values.filter(|value| VALUES.contains(&value.len())).max_by_key(|value| value.len()).map(str::to_owned))
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

/// A planted failure, which counts what it is asked.
pub(super) struct Planted {
    compiler: Compiler,
    property: Property,
    checks: AtomicUsize,
    valid: AtomicUsize,
}

impl Planted {
    pub(super) fn new(compiler: &Compiler, property: Property) -> Self {
        let (checks, valid) = Default::default();
        Self { compiler: compiler.clone(), property, checks, valid }
    }

    pub(super) fn oracle(self: &Arc<Self>) -> Arc<dyn Oracle> {
        Arc::new(Asks(Arc::clone(self)))
    }

    pub(super) fn executor(self: &Arc<Self>) -> Arc<dyn Executor> {
        Arc::new(Asks(Arc::clone(self)))
    }

    /// The checks so far, and those of programs that compile.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.checks.load(Ordering::Relaxed), self.valid.load(Ordering::Relaxed))
    }
}

/// The failure as an oracle and as what runs its checks: the exit code is 0 where it is there, 1 where it is not, 2 where the
/// program does not compile.
struct Asks(Arc<Planted>);

impl Executor for Asks {
    fn run(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, ExecError> {
        let Planted { compiler, property, checks, valid } = &*self.0;
        if !job.argv.is_empty() {
            return compiler.plain.run(job, timeout, cancel);
        }
        let begun = std::time::Instant::now();
        let text = std::str::from_utf8(&job.files[0].1.bytes).expect("programs are text");
        let program = Program::new(job.files[0].0.clone(), text);
        checks.fetch_add(1, Ordering::Relaxed);
        let code = if compiler.compiles(&program, timeout, cancel)? {
            valid.fetch_add(1, Ordering::Relaxed);
            let fails = match property {
                Property::Has(_, has) => properties::has(&program.text, has),
                Property::Prints(value) => {
                    let output = compiler.output(&program, timeout, cancel)?.unwrap_or_default();
                    let mut values = output.lines().filter_map(|line| line.split_once(' '));
                    values.any(|(_, printed)| printed == value)
                }
            };
            i32::from(!fails)
        } else {
            2
        };
        Ok(JobResult { wall: begun.elapsed(), ..JobResult::ended(End::Exited(code)) })
    }
}

impl Oracle for Asks {
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
        self.0.property.to_string().into()
    }

    fn command(&self, _: &Program, path: &Path) -> String {
        format!("{} {}", Command::new(&self.0.compiler.rustc).get_program().display(), path.display())
    }

    fn advice(&self) -> &dyn Advice {
        self
    }
}

impl Advice for Asks {
    fn properties(&self) -> Properties {
        Properties { runs_candidates: matches!(self.0.property, Property::Prints(_)), ..Properties::default() }
    }

    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        let rustc = self.0.compiler.way(&program.text, "--emit=metadata");
        (which == CompilerJob::Hints).then(|| which.by(&rustc, program))
    }
}
