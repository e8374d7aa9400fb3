//! Runs cargo on a package, with each call of the compiler recorded, and says which of them failed.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Deserialize;

use super::call::Call;
use super::confined;
use super::record::{FOLDER, RUN, Record};

/// What cargo says before the path of a program of tests.
const RUNNING: &str = " Running ";

/// What it says before the name of a library whose documentation is tested.
const DOC_TESTS: &str = " Doc-tests ";

/// The line behind which libtest lists the tests that failed.
const FAILURES: &str = "failures:";

/// How cargo is called.
#[derive(Clone, Debug)]
pub struct Cargo {
    /// The toolchain, if one was asked for by name.
    pub toolchain: Option<String>,
    /// The folder that it is run in, if that is not the current one.
    pub folder: Option<PathBuf>,
    /// The folder of what is built, which is ours alone.
    pub target: PathBuf,
    /// This program, which stands between cargo and the compiler.
    pub wrapper: PathBuf,
    /// What it may write to, with all that it starts; anything where that is not said.
    pub writable: Option<Vec<PathBuf>>,
}

/// What came of a run of cargo.
#[derive(Debug)]
pub struct Built {
    /// How it ended, and what it printed.
    pub output: Output,
    /// All calls of the compiler that are known, also of earlier runs, in the order in which they ended.
    pub calls: Vec<Call>,
    /// Which run it was.
    run: String,
}

/// What cargo ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ran {
    /// The program at this path: of tests, or that of `cargo run`.
    Program(PathBuf),
    /// The tests in the documentation of the library of this name.
    Documentation(String),
}

/// What cargo knows of a workspace.
#[derive(Clone, Debug, Deserialize)]
pub struct Workspace {
    /// The packages in it.
    pub packages: Vec<Package>,
    /// Where cargo builds.
    pub target_directory: PathBuf,
    /// The outermost folder.
    pub workspace_root: PathBuf,
}

/// A package.
#[derive(Clone, Debug, Deserialize)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its manifest.
    pub manifest_path: PathBuf,
}

impl Workspace {
    /// That of the current folder, or of the manifest that `options` name.
    ///
    /// # Errors
    /// With what cargo says, or when it cannot be run.
    pub fn read(toolchain: Option<&str>, options: &[OsString]) -> Result<Self, String> {
        let mut command = set_up(Command::new(program(toolchain)), toolchain);
        command.args(["metadata", "--format-version=1", "--no-deps"]).args(options);
        let output = command.stdin(Stdio::null()).output().map_err(|error| format!("cannot run cargo: {error}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).trim().trim_start_matches("error: ").to_owned());
        }
        serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("cannot read what `cargo metadata` says: {error}"))
    }
}

/// The command cargo, of a toolchain.
fn program(toolchain: Option<&str>) -> OsString {
    let given = std::env::var_os("CARGO").filter(|_| toolchain.is_none());
    given.unwrap_or_else(|| "cargo".into())
}

/// What a command of cargo needs for a toolchain.
fn set_up(mut command: Command, toolchain: Option<&str>) -> Command {
    if let Some(toolchain) = toolchain {
        command.env("RUSTUP_TOOLCHAIN", toolchain);
    }
    // A crash writes its report beside the manifest, where nothing of ours belongs.
    command.env("RUSTC_ICE", "0");
    command
}

impl Cargo {
    fn command(&self) -> io::Result<Command> {
        let program = program(self.toolchain.as_deref());
        let command = match &self.writable {
            Some(writable) => confined::command(&self.wrapper, &program, writable)?,
            None => Command::new(program),
        };
        Ok(set_up(command, self.toolchain.as_deref()))
    }

    /// Has a workspace without `Cargo.lock` get one, so that no other run of cargo has to write beside the manifest. `options` are those of
    /// all commands. What is wrong the next command says, too.
    ///
    /// # Errors
    /// When cargo cannot be run.
    pub fn make_lock_file(&self, options: &[OsString]) -> io::Result<()> {
        let mut command = set_up(Command::new(program(self.toolchain.as_deref())), self.toolchain.as_deref());
        command.arg("generate-lockfile").args(options).stdin(Stdio::null()).output().map(drop)
    }

    /// Runs `cargo VERB` with these arguments.
    ///
    /// # Errors
    /// When it cannot be run, or what it leaves not be read.
    pub fn run(&self, verb: &str, arguments: &[OsString]) -> io::Result<Built> {
        let records = self.target.join("calls");
        std::fs::create_dir_all(&records)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
        let run = format!("{now}-{}", std::process::id());
        let mut command = self.command()?;
        command.arg(verb).args(arguments).stdin(Stdio::null());
        command.env("CARGO_TARGET_DIR", self.target.join("build")).env("CARGO_INCREMENTAL", "0");
        command.env("RUSTC_WRAPPER", &self.wrapper).env(FOLDER, &records).env(RUN, &run);
        if verb == "doc" {
            command.env("RUSTDOC", &self.wrapper);
        }
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        let output = command.output()?;
        let calls = Record::all(&records)?.iter().filter_map(Call::of).collect();
        Ok(Built { output, calls, run })
    }
}

impl Built {
    /// The call of the compiler that failed first.
    #[must_use]
    pub fn failed_call(&self) -> Option<&Call> {
        self.calls.iter().find(|call| call.run == self.run && !call.is_success)
    }

    /// What cargo ran last, if it ran something.
    #[must_use]
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
    #[must_use]
    pub fn failed_tests(&self) -> Vec<String> {
        let stdout = String::from_utf8_lossy(&self.output.stdout);
        // What a test prints may stand in the line that says how it ended, and not in the list at the end.
        let list = stdout.rsplit(FAILURES).next().filter(|rest| rest.len() < stdout.len()).unwrap_or_default();
        let names = list.lines().skip(1).map_while(|line| line.strip_prefix("    "));
        names.map(str::to_owned).collect()
    }

    /// The library of this name as it was built last.
    #[must_use]
    pub fn library(&self, name: &str) -> Option<&Call> {
        let is_it = |call: &&Call| call.name == name && call.form != "bin" && !call.is_test && !call.is_checked;
        self.calls.iter().rev().find(is_it)
    }

    /// The call that made the program at `path`.
    #[must_use]
    pub fn call_of(&self, path: &Path) -> Option<&Call> {
        // The last one, as an older one may be of other features.
        self.calls.iter().rev().find(|call| call.has_made(path) && call.form != "proc-macro")
    }

    /// All that it printed.
    #[must_use]
    pub fn printed(&self) -> String {
        let (stdout, stderr) = (&self.output.stdout, &self.output.stderr);
        format!("{}{}", String::from_utf8_lossy(stdout), String::from_utf8_lossy(stderr)).trim_end().to_owned()
    }
}
