//! How rustc is run.

mod crates;
mod options;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crates::{HERE, found};

use super::failure::Failure;
use super::headers::Headers;
use super::rustc_args;
use crate::exec::job::{Job, Word};
use crate::program::Program;

/// Variables that change what rustc prints.
const UNSET: [&str; 4] = ["RUSTC_LOG", "RUSTC_LOG_COLOR", "RUST_LIB_BACKTRACE", "RUST_LOG"];

/// How far a check may go, cheapest first. The first one ends behind name resolution.
const EMIT: [&str; 3] = ["--emit=dep-info", "--emit=metadata", "--emit=obj"];

/// The editions, newest first.
pub const EDITIONS: [&str; 4] = ["2024", "2021", "2018", "2015"];

/// A way of running rustc.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rustc {
    /// The compiler itself, not rustup's proxy, which takes longer to start than a small program to compile.
    pub program: PathBuf,
    /// Its arguments, without those of ours.
    pub args: Vec<OsString>,
    /// Variables to set, or to unset.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// How a person calls the compiler, such as `rustc +nightly`.
    pub called: Vec<OsString>,
    /// Variables that mcve was started with and that the failure does not need.
    pub cleared: Vec<OsString>,
    /// Those that it needs, so that a shell has to set them.
    pub inherited: Vec<(OsString, OsString)>,
    /// The most memory in bytes that a process may have, if the failure needs that limit.
    pub memory: Option<u64>,
}

impl Rustc {
    /// Runs `program` as the headers of the file ask for, and with the arguments of a user who stands in `folder`.
    ///
    /// Arguments that would write outside of a check's folder are left out.
    #[must_use]
    pub fn new(program: PathBuf, headers: &Headers, args: &[OsString], folder: &Path) -> Self {
        let mut all = rustc_args::adapt(&headers.args, folder);
        if rustc_args::has(args, "--edition") {
            // It may be given only once, and who gives it again means it.
            all.retain(|arg| !arg.to_string_lossy().starts_with("--edition="));
        }
        all.extend(rustc_args::adapt(args, folder));
        let called = vec![program.clone().into_os_string()];
        let args = all;
        let (cleared, inherited) = (Vec::new(), Vec::new());
        Self { program, args, env: headers.env.clone(), called, cleared, inherited, memory: None }
    }

    /// The same, called by a person in these words.
    #[must_use]
    pub fn called(self, called: Vec<OsString>) -> Self {
        Self { called, ..self }
    }

    /// The same of an edition.
    #[must_use]
    pub fn with_edition(&self, edition: &str) -> Self {
        let mut way = self.clone();
        way.args.insert(0, format!("--edition={edition}").into());
        way
    }

    /// The edition, if it is among the arguments.
    #[must_use]
    pub fn edition(&self) -> Option<&str> {
        rustc_args::value(&self.args, "--edition")
    }

    /// The same without a variable that mcve was started with.
    #[must_use]
    pub fn without(&self, variable: &str) -> Self {
        let mut way = self.clone();
        way.cleared.push(variable.into());
        way
    }

    /// The same with a variable that mcve was started with to be seen in the command.
    #[must_use]
    pub fn with_variable(&self, variable: &str, value: OsString) -> Self {
        let mut way = self.clone();
        let is_set = way.env.iter().any(|(name, _)| name == variable);
        if !is_set && !way.inherited.iter().any(|(name, _)| name == variable) {
            way.inherited.push((variable.into(), value));
        }
        way
    }

    /// The same for a file whose name is no crate's, with a name for the crate: rustc would look no further. An attribute of
    /// the program or an argument may name it already.
    #[must_use]
    pub fn naming(self, program: &Program) -> Self {
        let stem = Path::new(&program.name).file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into());
        let name: String = stem.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let is_named = program.root().contains("crate_name") || rustc_args::has(&self.args, "--crate-name");
        let is_valid = name == stem.replace('-', "_") && !stem.starts_with('-');
        if is_named || is_valid { self } else { self.with_arg(&format!("--crate-name={name}")) }
    }

    /// The way to run instead, where the program that showed `failure` lacks a main function: as a library. Nobody looks
    /// into a missing main function, so what shows then is what was meant, even if it is nothing.
    #[must_use]
    pub fn as_library(&self, failure: &Failure) -> Option<Self> {
        let missing = failure.codes.contains("E0601");
        self.of_type("lib").filter(|_| missing)
    }

    /// The same as a crate of another type; none if the arguments say which.
    #[must_use]
    pub fn of_type(&self, name: &str) -> Option<Self> {
        let is_given = rustc_args::has(&self.args, "--crate-type") || rustc_args::has(&self.args, "--test");
        (!is_given).then(|| self.with_arg(&format!("--crate-type={name}")))
    }

    /// The same with the harness of its tests.
    #[must_use]
    pub fn as_tests(&self) -> Self {
        let mut way = self.clone();
        way.args.retain(|arg| !arg.to_string_lossy().starts_with("--crate-type="));
        if rustc_args::has(&way.args, "--test") { way } else { way.with_arg("--test") }
    }

    /// The same as a library whose intermediate code is printed, which looks into functions that nobody calls; none if the
    /// arguments say what is emitted.
    #[must_use]
    pub fn with_mir(&self) -> Option<Self> {
        (!rustc_args::has(&self.args, "--emit")).then(|| self.with_arg("--emit=mir"))
    }

    /// The ways of running that may show `failure`, cheapest first and this one last. Which of them do is for a run to say.
    ///
    /// Where the program has errors, a check must go as far as to find new ones; it need not go behind a crash.
    #[must_use]
    pub fn ways(&self, failure: &Failure) -> Vec<Self> {
        let mut ways = Vec::new();
        if !rustc_args::has(&self.args, "--emit") {
            let first = usize::from(failure.is_in_program());
            ways.extend(EMIT[first..].iter().map(|emit| self.with_arg(emit)));
        }
        ways.push(self.clone());
        ways
    }

    /// The ways of running that find errors and lints, cheapest first and this one last.
    #[must_use]
    pub fn checking(&self) -> Vec<Self> {
        let has_emit = rustc_args::has(&self.args, "--emit");
        let cheap = EMIT[1..].iter().filter(|_| !has_emit).map(|emit| self.with_arg(emit));
        cheap.chain([self.clone()]).collect()
    }

    /// The same that makes a program which can be run, where it only looked for errors and lints.
    #[must_use]
    pub fn running(&self) -> Self {
        let mut way = self.clone();
        way.args.retain(|arg| !EMIT.iter().any(|emit| arg == emit));
        way
    }

    /// The same without the arguments and variables that belong to a program, and these: each can go as a part of it. The newest
    /// edition is none of them, as there is no better one.
    #[must_use]
    pub fn split(&self) -> (Self, Vec<String>, Vec<String>) {
        let (mut own, mut others) = rustc_args::split(&self.args);
        if self.edition() == Some(EDITIONS[0]) {
            let chosen = own.extract_if(.., |arg| arg.starts_with("--edition=")).collect::<Vec<_>>();
            others.splice(0..0, chosen.into_iter().map(OsString::from));
        }
        let is_text = |(name, value): &(OsString, Option<OsString>)| {
            Some(format!("{}={}", name.to_str()?, value.as_ref()?.to_str()?))
        };
        let variables = self.env.iter().filter_map(is_text).collect();
        let env = self.env.iter().filter(|variable| is_text(variable).is_none()).cloned().collect();
        (Self { args: others, env, ..self.clone() }, own, variables)
    }

    /// The same with the arguments and variables that belong to `program`.
    #[must_use]
    pub fn of(&self, program: &Program) -> Self {
        let mut way = self.clone();
        if program.layout.is_some() {
            let edition = program.edition().filter(|_| self.edition().is_none());
            let edition = edition.map(|edition| format!("--edition={edition}"));
            // rustc takes it once.
            let is_harness = |argument: &String| argument == "--test" && rustc_args::has(&self.args, "--test");
            let arguments = program.arguments().into_iter().filter(|argument| !is_harness(argument));
            way.args.splice(0..0, edition.into_iter().chain(arguments).map(OsString::from));
            way.env.extend(program.environment().into_iter().map(|(name, value)| (name.into(), Some(value.into()))));
        }
        way
    }

    /// What is to be run to check `program`.
    #[must_use]
    pub fn job(&self, program: &Program) -> Job {
        self.job_by(program, |way| way)
    }

    /// The same where this changes how rustc is run.
    pub(super) fn job_by(&self, program: &Program, change: impl FnOnce(Self) -> Self) -> Job {
        let way = change(self.of(program));
        let steps = self.steps(program);
        let mut argv = vec![Word::Text(way.program.clone().into())];
        argv.extend(way.args.into_iter().map(|argument| Word::Text(found(argument, &steps))));
        argv.extend((!steps.is_empty()).then(|| Word::Text(HERE.into())));
        argv.push(Word::Text("--error-format=json".into()));
        argv.push(Word::Text(operand(&program.name).into()));
        let mut env = way.env;
        env.extend(UNSET.map(|name| (name.into(), None)));
        env.extend(self.cleared.iter().map(|name| (name.clone(), None)));
        // Without these two an internal compiler error takes three times as long, for a report that nobody reads. What a
        // killed compiler leaves behind shall be in the check's folder.
        let ours = [("RUSTC_ICE", "0"), ("RUST_BACKTRACE", "0"), ("TMPDIR", ".")];
        env.extend(ours.map(|(name, value)| (name.into(), Some(value.into()))));
        Job { files: program.files(), argv, env, steps, ..Job::default() }
    }

    /// The same that emits this kind of output, where the arguments do not say which or ask for one of code.
    #[must_use]
    pub fn with_emit(&self, kind: &str) -> Self {
        let mut way = self.clone();
        way.args.retain(|arg| {
            !["--emit=obj", "--emit=link", "--emit=metadata", "--emit=dep-info"].iter().any(|emit| arg == emit)
        });
        if rustc_args::has(&way.args, "--emit") { way } else { way.with_arg(&format!("--emit={kind}")) }
    }

    /// The same with these arguments before all others, so that what the others say of the same holds.
    #[must_use]
    pub fn with_first(&self, args: &[&str]) -> Self {
        let mut way = self.clone();
        way.args.splice(0..0, args.iter().map(OsString::from));
        way
    }

    fn with_arg(&self, arg: &str) -> Self {
        let mut way = self.clone();
        way.args.push(arg.into());
        way
    }
}

/// A path that is no option, whatever it begins with.
fn operand(path: &Path) -> PathBuf {
    if path.as_os_str().as_encoded_bytes().starts_with(b"-") { Path::new(".").join(path) } else { path.to_owned() }
}
