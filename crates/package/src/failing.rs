//! The failing part of a package.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use super::build::{Built, Ran};
use super::build_script;
use super::call::{Call, Extern};
use super::doctest::DocTest;
use super::source;
use super::spec::Verb;
use mcve_reduce::failure::shown::Shown;
use mcve_reduce::failure::spec::FailureSpec;
use mcve_reduce::failure::tool::Tool;
use mcve_reduce::oracle::diagnostics::{Diagnostic, Stderr};
use mcve_reduce::oracle::run::Target;
use mcve_reduce::oracle::wanted::{At, Wanted};
use mcve_reduce::program::{ContentHash, Program};
use mcve_reduce::project::bounds::Bounds;

/// The kind of failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// The tool that reads the crate fails: rustc if it is not named.
    Compilation(Option<Tool>),
    /// The test of this name fails.
    Test(String),
    /// The documentation test of this name fails, as a program.
    Documentation(String),
    /// The program fails when run with these arguments.
    Program(Vec<OsString>),
}

/// A crate of a package that fails.
#[derive(Debug)]
pub(super) struct Failing {
    /// The command of cargo.
    pub(super) verb: Verb,
    /// How its crate is compiled.
    pub(super) call: Call,
    /// Its failure.
    pub(super) what: What,
    /// The diagnostic that the user asked for, if any.
    pub(super) said: Option<Diagnostic>,
    /// The line that the program prints, if that is the failure.
    pub(super) line: Option<String>,
    /// All known calls, also those of dependencies.
    pub(super) calls: Vec<Call>,
}

/// The failure to look for in a run of cargo.
#[derive(Debug)]
pub(super) struct Sought<'a> {
    /// The command of cargo.
    pub(super) verb: Verb,
    /// The diagnostic that a call of the compiler has to print; none accepts any failure.
    pub(super) wanted: Option<&'a Wanted>,
    /// A part of the name of the test.
    pub(super) name: Option<&'a str>,
    /// The arguments of the program.
    pub(super) args: &'a [OsString],
    /// The folder for files made of doc tests.
    pub(super) folder: &'a Path,
}

impl Failing {
    /// Finds the failure in a run of cargo; none if it is not known.
    pub(super) fn of(built: &Built, sought: &Sought<'_>) -> Option<Self> {
        let Sought { verb, wanted, name, args, folder } = *sought;
        let calls = built.calls.clone();
        if let Some(wanted) = wanted {
            let says = |call: &Call| {
                wanted
                    .choose(&Stderr::read(call.said.as_bytes()).diagnostics)
                    .ok()
                    .and_then(|said| said.first().copied().cloned())
            };
            let (call, said) = built.calls_of_run().find_map(|call| Some((call.clone(), says(call)?)))?;
            return Some(Self { verb, what: What::Compilation(call.tool), call, said: Some(said), line: None, calls });
        }
        if let Some(call) = built.failed_call() {
            let what = What::Compilation(call.tool);
            return Some(Self { verb, call: call.clone(), what, said: None, line: None, calls });
        }
        if let Some((call, line)) = build_script::failed(built) {
            return Some(Self { verb, call, what: What::Program(Vec::new()), said: None, line, calls });
        }
        let failed = || built.failed_tests().into_iter().find(|test| name.is_none_or(|name| test.contains(name)));
        let (call, what) = match (built.run_last()?, verb) {
            (Ran::Program(path), Verb::Test | Verb::Bench) => {
                let call = built.call_of(&path)?.clone();
                let option = (verb == Verb::Bench).then(|| OsString::from("--bench"));
                // A target without a harness is a program like any other.
                let program = || What::Program(args.iter().cloned().chain(option).collect());
                let what = if call.is_test { What::Test(failed()?) } else { program() };
                (call, what)
            }
            (Ran::Program(path), Verb::Run) => (built.call_of(&path)?.clone(), What::Program(args.to_vec())),
            (Ran::Documentation(library), Verb::Test) => {
                let name = failed()?;
                (of_documentation(built, &library, &name, folder)?, What::Documentation(name))
            }
            _ => return None,
        };
        Some(Self { verb, call, what, said: None, line: None, calls })
    }

    /// The crate's failures that cargo showed; none if they are not known. rustdoc compiles documentation tests.
    pub(super) fn shown(&self) -> Option<Shown> {
        let call = &self.call;
        let status = call.status.filter(|_| !matches!(self.what, What::Documentation(_)))?;
        let stem = call.root.file_stem().map(|stem| stem.to_string_lossy().replace('-', "_"));
        let names = [Some(call.name.clone()), stem].into_iter().flatten().collect();
        Some(Shown::new(&call.said, status, names))
    }

    /// Whether a build script fails when it runs.
    pub(super) fn is_of_build_script(&self) -> bool {
        self.call.is_build_script() && matches!(self.what, What::Program(_))
    }

    /// Whether it is the failure of `other` in the same crate: the same test, or an error of the same words.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let error = |failing: &Self| {
            let said = Stderr::read(failing.call.said.as_bytes()).diagnostics.into_iter();
            let error = failing.said.clone().or_else(|| said.into_iter().find(|said| said.level.starts_with("error")));
            error.map(|error| (error.message, error.code.map(|code| code.code)))
        };
        let is_same = !matches!(self.what, What::Compilation(_)) || error(self) == error(other);
        self.what == other.what && self.call.root == other.call.root && is_same
    }

    /// Completes `spec` with the tool, the test and the arguments of this failure.
    pub(super) fn spec(&self, spec: FailureSpec) -> FailureSpec {
        // A documentation test that does not compile fails as a test, too.
        let tool = if let What::Compilation(tool) = self.what { tool } else { None };
        let target = match &self.what {
            What::Test(name) => Some(Target::Test(name.clone())),
            What::Program(args) => Some(Target::Main(args.clone())),
            What::Documentation(_) => spec.stdin.as_ref().map(|_| Target::Main(Vec::new())),
            What::Compilation(_) => None,
        };
        FailureSpec { tool, target, prints: self.line.clone().or(spec.prints), ..spec }
    }

    /// A hash that changes with `asked` and with the libraries that the crate uses, also when they are rebuilt at the
    /// same paths.
    pub(super) fn built(&self, asked: &str) -> ContentHash {
        let mut seen = format!("{}\n{asked}", self.call.line().join("\n"));
        // The dependencies of these are only rebuilt together with them.
        for path in self.call.externs.iter().filter_map(|used| used.path.as_ref()) {
            let metadata = path.metadata();
            let changed = metadata.as_ref().ok().and_then(|metadata| metadata.modified().ok());
            seen += &format!("\n{} {changed:?}", path.display());
        }
        ContentHash::of(seen.as_bytes())
    }

    /// Finds the line of the program that corresponds to cargo's `at`: the same text with the same number of equal
    /// lines before it in its file. Line numbers differ because the program contains the output of build scripts.
    pub(super) fn line_in(&self, program: &Program, at: &At) -> Option<At> {
        let spans = self.said.iter().flat_map(|said| &said.spans).filter(|span| span.is_primary);
        let spans = spans.flat_map(|span| [Some(span), span.expansion.as_ref().map(|made| &made.span)]).flatten();
        let is_named = |name: &&String| at.file.as_ref().is_none_or(|file| Path::new(name).ends_with(file));
        let path = self.call.folder.join(spans.map(|span| &span.file_name).find(is_named)?);
        let text = std::fs::read_to_string(&path).ok()?;
        let inside = path.strip_prefix(program.folder_at(&self.call.root)).ok()?;
        let (_, file) = program.files().into_iter().find(|(path, _)| path == inside)?;
        let lines: Vec<&str> = text.lines().take(at.line).collect();
        let (line, before) = lines.split_last()?;
        let number = before.iter().filter(|other| *other == line).count();
        let now = String::from_utf8_lossy(&file.bytes);
        let (index, _) = now.lines().enumerate().filter(|(_, other)| other == line).nth(number)?;
        Some(At { file: Some(inside.to_owned()), line: index + 1 })
    }

    /// The command of cargo that shows the failure in a package of the crate alone.
    pub(super) fn verb_of_result(&self) -> &'static str {
        match &self.what {
            What::Compilation(Some(Tool::Clippy)) => "clippy",
            What::Compilation(Some(Tool::Rustdoc)) => "doc",
            What::Compilation(_) if self.call.is_test => "test",
            What::Compilation(_) if self.call.is_checked => "check",
            What::Compilation(_) => "build",
            What::Test(_) => "test",
            What::Program(_) | What::Documentation(_) => "run",
        }
    }

    /// The arguments of the failing program.
    pub(super) fn program_arguments(&self) -> &[OsString] {
        if let What::Program(arguments) = &self.what { arguments } else { &[] }
    }

    /// A variable that cargo sets for the crate.
    pub(super) fn variable(&self, name: &str) -> &str {
        self.call.environment.get(name).map_or("", String::as_str)
    }
}

/// The call for the program of a documentation test, which it writes to `folder`.
fn of_documentation(built: &Built, library: &str, name: &str, folder: &Path) -> Option<Call> {
    let library = built.library(library)?;
    let test = DocTest::of(name)?;
    let package = PathBuf::from(library.environment.get("CARGO_MANIFEST_DIR")?);
    // The path is relative to the folder of the workspace.
    let path = package.ancestors().map(|folder| folder.join(&test.file)).find(|path| path.is_file())?;
    let text = std::fs::read_to_string(&path).ok()?;
    let bounds = Bounds::of_file(&path);
    let program = test.program(&text).or_else(|| {
        test.included(&text).into_iter().find_map(|included| {
            let file = path.with_file_name(&included.file).canonicalize().ok().filter(|file| bounds.has(file))?;
            included.program(&std::fs::read_to_string(file).ok()?)
        })
    });
    let root = folder.join("doctest.rs");
    std::fs::write(&root, program?).ok()?;
    // Tests have additional dependencies.
    let tests = built.calls.iter().rev().find(|call| call.is_test && call.root == library.root).unwrap_or(library);
    let path = library.made_in.join(format!("lib{}{}.rlib", library.name, library.suffix));
    let mut externs = tests.externs.clone();
    externs.push(Extern { name: library.name.clone(), path: Some(path) });
    let call = Call { form: "bin".to_owned(), is_checked: false, is_test: false, externs, root, ..tests.clone() };
    Some(Call { name: "doctest".to_owned(), ..call })
}

impl fmt::Display for Failing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { call, verb, what, .. } = self;
        let (package, version) = (self.variable("CARGO_PKG_NAME"), self.variable("CARGO_PKG_VERSION"));
        let files = source::program(call).map_or(0, |program| program.files().len().max(1));
        let dependencies = call.externs.iter().filter(|used| used.path.is_some()).count();
        let form = if call.is_test { "tests of" } else { &call.form };
        write!(f, "package: {package} {version}, {form} `{}`, ", call.name)?;
        write!(f, "{files} file{}, ", if files == 1 { "" } else { "s" })?;
        write!(f, "{dependencies} dependenc{}; ", if dependencies == 1 { "y" } else { "ies" })?;
        match what {
            What::Test(name) => write!(f, "the test `{name}` fails"),
            What::Documentation(name) => write!(f, "the test `{name}` of the documentation fails"),
            What::Compilation(_) if call.is_success() => {
                write!(f, "`cargo {}` shows {}", verb.name(), self.said.as_ref().map_or("it", |said| &said.message))
            }
            _ if self.is_of_build_script() => write!(f, "it fails when `cargo {}` runs it", verb.name()),
            _ => write!(f, "`cargo {}` fails", verb.name()),
        }
    }
}
