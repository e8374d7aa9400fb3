//! Runs cargo on a package, records each call of the compiler, and finds the calls that failed.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Deserialize;
use tempfile::TempDir;

use super::call::Call;
use super::record::{self, Record};
use mcve_reduce::exec::programs;
use mcve_reduce::exec::rustup;
use mcve_reduce::exec::shim::{self, Changes};
use mcve_reduce::exec::tool::{self, ToolSandbox};
use mcve_reduce::failure::tool::Tool;
use mcve_reduce::oracle::harness::failed_tests;

/// The word that cargo prints before the path of a test program.
const RUNNING: &str = " Running ";

/// The word that cargo prints before the name of a library whose doc tests it runs.
const DOC_TESTS: &str = " Doc-tests ";

/// The option that makes cargo report the artifacts that it builds.
pub const TELLING: &str = "--message-format=json-render-diagnostics";

/// The folder below the target folder for build output. Code of the package may write to it.
pub const BUILD: &str = "build";

/// The folder below the target folder for records of calls. Code of the package may write to it.
pub const CALLS: &str = "calls";

/// How cargo is called.
#[derive(Clone, Debug)]
pub struct Cargo {
    /// The program.
    pub program: PathBuf,
    /// The toolchain, if the user named one.
    pub toolchain: Option<String>,
    /// The working directory, if it is not the current one.
    pub folder: Option<PathBuf>,
    /// The file for the standard input of the programs that cargo runs, if there is one.
    pub stdin: Option<PathBuf>,
    /// The compiler that cargo asks for its version while no code of the package runs.
    pub compiler: PathBuf,
    /// The target folder, which only mcve uses.
    pub target: PathBuf,
    /// This program, which cargo calls in place of the compiler.
    pub wrapper: PathBuf,
    /// The sandbox for everything that runs code of the package, if there is one.
    pub sandbox: Option<Arc<ToolSandbox>>,
    /// A folder for temporary files, which code of the package cannot write to.
    pub temporary: PathBuf,
}

/// The result of a run of cargo.
#[derive(Debug)]
pub struct Built {
    /// The exit status and the output.
    pub output: Output,
    /// All known calls of the compiler, also of earlier runs, in the order in which they ended.
    pub calls: Vec<Call>,
    /// The identifier of the run.
    run: String,
}

/// A program or doc tests that cargo ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ran {
    /// The program at this path: a test program, or the program of `cargo run`.
    Program(PathBuf),
    /// The doc tests of the library with this name.
    Documentation(String),
}

/// Cargo's message about an artifact that it built or found up to date.
#[derive(Deserialize)]
struct Artifact {
    filenames: Vec<PathBuf>,
}

/// A workspace, as `cargo metadata` describes it.
#[derive(Clone, Debug, Deserialize)]
pub struct Workspace {
    /// The folder that cargo builds in.
    pub target_directory: PathBuf,
    /// The root folder.
    pub workspace_root: PathBuf,
}

impl Workspace {
    /// Reads the workspace of the current folder, or of the manifest that `options` name, with the toolchain of `compiler`.
    ///
    /// # Errors
    /// Cargo's own error message, or that cargo cannot be run.
    pub fn read(cargo: &Path, compiler: &Path, toolchain: Option<&str>, options: &[OsString]) -> Result<Self, String> {
        let words = ["metadata", "--format-version=1", "--no-deps"].map(OsString::from);
        let words = [&words, options].concat();
        let output = tool::output(tool::Setup::default(), &resolved(cargo, compiler), &words, &environment(toolchain));
        let output = output.map_err(|error| format!("cannot run cargo: {error}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).trim().trim_start_matches("error: ").to_owned());
        }
        serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("cannot read what `cargo metadata` says: {error}"))
    }
}

/// The program cargo: the one that called this program, unless a toolchain is named, or the one in `PATH`.
pub fn program(toolchain: Option<&str>) -> anyhow::Result<PathBuf> {
    let given = std::env::var_os("CARGO").filter(|_| toolchain.is_none());
    programs::find(&given.unwrap_or_else(|| "cargo".into()))
}

/// The cargo beside `compiler` in place of a proxy of rustup, which would run that of the toolchain that some folder names.
fn resolved(cargo: &Path, compiler: &Path) -> PathBuf {
    let beside = compiler.with_file_name("cargo");
    if rustup::is_proxy(cargo) && beside.is_file() { beside } else { cargo.to_owned() }
}

/// The environment variables of all commands of cargo.
fn environment(toolchain: Option<&str>) -> Changes {
    let mut changes = shim::toolchain(toolchain);
    // A compiler crash writes its report beside the manifest, where mcve must leave no files.
    changes.push(("RUSTC_ICE".into(), Some("0".into())));
    changes
}

impl Cargo {
    /// Downloads the dependencies of the workspace with this manifest before any of its code runs: later commands have
    /// no network and cannot write to the download folder. Unless `options` have `--locked`, it creates `Cargo.lock` or
    /// adds missing entries. Returns whether that succeeded; if not, the next command reports the problem.
    ///
    /// # Errors
    /// When cargo cannot be run.
    pub fn fetch(&self, manifest: &Path, options: &[OsString]) -> io::Result<bool> {
        let words = [&["fetch".into(), "--manifest-path".into(), manifest.into()], options].concat();
        Ok(self.outside(&words)?.status.success())
    }

    /// Changes the version of a dependency in the lock file of the workspace with this manifest.
    ///
    /// # Errors
    /// Cargo's own error message, or that cargo cannot be run.
    pub fn update(&self, manifest: &Path, name: &str, version: &str, is_offline: bool) -> Result<(), String> {
        let words = ["update", "--package", name, "--precise", version, "--manifest-path"].map(OsString::from);
        let offline = is_offline.then(|| "--offline".into());
        let words: Vec<OsString> = words.into_iter().chain([manifest.into()]).chain(offline).collect();
        let output = self.outside(&words).map_err(|error| format!("cannot run cargo: {error}"))?;
        let said = String::from_utf8_lossy(&output.stderr);
        if output.status.success() { Ok(()) } else { Err(said.trim().trim_start_matches("error: ").to_owned()) }
    }

    /// Runs cargo outside the user's folders so that it does not read the package's configuration, which may name programs.
    fn outside(&self, words: &[OsString]) -> io::Result<Output> {
        let target = tempfile::tempdir_in(&self.temporary)?;
        let mut changes = environment(self.toolchain.as_deref());
        changes.push(("RUSTC".into(), Some((&self.compiler).into())));
        changes.push(("CARGO_TARGET_DIR".into(), Some(target.path().into())));
        let place = tool::Setup { folder: Some(Path::new("/")), ..tool::Setup::default() };
        tool::output(place, &resolved(&self.program, &self.compiler), words, &changes)
    }

    /// A new temporary folder that sandboxed programs may write to.
    pub fn temporary_folder(&self) -> io::Result<TempDir> {
        tempfile::tempdir_in(
            self.sandbox.as_ref().map_or_else(|| self.temporary.clone(), |sandbox| sandbox.temporary()),
        )
    }

    /// Runs `cargo VERB` with these arguments.
    ///
    /// # Errors
    /// When cargo cannot be run, the run of mcve is interrupted or out of time, or the records cannot be read.
    pub fn run(&self, verb: &str, arguments: &[OsString]) -> io::Result<Built> {
        let records = self.target.join(CALLS);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
        let run = format!("{now}-{}", std::process::id());
        let wrapper = record::make_link(&self.temporary.join(&run), &self.wrapper, &records)?;
        let mut variables: Vec<(&str, OsString)> =
            vec![("CARGO_TARGET_DIR", self.target.join(BUILD).into()), ("RUSTC_WRAPPER", (&wrapper).into())];
        if verb == "doc" {
            variables.push(("RUSTDOC", wrapper.into()));
        }
        let words = [&[OsString::from(verb)], arguments].concat();
        let mut changes = environment(self.toolchain.as_deref());
        changes.extend(variables.into_iter().map(|(name, value)| (name.into(), Some(value))));
        let (sandbox, folder, stdin) = (self.sandbox.as_deref(), self.folder.as_deref(), self.stdin.as_deref());
        let output = tool::output(tool::Setup { sandbox, folder, stdin }, &self.program, &words, &changes)?;
        let calls = Record::all(&records)?.iter().filter_map(Call::of).collect();
        Ok(Built { output, calls, run })
    }

    /// Removes what the crates in `folder` were built to, however the run ended. For cargo a crate with the same name and path in
    /// another workspace is the same.
    ///
    /// # Errors
    /// When a record cannot be read, or a file cannot be removed.
    pub fn remove_outputs(&self, folder: &Path) -> io::Result<()> {
        let (folder, target) = (folder.canonicalize()?, self.target.canonicalize()?);
        for call in Record::all(&self.target.join(CALLS))?.iter().filter_map(Call::of) {
            // Code of the package can write a record, and put a link here.
            let inside = call.made_in.canonicalize().ok().filter(|made_in| made_in.starts_with(&target));
            let Some(inside) = inside.filter(|_| call.folder.starts_with(&folder)) else { continue };
            for path in std::fs::read_dir(inside)?.flatten().map(|entry| entry.path()) {
                if call.has_made(&path) {
                    std::fs::remove_file(path)?;
                }
            }
        }
        Ok(())
    }
}

impl Built {
    /// The calls that this run made or reused from an earlier run, failed ones first. The run needs
    /// [`TELLING`], which makes cargo report its artifacts, but not those of rustdoc.
    pub fn calls_of_run(&self) -> impl Iterator<Item = &Call> {
        let made: Vec<PathBuf> = String::from_utf8_lossy(&self.output.stdout)
            .lines()
            .filter_map(|line| serde_json::from_str::<Artifact>(line).ok())
            .flat_map(|artifact| artifact.filenames)
            .collect();
        let is_of_run = move |call: &&Call| {
            call.run == self.run || call.tool == Some(Tool::Rustdoc) || made.iter().any(|path| call.has_made(path))
        };
        let (failed, others): (Vec<&Call>, Vec<&Call>) =
            self.calls.iter().filter(is_of_run).partition(|call| !call.is_success());
        failed.into_iter().chain(others)
    }

    /// The call of the compiler that failed first.
    pub fn failed_call(&self) -> Option<&Call> {
        self.calls.iter().find(|call| call.run == self.run && !call.is_success())
    }

    /// The last program or doc tests that cargo ran, if any.
    pub fn run_last(&self) -> Option<Ran> {
        let said = String::from_utf8_lossy(&self.output.stderr);
        said.lines().rev().find_map(|line| {
            if let Some((_, library)) = line.split_once(DOC_TESTS) {
                return Some(Ran::Documentation(library.replace('-', "_")));
            }
            let (_, line) = line.split_once(RUNNING)?;
            let path = match line.split_once('`') {
                // `cargo run` shows the command.
                Some((_, command)) => command.split(['`', ' ']).next()?,
                None => line.rsplit_once('(')?.1.trim_end_matches(')'),
            };
            Some(Ran::Program(path.into()))
        })
    }

    /// The tests that failed, as libtest lists them.
    pub fn failed_tests(&self) -> Vec<String> {
        failed_tests(&self.output.stdout)
    }

    /// Whether cargo stopped because it must not write `Cargo.lock`.
    pub fn needs_lock_file(&self) -> bool {
        !self.output.status.success() && String::from_utf8_lossy(&self.output.stderr).contains("--locked")
    }

    /// Whether cargo stopped because it must not download.
    pub fn needs_download(&self) -> bool {
        let is_said = || String::from_utf8_lossy(&self.output.stderr).contains("--offline");
        !self.output.status.success() && self.failed_call().is_none() && is_said()
    }

    /// The last build of the library of this name.
    pub fn library(&self, name: &str) -> Option<&Call> {
        let is_it = |call: &&Call| call.name == name && call.form != "bin" && !call.is_test && !call.is_checked;
        self.calls.iter().rev().find(is_it)
    }

    /// The call that made the program at `path`.
    pub fn call_of(&self, path: &Path) -> Option<&Call> {
        // The last call, as an older one may have used other features.
        self.calls.iter().rev().find(|call| call.has_made(path) && call.form != "proc-macro")
    }

    /// The standard output followed by the standard error.
    pub fn printed(&self) -> String {
        let (stdout, stderr) = (&self.output.stdout, &self.output.stderr);
        format!("{}{}", String::from_utf8_lossy(stdout), String::from_utf8_lossy(stderr)).trim_end().to_owned()
    }
}
