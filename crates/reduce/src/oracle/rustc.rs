//! How rustc is run.

mod command;
mod job;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::headers::Headers;
use super::rustc_args;
use crate::oracle::signature::failure::Failure;
use crate::program::Program;

/// How far a check may go, cheapest first. The first one ends behind name resolution.
const EMIT: [&str; 3] = ["--emit=dep-info", "--emit=metadata", "--emit=obj"];

/// The argument by which the compiler prints JSON.
pub(crate) const JSON: &str = "--error-format=json";

/// The editions, newest first.
pub const EDITIONS: [&str; 4] = ["2024", "2021", "2018", "2015"];

/// The edition of a program that names none where it is guessed: most are of this one, or of an earlier one with the same lints.
const LIKELY_EDITION: &str = "--edition=2021";

/// A configuration of rustc: the compiler, its arguments and variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rustc {
    /// The compiler itself, not rustup's proxy, which takes longer to start than a small program to compile.
    pub program: PathBuf,
    /// The arguments of the user and of the program.
    pub args: Vec<OsString>,
    /// Variables to set, or to unset.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// The words by which a person calls the compiler, such as `rustc +nightly`.
    pub called: Vec<OsString>,
    /// Variables of mcve itself that the failure does not need.
    pub cleared: Vec<OsString>,
    /// Variables of mcve itself that the failure needs, so that a shell must set them.
    pub inherited: Vec<(OsString, OsString)>,
    /// The most memory in bytes that a process may have, if the failure needs that limit.
    pub memory: Option<u64>,
    /// Paths that arguments end with, and those in their place: another compiler made these libraries.
    pub libraries: Arc<[(String, String)]>,
}

impl Rustc {
    /// Runs `program` with the headers of a file and the arguments of a user in `folder`.
    ///
    /// Arguments that would write outside of a check's folder are left out.
    pub fn new(program: PathBuf, headers: &Headers, args: &[OsString], folder: &Path) -> Self {
        let mut all = rustc_args::adapt(&headers.args, folder);
        if rustc_args::has(args, "--edition") {
            // It may be given only once, and who gives it again means it.
            all.retain(|arg| !arg.to_string_lossy().starts_with("--edition="));
        }
        // A crate of one kind is that kind once.
        let is_said = |arg: &OsString| arg.to_string_lossy().starts_with("--crate-type=") && all.contains(arg);
        let own: Vec<OsString> = rustc_args::adapt(args, folder).into_iter().filter(|arg| !is_said(arg)).collect();
        all.extend(own);
        let called = vec![program.clone().into_os_string()];
        let args = all;
        let (cleared, inherited, libraries) = Default::default();
        Self { program, args, env: headers.env.clone(), called, cleared, inherited, memory: None, libraries }
    }

    /// How rustc most likely compiles `program`, which has these headers, where only a script or command is given.
    pub fn guess(compiler: PathBuf, program: &Program, headers: &Headers, folder: &Path) -> Self {
        let mut rustc = Self::new(compiler, headers, &[], folder).naming(program);
        let (text, args) = (program.root(), &mut rustc.args);
        if !rustc_args::has(args, "--edition") {
            args.push(LIKELY_EDITION.into());
        }
        // Without its roots all of a program is dead.
        let is_set = rustc_args::has(args, "--crate-type") || rustc_args::has(args, "--test");
        if !is_set && text.contains("#[test]") {
            args.push("--test".into());
        } else if !is_set && !text.contains("fn main") {
            args.push("--crate-type=lib".into());
        }
        rustc
    }

    pub(crate) fn with_edition(&self, edition: &str) -> Self {
        self.changed(|args| args.insert(0, format!("--edition={edition}").into()))
    }

    /// The edition, if it is among the arguments.
    pub fn edition(&self) -> Option<&str> {
        rustc_args::value(&self.args, "--edition")
    }

    /// A copy without this variable of mcve itself.
    pub fn without(&self, variable: &str) -> Self {
        let mut rustc = self.clone();
        rustc.cleared.push(variable.into());
        rustc
    }

    /// A copy whose command sets this variable of mcve itself.
    pub(crate) fn with_variable(&self, variable: &str, value: OsString) -> Self {
        let mut rustc = self.clone();
        let is_set = rustc.env.iter().any(|(name, _)| name == variable);
        if !is_set && !rustc.inherited.iter().any(|(name, _)| name == variable) {
            rustc.inherited.push((variable.into(), value));
        }
        rustc
    }

    /// A copy that names the crate, if the name of the file cannot be one and neither the program nor an argument does.
    #[must_use]
    pub fn naming(self, program: &Program) -> Self {
        let stem = Path::new(&program.name).file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into());
        let name: String = stem.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let is_named = program.root().contains("crate_name") || rustc_args::has(&self.args, "--crate-name");
        let is_valid = name == stem.replace('-', "_") && !stem.starts_with('-');
        if is_named || is_valid { self } else { self.with_arg(&format!("--crate-name={name}")) }
    }

    /// A copy for a library, if `failure` is a missing main function, which is never the failure that a user means.
    pub(crate) fn as_library(&self, failure: &Failure) -> Option<Self> {
        let missing = failure.codes.contains("E0601");
        self.of_type("lib").filter(|_| missing)
    }

    /// A copy for another type of crate; none if the arguments name one.
    pub(crate) fn of_type(&self, name: &str) -> Option<Self> {
        let is_given = rustc_args::has(&self.args, "--crate-type") || rustc_args::has(&self.args, "--test");
        (!is_given).then(|| self.with_arg(&format!("--crate-type={name}")))
    }

    /// A copy that compiles the test harness.
    pub(crate) fn as_tests(&self) -> Self {
        let rustc = self.changed(|args| args.retain(|arg| !arg.to_string_lossy().starts_with("--crate-type=")));
        if rustc_args::has(&rustc.args, "--test") { rustc } else { rustc.with_arg("--test") }
    }

    /// A copy that prints intermediate code, also of functions that nothing calls. None if the arguments name an output.
    pub(crate) fn with_mir(&self) -> Option<Self> {
        (!rustc_args::has(&self.args, "--emit")).then(|| self.with_arg("--emit=mir"))
    }

    /// The configurations that may show `failure`, cheapest first and this one last. Only a run shows which do.
    ///
    /// If the program has errors, a check must go as far as to find new ones. It need not go beyond a crash.
    pub fn ways(&self, failure: &Failure) -> Vec<Self> {
        self.emitting(usize::from(failure.is_in_program()))
    }

    /// The configurations that find errors and lints, cheapest first and this one last.
    pub fn checking(&self) -> Vec<Self> {
        self.emitting(1)
    }

    /// Copies that go as far as the outputs from this number on, and this one; it alone if the arguments name an output.
    fn emitting(&self, first: usize) -> Vec<Self> {
        let has_emit = rustc_args::has(&self.args, "--emit");
        let cheap = EMIT[first..].iter().filter(|_| !has_emit).map(|emit| self.with_arg(emit));
        cheap.chain([self.clone()]).collect()
    }

    /// A copy that finds errors and lints and generates no code; none if the arguments name an output.
    pub(crate) fn without_code(&self) -> Option<Self> {
        (!rustc_args::has(&self.args, "--emit")).then(|| self.with_arg(EMIT[1]))
    }

    /// The words for a program that it accepts.
    pub(crate) fn accepts(&self) -> &'static str {
        let is_tool = ["clippy-driver", "rustdoc", "miri"].iter().any(|tool| self.program.ends_with(tool));
        if is_tool { "the tool accepts it" } else { "it compiles" }
    }

    /// A copy that makes an executable, and not only looks for errors and lints.
    pub fn running(&self) -> Self {
        self.changed(|args| args.retain(|arg| !EMIT.iter().any(|emit| arg == emit)))
    }

    /// A copy without the arguments and variables that belong to the program, and these, which can be reduced with it. The newest
    /// edition stays, as there is no better one.
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

    /// A copy with the arguments and variables that belong to `program`.
    pub fn of(&self, program: &Program) -> Self {
        let mut rustc = self.clone();
        if program.layout.is_some() {
            let edition = program.edition().filter(|_| self.edition().is_none());
            let edition = edition.map(|edition| format!("--edition={edition}"));
            // rustc takes it once.
            let is_harness = |argument: &String| argument == "--test" && rustc_args::has(&self.args, "--test");
            let arguments = program.arguments().into_iter().filter(|argument| !is_harness(argument));
            rustc.args.splice(0..0, edition.into_iter().chain(arguments).map(OsString::from));
            rustc.env.extend(program.environment().into_iter().map(|(name, value)| (name.into(), Some(value.into()))));
        }
        for arg in &mut rustc.args {
            *arg = self.located(std::mem::take(arg));
        }
        rustc
    }

    /// An argument that names the library of this compiler where it names one of another.
    fn located(&self, arg: OsString) -> OsString {
        let is_path = |before: &str| before.ends_with('=') || before == "-L";
        let found = self.libraries.iter().find_map(|(from, to)| {
            let before = arg.to_str()?.strip_suffix(from.as_str()).filter(|before| is_path(before))?;
            Some(format!("{before}{to}").into())
        });
        found.unwrap_or(arg)
    }

    /// A copy that emits this kind of output, if the arguments name none or one of code.
    pub fn with_emit(&self, kind: &str) -> Self {
        let rustc = self.changed(|args| args.retain(|arg| arg != "--emit=link")).running();
        if rustc_args::has(&rustc.args, "--emit") { rustc } else { rustc.with_arg(&format!("--emit={kind}")) }
    }

    /// A copy with these arguments before all others, which override them.
    pub fn with_first(&self, args: &[&str]) -> Self {
        self.changed(|own| drop(own.splice(0..0, args.iter().map(OsString::from))))
    }

    /// A copy that looks for errors in types as well.
    pub(crate) fn checking_types(&self) -> Self {
        self.changed(|args| args.iter_mut().filter(|arg| **arg == EMIT[0]).for_each(|arg| *arg = EMIT[1].into()))
    }

    /// A copy with more options of a user in `folder`. A new edition replaces another.
    pub(crate) fn with_options(&self, options: &[OsString], folder: &Path) -> Self {
        let mut rustc = self.clone();
        for name in ["--edition", "--crate-name"] {
            if rustc_args::has(options, name) {
                // It is in one word, as `adapt` leaves it.
                rustc.args.retain(|arg| !rustc_args::has(std::slice::from_ref(arg), name));
            }
        }
        rustc.args.extend(rustc_args::adapt(options, folder));
        rustc
    }

    /// A copy without the last of each of these options of a user in `folder`.
    pub(crate) fn without_options(&self, options: &[OsString], folder: &Path) -> Self {
        let mut rustc = self.clone();
        for option in rustc_args::adapt(options, folder) {
            rustc.args.iter().rposition(|arg| *arg == option).map(|at| rustc.args.remove(at));
        }
        rustc
    }

    fn with_arg(&self, arg: &str) -> Self {
        self.changed(|args| args.push(arg.into()))
    }

    /// A copy with other arguments.
    fn changed(&self, change: impl FnOnce(&mut Vec<OsString>)) -> Self {
        let mut rustc = self.clone();
        change(&mut rustc.args);
        rustc
    }
}
