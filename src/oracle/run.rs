//! The oracle of a program that is run: its `main`, or one of its tests.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::compiler_job::CompilerJob;
use super::diagnostics::Stderr;
use super::failure::Failure;
use super::fingerprint::{FailureId, OtherFailure};
use super::judge::{Advice, Oracle, Properties};
use super::run_failure::{RunFailure, RunKind};
use super::rustc::Rustc;
use super::ui_test::Form;
use super::verdict::Verdict;
use super::{entry, hints, runs, shell};
use crate::dd::outcome::Outcome;
use crate::exec::job::{End, Job, JobResult, Likely, Step, Word};
use crate::program::{File, FileKind, Program};

/// The program as the compiler leaves it.
pub(super) const EXECUTABLE: &str = ".mcve-run";

/// What is put on its standard input.
pub(super) const STDIN_FILE: &str = ".mcve-stdin";

/// How the program is linked where nothing forbids it: the standard library is not copied, which saves a fifth of a check.
const DYNAMIC: [&str; 2] = ["-Cprefer-dynamic", "-Crpath"];

/// With these a backtrace names the lines of the program.
const TRACED: &str = "-Cdebuginfo=line-tables-only";

/// What `--test` says besides that there is a harness. To say the first by hand is denied by a lint of newer compilers.
const AS_TESTED: [&str; 4] = ["--cfg", "test", "-Aexplicit-builtin-cfgs-in-flags", "--crate-type=bin"];

/// With these words among the arguments a test is more than a call in `main`.
const UNFIT: [&str; 2] = ["panic", "--crate-type"];

/// The least seconds of a processor that a run may take: the system counts whole ones.
pub const SECONDS: u64 = 1;

/// The least processor time that a run may take where the system can limit it more exactly: many times what it takes to begin.
const LEAST: Duration = Duration::from_millis(200);

/// The same where a run that passes is looked for.
const SECONDS_TO_PASS: u64 = 5;

/// A run may take so many times as long as the one that failed.
pub const TIMES: u32 = 4;

/// What is run of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// `main`, with these arguments.
    Main(Vec<OsString>),
    /// The test of this name, with or without the modules that it is in.
    Test(String),
}

/// What is put on the standard input of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stdin {
    /// All of it.
    pub bytes: Arc<[u8]>,
    /// The file that it was read from.
    pub path: PathBuf,
}

/// A way of compiling a program and running it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runner {
    /// How it is compiled.
    pub rustc: Rustc,
    /// What is run.
    pub target: Target,
    /// Whether a test in another module has the name of the one that is run, so that its module has to stay.
    pub is_exact: bool,
    /// Words by which the harness leaves out the other tests that have the name of the one that is run in theirs.
    pub skipped: Vec<String>,
    /// What is put on its standard input, which is else empty.
    pub stdin: Option<Stdin>,
    /// Whether a backtrace is needed to know where it fails.
    pub is_traced: bool,
    /// Whether it is linked to the shared standard library.
    pub is_dynamic: bool,
    /// How many seconds of a processor the program may take.
    pub seconds: u64,
    /// The same, more exactly, where the system can limit that.
    pub processor: Option<Duration>,
}

/// Does the program still fail when it is run?
#[derive(Clone, Debug)]
pub struct RunOracle {
    /// How it is run.
    pub runner: Runner,
    /// What candidates are held to.
    pub failure: RunFailure,
}

impl Target {
    /// The name of the test, without the modules that it is in.
    fn test(&self) -> Option<&str> {
        match self {
            Self::Main(_) => None,
            Self::Test(name) => Some(name.rsplit("::").next().unwrap_or(name)),
        }
    }
}

/// The tests that were begun, by their names.
fn started_tests(stdout: &str) -> impl DoubleEndedIterator<Item = &str> {
    let lines = stdout.lines().filter_map(|line| line.strip_prefix("test "));
    lines.filter_map(|line| line.split_once(" ... ")).map(|(name, _)| name.split(' ').next().unwrap_or(name))
}

/// The names of the tests that failed, as the last list of the test harness has them.
#[must_use]
pub fn failed_tests(stdout: &[u8]) -> Vec<String> {
    let stdout = String::from_utf8_lossy(stdout);
    let Some((_, list)) = stdout.rsplit_once("\nfailures:\n") else { return Vec::new() };
    list.lines().map_while(|line| line.strip_prefix("    ")).map(str::to_owned).collect()
}

/// The name of the test that was begun last.
#[must_use]
pub fn started_test(stdout: &[u8]) -> Option<String> {
    started_tests(&String::from_utf8_lossy(stdout)).next_back().map(str::to_owned)
}

impl Runner {
    /// The arguments of the program.
    fn args(&self) -> Vec<OsString> {
        let words = match &self.target {
            Target::Main(args) => return args.clone(),
            Target::Test(name) if self.is_exact => vec![&**name, "--exact"],
            Target::Test(name) => vec![last(name)],
        };
        let skipped = self.skipped.iter().flat_map(|word| ["--skip", word]);
        words.into_iter().chain(skipped).chain(["--test-threads=1", "--nocapture"]).map(OsString::from).collect()
    }

    /// Whether the test that is run has this name. Else than with `is_exact` its modules do not matter: they may go.
    fn is_meant(&self, test: &str) -> bool {
        matches!(&self.target, Target::Test(name) if if self.is_exact { name == test } else { last(name) == last(test) })
    }

    /// The same for the test alone, if a run of it began others as well.
    #[must_use]
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

    /// What is to be run to check `program`: it is compiled, and run if that goes well.
    #[must_use]
    pub fn job(&self, program: &Program) -> Job {
        let compile = self.rustc.job(program);
        let mut argv = compile.argv;
        let own = DYNAMIC.into_iter().filter(|_| self.is_dynamic).chain(Some(TRACED).filter(|_| self.is_traced));
        // Before the name of the file, so that what the user says of the same holds.
        let own = own.chain(["--emit=link", "-o", EXECUTABLE]).map(|word| Word::Text(word.into()));
        argv.splice(1..1, own);
        let mut files = compile.files;
        let reads: Vec<PathBuf> = files
            .iter()
            .map(|(path, _)| path.clone())
            .chain(compile.steps.iter().map(|step| step.output.clone()))
            .collect();
        let mut steps = compile.steps;
        steps.push(Step { argv, reads, output: EXECUTABLE.into() });
        let redirect = if let Some(Stdin { bytes, .. }) = &self.stdin {
            files.push((STDIN_FILE.into(), File::plain(Arc::clone(bytes))));
            format!(" < {STDIN_FILE}")
        } else {
            String::new()
        };
        let line = format!("ulimit -c 0; ulimit -S -t {}; exec \"$0\" \"$@\"{redirect}", self.seconds);
        let mut argv = ["sh", "-c", &line].map(|word| Word::Text(word.into())).to_vec();
        argv.push(Word::path(EXECUTABLE));
        argv.extend(self.args().into_iter().map(Word::Text));
        let mut env = compile.env;
        env.push(("RUST_BACKTRACE".into(), Some(if self.is_traced { "1" } else { "0" }.into())));
        let subject = Some(Arc::new(subject(program)));
        let job = Job { files, argv, env, steps, subject, processor: self.processor, ..Job::default() };
        Job { likely: self.without_harness(program, &job).map(Box::new), ..job }
    }

    /// The same, where a run may take so much longer than the one that `result` came of.
    #[must_use]
    pub fn limited_by(self, result: &JobResult) -> Self {
        // To compile it took a part of that.
        let seconds = (result.wall * TIMES).as_secs().max(SECONDS);
        Self { seconds, processor: result.usage.map(|usage| (usage.processor * TIMES).max(LEAST)), ..self }
    }

    /// The quicker variant of the job: a `main` calls the test, where that gives the same result.
    fn without_harness(&self, program: &Program, job: &Job) -> Option<Likely> {
        let name = self.target.test().filter(|name| !name.is_empty() && !self.is_exact)?;
        let (mut files, mut steps) = (job.files.clone(), job.steps.clone());
        let argv = &mut steps.last_mut()?.argv;
        // What is linked to unwind and what is not differ in more than the harness.
        let is_unfit = |text: &OsString| UNFIT.iter().any(|unfit| text.to_string_lossy().contains(unfit));
        let harness = argv.iter().position(|word| *word == Word::Text("--test".into()))?;
        if argv.iter().any(|word| matches!(word, Word::Text(text) if is_unfit(text))) {
            return None;
        }
        argv.splice(harness..=harness, AS_TESTED.map(|word| Word::Text(word.into())));
        let is_rust = |path: &Path| path == program.name || path.extension().is_some_and(|name| name == "rs");
        let texts = files.iter().filter(|(path, file)| is_rust(path) && file.kind == FileKind::Plain);
        let texts = texts.filter_map(|(path, file)| Some((&**path, std::str::from_utf8(&file.bytes).ok()?)));
        for (path, text) in entry::call_directly(name, &program.name, texts, self.rustc.of(program).edition())? {
            let (_, file) = files.iter_mut().find(|(name, _)| *name == path)?;
            file.bytes = text.into_bytes().into();
        }
        Some(Likely { files, steps, processor: job.processor })
    }

    /// Whether the run says that all is well: a test has to have run for that.
    #[must_use]
    pub fn passes(&self, result: &JobResult) -> bool {
        let is_run = || match self.target.test() {
            None => true,
            Some(_) => started_tests(&String::from_utf8_lossy(&result.stdout)).any(|test| self.is_meant(test)),
        };
        result.end == End::Exited(0) && result.failed_step.is_none() && is_run()
    }

    /// What a run without a failure says, in words.
    #[must_use]
    pub fn describe_success(&self, result: &JobResult) -> String {
        match &self.target {
            Target::Main(_) => "`main` runs".to_owned(),
            Target::Test(name) if self.passes(result) => format!("the test `{name}` passes"),
            Target::Test(name) => format!("it runs no test `{name}`"),
        }
    }

    /// The failure that a run shows: of a test, if it is that test that fails.
    #[must_use]
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

    /// The command that does the same by hand to `program` at `path`.
    #[must_use]
    pub fn command(&self, program: &Program, path: &Path) -> String {
        let line = self.rustc.command(program, path);
        let mut args = self.args();
        let is_gone = |word: &OsString| !word.to_str().is_some_and(|word| program.text.contains(last(word)));
        while let Some(at) = (1..args.len()).find(|&at| args[at - 1] == "--skip" && is_gone(&args[at])) {
            args.drain(at - 1..=at);
        }
        let args = if args.is_empty() {
            String::new()
        } else {
            format!(" {}", shell::line(args.iter().map(OsString::as_os_str)))
        };
        let input = self.stdin.as_ref().map(|stdin| format!(" < {}", shell::quote(stdin.path.as_os_str())));
        let input = input.unwrap_or_default();
        // The crates that it needs have a folder already.
        let open = line.strip_suffix(')').map_or_else(|| format!("(d=$(mktemp -d) && {line}"), str::to_owned);
        let set = shell::assignments(&self.rustc.inherited);
        format!("{open} -o \"$d\"/run && {set}\"$d\"/run{args}{input})")
    }
}

/// The program to look at: a version of `mcve changes` has no text but in its files.
fn subject(program: &Program) -> Program {
    let root = program.files().into_iter().find(|(path, _)| program.text.is_empty() && *path == program.name);
    let text = root.and_then(|(_, file)| String::from_utf8(file.bytes.to_vec()).ok());
    text.map_or_else(|| program.clone(), |text| Program::new(&*program.name, text))
}

fn last(test: &str) -> &str {
    test.rsplit("::").next().unwrap_or(test)
}

impl Oracle for RunOracle {
    fn job(&self, program: &Program) -> Job {
        self.runner.job(program)
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        if result.failed_step.is_some() {
            let errors = Stderr::read(&result.stderr).diagnostics;
            let first = errors.iter().find(|diagnostic| diagnostic.is_user_error());
            let why = first.and_then(|error| error.code.as_ref()).map_or("", |code| &code.code);
            return Verdict::new(Outcome::Unresolved, format!("new error {why}").trim_end());
        }
        if self.runner.passes(result) {
            let is_kept = result.subject.as_ref().is_some_and(|program| self.failure.is_tested_by(program));
            return match is_kept {
                true => Verdict::new(Outcome::Pass, "nothing fails"),
                false => Verdict::new(Outcome::Unresolved, "what fails is gone"),
            };
        }
        let failure = result.subject.as_ref().and_then(|program| self.runner.failure(result, program));
        match failure {
            None => Verdict::new(Outcome::Unresolved, format!("no failure that is known: {}", result.end)),
            Some(other) => match self.failure.difference(&other) {
                None => Verdict::new(Outcome::Fail, "the same failure"),
                Some(why) => Verdict::new(Outcome::Unresolved, why),
            },
        }
    }

    fn failure(&self) -> FailureId {
        let words = match &self.runner.target {
            Target::Main(_) => self.failure.to_string(),
            Target::Test(name) => format!("the test `{name}` fails: {}", self.failure),
        };
        FailureId { words, fingerprint: Some((&self.failure).into()) }
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        self.runner.command(program, path)
    }

    fn advice(&self) -> &dyn Advice {
        self
    }
}

impl Advice for RunOracle {
    fn properties(&self) -> Properties {
        Properties { holds_values: self.failure.is_of_values(), ..Properties::default() }
    }

    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        matches!(which, CompilerJob::Hints | CompilerJob::Errors | CompilerJob::Layout)
            .then(|| which.by(&self.runner.rustc, program))
    }

    fn runs_by(&self, program: &Program, variable: &str, values: &[String], whole: bool) -> Option<Job> {
        // A program with a `main` may have tests besides.
        let tests =
            Runner { rustc: self.runner.rustc.as_tests(), target: Target::Test(String::new()), ..self.runner.clone() };
        let mut job = if whole { tests.job(program) } else { self.runner.job(program) };
        let input = if self.runner.stdin.is_some() { STDIN_FILE } else { "/dev/null" };
        // The time of all runs is not that of one.
        job.processor = None;
        job.likely = None;
        let line = runs::line(variable, values, self.runner.seconds, input);
        job.argv[2] = Word::Text(line.into());
        // A mutant that always overflows is as good as the others.
        job.steps.iter_mut().for_each(|step| step.argv.insert(1, Word::Text(hints::NO_LINTS.into())));
        // Nobody reads the backtraces, and each takes longer than most runs.
        job.env.retain(|(name, _)| name != "RUST_BACKTRACE");
        job.env.push(("RUST_BACKTRACE".into(), Some("0".into())));
        if whole {
            // The name of the test, which is none.
            job.argv.retain(|word| *word != Word::Text(OsString::new()));
        }
        Some(job)
    }

    fn may_pass(&self, program: &Program) -> bool {
        self.failure.is_tested_by(&subject(program))
    }

    fn as_ui_test(&self) -> Option<(&Rustc, Form)> {
        // The suite puts nothing on the standard input of a test.
        let is_plain = self.runner.stdin.is_none();
        let args = match &self.runner.target {
            Target::Main(args) => args.clone(),
            Target::Test(_) => Vec::new(),
        };
        let (crashes, message) = (matches!(self.failure.kind, RunKind::Signal(_)), self.failure.message.clone());
        is_plain.then_some((&self.runner.rustc, Form::Run { crashes, message, args }))
    }

    fn with_rustc(&self, rustc: Rustc) -> Option<Arc<dyn Oracle>> {
        let runner = Runner { rustc, ..self.runner.clone() };
        Some(Arc::new(Self { runner, ..self.clone() }))
    }

    fn with_time_to_pass(&self) -> Option<Arc<dyn Oracle>> {
        let seconds = self.runner.seconds.max(SECONDS_TO_PASS);
        let runner = Runner { seconds, processor: None, ..self.runner.clone() };
        Some(Arc::new(Self { runner, ..self.clone() }))
    }

    fn other_failure(&self, result: &JobResult) -> Option<OtherFailure> {
        if result.failed_step.is_some() {
            return OtherFailure::of_compiler(&Failure::recognise(result)?);
        }
        let failure = self.runner.failure(result, result.subject.as_ref()?)?;
        let is_other =
            failure.is_crash() && (failure.kind, &failure.message) != (self.failure.kind, &self.failure.message);
        is_other.then(|| OtherFailure::of_program(failure))
    }
}
