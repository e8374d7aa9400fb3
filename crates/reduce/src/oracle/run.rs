//! How a program, or one of its tests, is compiled and run.

mod job;

use std::ffi::OsString;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::compiler_job::CompilerJob;
use super::output::harness::{failed_tests, started_tests};
use super::rustc::Rustc;
use super::signature::run_failure::{RunFailure, RunKind};
use crate::exec::job::{End, Job, JobResult};
use crate::program::Program;

/// The file with the standard input of a program, in the folder of its check.
pub(crate) const STDIN_FILE: &str = ".mcve-stdin";

/// The least seconds of a processor that a run may take: the system counts whole ones.
pub const SECONDS: u64 = 1;

/// The least processor time that a run may take where the system can limit it more exactly: many times what it takes to begin.
const LEAST: Duration = Duration::from_millis(200);

/// The limit of a run, as a multiple of the time of the run that failed.
pub(crate) const TIMES: u32 = 4;

/// The part of a program that is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// `main`, with these arguments.
    Main(Vec<OsString>),
    /// The test of this name, with or without the modules that it is in.
    Test(String),
}

/// The standard input of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stdin {
    /// All of it.
    pub bytes: Arc<[u8]>,
    /// The file that it was read from.
    pub path: PathBuf,
}

/// Compiles a program and runs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runner {
    /// How it is compiled.
    pub rustc: Rustc,
    /// The target to run.
    pub target: Target,
    /// Whether a test in another module has the same name, so that the module of the test must stay.
    pub is_exact: bool,
    /// Words by which the harness skips the other tests whose names contain that of the test.
    pub skipped: Vec<String>,
    /// Its standard input; none if that is empty.
    pub stdin: Option<Stdin>,
    /// Whether a backtrace must show where it fails.
    pub is_traced: bool,
    /// Whether it is linked to the shared standard library.
    pub is_dynamic: bool,
    /// The seconds of a processor that the program may take.
    pub seconds: u64,
    /// The exact processor time that it may take, if the system can limit that.
    pub processor: Option<Duration>,
}

/// Does the program still fail when it is run?
#[derive(Clone, Debug)]
pub struct RunOracle {
    /// How it is run.
    pub runner: Runner,
    /// The failure that candidates must show.
    pub failure: RunFailure,
    /// The expression of the unreduced program that must fail, if candidates are held to it.
    pub expression: Option<Range<usize>>,
    /// Whether its functions are known by where they come from, and not by their names. The program is traced then.
    pub follows_names: bool,
}

impl Target {
    /// The name of the test, without the modules that it is in.
    pub(crate) fn test(&self) -> Option<&str> {
        match self {
            Self::Main(_) => None,
            Self::Test(name) => Some(name.rsplit("::").next().unwrap_or(name)),
        }
    }
}

impl Runner {
    /// A runner of `target`, linked to the shared standard library, for so many seconds of a processor.
    pub(crate) fn new(rustc: Rustc, target: Target, stdin: Option<Stdin>, seconds: u64) -> Self {
        let (is_traced, is_exact, skipped, processor) = Default::default();
        Self { rustc, target, stdin, is_exact, skipped, is_traced, is_dynamic: true, seconds, processor }
    }

    pub(crate) fn args(&self) -> Vec<OsString> {
        let words = match &self.target {
            Target::Main(args) => return args.clone(),
            Target::Test(name) if self.is_exact => vec![&**name, "--exact"],
            Target::Test(name) => vec![last(name)],
        };
        let skipped = self.skipped.iter().flat_map(|word| ["--skip", word]);
        words.into_iter().chain(skipped).chain(["--test-threads=1", "--nocapture"]).map(OsString::from).collect()
    }

    /// Whether the test has this name. Without `is_exact`, its modules do not count, as they may be removed.
    fn is_meant(&self, test: &str) -> bool {
        matches!(&self.target, Target::Test(name) if if self.is_exact { name == test } else { last(name) == last(test) })
    }

    /// A copy that runs the test alone, if `result` began others as well.
    pub fn alone(&self, result: &JobResult) -> Option<Self> {
        let Target::Test(name) = &self.target else { return None };
        let stdout = String::from_utf8_lossy(&result.stdout);
        let (meant, others): (Vec<&str>, Vec<&str>) = started_tests(&stdout).partition(|test| self.is_meant(test));
        let (&first, has_namesakes) = (meant.first()?, meant.len() > 1);
        if has_namesakes {
            // Where no test has exactly that name, any of them may be meant.
            return meant.contains(&&**name).then(|| Self { is_exact: true, ..self.clone() });
        }
        // The modules of the others may go.
        let word = |test: &str| [last(test), test].into_iter().find(|word| !first.contains(word)).map(str::to_owned);
        let skipped: Option<Vec<String>> = others.into_iter().map(word).collect();
        match skipped {
            Some(skipped) if skipped.is_empty() => None,
            Some(skipped) => Some(Self { skipped, ..self.clone() }),
            None => Some(Self { is_exact: true, target: Target::Test(first.to_owned()), ..self.clone() }),
        }
    }

    /// A copy with limits of time that follow from `result`, the run that fails.
    pub(crate) fn limited_by(self, result: &JobResult) -> Self {
        // To compile it took a part of that.
        let seconds = (result.wall * TIMES).as_secs().max(SECONDS);
        Self { seconds, processor: result.usage.map(|usage| (usage.processor * TIMES).max(LEAST)), ..self }
    }

    /// A job of the compiler that decides nothing. Its errors are of use, as a program with errors cannot run.
    pub(crate) fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        (which != CompilerJob::Output).then(|| which.by(&self.rustc, program))
    }

    /// Whether the run passes. A test must have run for that.
    pub fn passes(&self, result: &JobResult) -> bool {
        let has_run = || started_tests(&String::from_utf8_lossy(&result.stdout)).any(|test| self.is_meant(test));
        let is_accepted = result.end == End::Exited(0) && result.failed_step.is_none();
        is_accepted && (self.target.test().is_none() || has_run())
    }

    pub(crate) fn describe_success(&self, result: &JobResult) -> String {
        match &self.target {
            Target::Main(_) => "`main` runs".to_owned(),
            Target::Test(name) if self.passes(result) => format!("the test `{name}` passes"),
            Target::Test(name) => format!("it runs no test `{name}`"),
        }
    }

    /// The failure of a run; of a test, only if that test fails.
    pub fn failure(&self, result: &JobResult, program: &Program) -> Option<RunFailure> {
        let failure = RunFailure::read(result, program)?;
        match self.target.test() {
            // Where the whole process dies there is no list.
            Some(name) if matches!(result.end, End::Exited(_)) => {
                let is_meant = failed_tests(&result.stdout).iter().any(|test| self.is_meant(test));
                let has_panic = failure.kind == RunKind::Panic;
                is_meant.then(|| if has_panic { failure } else { failure.of_test(name, program) })
            }
            _ => Some(failure),
        }
    }
}

/// The program whose text is searched. A version of `mcve changes` has text only in its files.
pub(crate) fn subject(program: &Program) -> Program {
    let root = program.files().into_iter().find(|(path, _)| program.text.is_empty() && *path == program.name);
    let text = root.and_then(|(_, file)| String::from_utf8(file.bytes.to_vec()).ok());
    text.map_or_else(|| program.clone(), |text| Program::new(&*program.name, text))
}

pub(crate) fn last(test: &str) -> &str {
    test.rsplit("::").next().unwrap_or(test)
}
