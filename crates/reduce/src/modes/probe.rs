//! Tests a program: compiles it, runs it, or runs scripts on it, to see whether it fails.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::exec::job::{End, ExecError, Executor, Job, JobResult};
use crate::exec::process::Cancel;
use crate::failure::compiler::{Recognised, Recogniser, Unrecognised};
use crate::oracle::compare::{Compare, Comparison, CompilerConfig};
use crate::oracle::diagnostics::{Diagnostic, Stderr};
use crate::oracle::failure::Failure;
use crate::oracle::headers::Headers;
use crate::oracle::rustc::Rustc;
use crate::oracle::script::ScriptOracle;
use crate::oracle::{FailureId, Oracle, last_words};
use crate::program::Program;
use mcve_dd::outcome::Outcome;

/// The default time limit of compiling and running a program.
const PATIENCE: Duration = Duration::from_secs(60);

/// Options that make the compiler crash on purpose. A program that asks for one is not tested.
const CRASHES: [&str; 2] = ["treat-err-as-bug", "eagerly-emit-delayed-bugs"];

/// How programs are tested.
pub enum Probe {
    /// They are compiled in each of these ways.
    Compile(Ways),
    /// They are compiled and run in each way, and the behaviour is compared.
    Run(Ways),
    /// Each of these scripts is run.
    Test(Vec<ScriptOracle>),
    /// A kind of failure is looked for.
    Kind(Box<Seek>),
}

/// Returns the failure of some kind that a program shows, if it shows one.
pub type Seek = dyn Fn(&Program) -> Result<Option<Arc<dyn Oracle>>, ExecError> + Send + Sync;

/// Ways of running rustc.
pub struct Ways {
    /// The compiler.
    pub rustc: PathBuf,
    /// How a person calls it.
    pub called: Vec<OsString>,
    /// The arguments of each way.
    pub args: Vec<Vec<OsString>>,
    /// The folder that arguments are relative to.
    pub folder: PathBuf,
    /// Whether errors in the program are not failures: the generator makes some invalid programs.
    pub crashes_only: bool,
}

impl Ways {
    /// The ways for a program, whose headers may add arguments; none if they ask the compiler to crash.
    fn of(&self, program: &Program) -> Vec<Rustc> {
        let headers = Headers::parse(&program.root());
        let asks_to_crash = |arg: &OsString| CRASHES.iter().any(|option| arg.to_string_lossy().contains(option));
        if headers.args.iter().any(asks_to_crash) {
            return Vec::new();
        }
        let way = |args: &Vec<OsString>| {
            let way = Rustc::new(self.rustc.clone(), &headers, args, &self.folder);
            Rustc { called: self.called.clone(), ..way.naming(program) }
        };
        self.args.iter().map(way).collect()
    }
}

pub(super) enum Key {
    Compiler(Failure),
    /// The way that differs from the first one.
    Difference(usize),
    /// The script that reports it.
    Script(usize),
    /// A form that is comparable across runs, or else a description.
    Kind(String),
}

impl Key {
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Compiler(failure), Self::Compiler(other)) => failure.is_same(other),
            (Self::Difference(way), Self::Difference(other)) | (Self::Script(way), Self::Script(other)) => way == other,
            (Self::Kind(failure), Self::Kind(other)) => failure == other,
            _ => false,
        }
    }
}

/// The result of testing a program.
#[derive(Default)]
pub(super) struct Probed {
    /// The failures that it shows, each with its oracle.
    pub(super) failures: Vec<(Key, Arc<dyn Oracle>)>,
    /// A problem that is not a failure.
    pub(super) trouble: Option<String>,
    /// What the compiler said, where it was run by itself, or a script: the diagnostics, without what depends on the program.
    pub(super) diagnostics: BTreeSet<String>,
}

/// A program under test, and the results so far.
pub(super) struct InstrumentedProgram<'a> {
    pub(super) program: &'a Program,
    pub(super) executor: &'a dyn Executor,
    /// The time limit of one job, if there is one.
    pub(super) timeout: Option<Duration>,
    pub(super) cancel: &'a Cancel,
    pub(super) found: Probed,
}

impl InstrumentedProgram<'_> {
    pub(super) fn run(mut self, probe: &Probe) -> Result<Probed, ExecError> {
        match probe {
            Probe::Compile(ways) => self.compile(ways)?,
            Probe::Run(ways) => self.compare(ways)?,
            Probe::Test(scripts) => {
                for (number, script) in scripts.iter().enumerate() {
                    let result = self.ask(&script.job(self.program), false)?;
                    self.found.diagnostics.insert(last_words(&result));
                    if script.verdict(&result).outcome == Outcome::Fail {
                        self.found.failures.push((Key::Script(number), Arc::new(script.clone())));
                    }
                }
            }
            Probe::Kind(seek) => {
                if let Some(oracle) = seek(self.program)? {
                    let FailureId { words, fingerprint } = oracle.failure();
                    let name = fingerprint.unwrap_or(words);
                    self.found.failures.push((Key::Kind(name), oracle));
                }
            }
        }
        Ok(self.found)
    }

    /// Compiles and runs the program in all ways.
    fn compare(&mut self, ways: &Ways) -> Result<(), ExecError> {
        let compare = Compare::new(ways.of(self.program).into_iter().map(CompilerConfig::Rustc).collect());
        match compare.read(&self.ask(&compare.job(self.program), false)?) {
            Comparison::Different(way) => {
                self.found.failures.push((Key::Difference(way), Arc::new(compare.with(way))));
            }
            Comparison::NotCompiled => self.compile(ways)?,
            Comparison::Same | Comparison::Unstable | Comparison::Unknown(_) => {}
        }
        Ok(())
    }

    /// Compiles the program in all ways. A result of a shortcut is confirmed by a run without it.
    fn compile(&mut self, ways: &Ways) -> Result<(), ExecError> {
        let counts = |failure: &Failure| !(ways.crashes_only && failure.is_in_program());
        for rustc in &ways.of(self.program) {
            let job = rustc.job(self.program);
            let fails = |result: &JobResult| Failure::recognise(result).is_some_and(|failure| counts(&failure));
            let result = self.ask(&job, true)?;
            let said = Stderr::read(&result.stderr).diagnostics;
            self.found.diagnostics.extend(said.iter().map(Diagnostic::shape));
            if !fails(&result) || !fails(&self.ask(&job, false)?) {
                continue;
            }
            let Self { program, executor, timeout, cancel, .. } = *self;
            let recogniser =
                Recogniser { executor, program, timeout, allow_errors: false, looks_elsewhere: true, cancel };
            let recognised = match recogniser.recognise(std::slice::from_ref(rustc), &[]) {
                Ok(recognised) => recognised,
                // The results so far are no longer needed.
                Err(Unrecognised::Cancelled) => return Ok(()),
                Err(Unrecognised::Exec(error)) => return Err(error),
            };
            let Recognised::Fails(found) = recognised else { continue };
            let key = Key::Compiler(found.oracle.failure.clone());
            if counts(&found.oracle.failure) && !self.found.failures.iter().any(|(known, _)| known.is_same(&key)) {
                self.found.failures.push((key, Arc::new(found.oracle)));
            }
        }
        Ok(())
    }

    fn ask(&mut self, job: &Job, quickly: bool) -> Result<JobResult, ExecError> {
        let timeout = self.timeout.unwrap_or(PATIENCE);
        let run = if quickly { Executor::run_quickly } else { Executor::run };
        let result = run(self.executor, job, timeout, self.cancel)?;
        if result.end == End::TimedOut {
            self.found.trouble = Some(format!("it took longer than {} s", timeout.as_secs()));
        }
        Ok(result)
    }
}
