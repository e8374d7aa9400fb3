//! The arguments of `cargo mcve`: those of cargo, and a few of mcve.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Parser};

use super::args::{OutputArgs, SearchArgs};
use super::catalogue;
use super::exit::{Exit, Failed, OrExit, failed};
use super::failure_args::FailureArgs;
use super::output::output_at;
use super::values::one_of;
use mcve_package::spec::{CargoOptions, PackageSpec, PassingVersions, Verb};
use mcve_reduce::failure::config::CompilerConfig;
use mcve_reduce::failure::spec::FailureSpec;

/// The commands of cargo.
const VERBS: &[(&str, Verb, &str)] = &[
    ("check", Verb::Check, "`cargo check`"),
    ("build", Verb::Build, "`cargo build`"),
    ("test", Verb::Test, "`cargo test`"),
    ("bench", Verb::Bench, "`cargo bench`"),
    ("clippy", Verb::Clippy, "`cargo clippy`"),
    ("doc", Verb::Doc, "`cargo doc`, of the package alone"),
    ("run", Verb::Run, "`cargo run`"),
];

/// Takes a package that fails to the smallest file that still fails.
///
/// Runs cargo, finds the call of the compiler or the test that fails, and reduces that crate with its modules and dependencies. Your
/// files are never changed: cargo builds in `target/mcve`, and the result is PACKAGE_mcve.rs in this folder.
/// `cargo mcve isolate`, `repair` and `generalise`, with the same arguments, do with the failure what `mcve` does with that of a file.
#[derive(Debug, Parser)]
#[command(name = "cargo mcve", bin_name = "cargo mcve", version, mut_arg("tool", |arg| arg.hide(true)), mut_arg("hang", |arg| arg.hide(true)))]
pub(super) struct PackageArgs {
    /// The command of cargo. By default the first of check, build and test that fails, or that shows the diagnostic
    /// that the options name.
    #[arg(value_parser = one_of(VERBS))]
    pub(super) verb: Option<Verb>,

    /// With `test` and `bench`: the name of the test that fails, or a part of it; by default the first one that does.
    pub(super) name: Option<String>,

    /// Where the result goes; by default PACKAGE_mcve.rs in this folder.
    #[arg(short, long, value_name = "PATH")]
    pub(super) output: Option<PathBuf>,

    /// Does not fail with the versions of this older `Cargo.lock`: says which of them matter, and reduces the package with these.
    #[arg(long, value_name = "PATH", conflicts_with = "manifest_path")]
    pub(super) passes_with_lock: Option<PathBuf>,

    /// Keeps the dependencies; the result is a package where it needs them.
    #[arg(long)]
    pub(super) keep_package: bool,

    /// Keeps a file or an item as it is, such as `src/map.rs` or `Map::get`. Of a file its tests may go. May be given
    /// several times.
    #[arg(long, value_name = "PATH")]
    pub(super) keep: Vec<String>,

    /// Writes to this file what became of each change that was proposed. `mcve explain-run` reads it to say why a part stays.
    #[arg(long, value_name = "FILE")]
    pub(super) log: Option<PathBuf>,

    #[command(flatten)]
    /// What the failure is, as of a file.
    pub(super) failure: FailureArgs,

    #[command(flatten)]
    /// What is tried.
    pub(super) search: SearchArgs,

    #[command(flatten)]
    /// What is reported.
    pub(super) output_args: OutputArgs,

    /// Arguments of the program with `run`, lints with `clippy`, options that say which tests run with `test`.
    #[arg(last = true, value_name = "ARGS")]
    pub(super) args: Vec<OsString>,

    // The last one: its heading in the help would hold for what follows.
    #[command(flatten)]
    /// What cargo builds.
    pub(super) cargo: CargoArgs,
}

impl PackageArgs {
    /// What is to be reduced.
    ///
    /// # Errors
    /// When a file for the standard input is not there, there is no such transform, or the result cannot be written.
    pub(super) fn spec(&self) -> Result<PackageSpec, Failed> {
        let search = &self.search;
        let mut failure = FailureSpec { stdin: self.stdin()?, ..self.failure.spec() };
        let versions = failure.passes_with.extract_if(.., |way| version(way).is_some());
        let versions: Vec<(String, String)> = versions.filter_map(|way| version(&way)).collect();
        if !versions.is_empty() && (self.passes_with_lock.is_some() || self.cargo.manifest_path.is_some()) {
            let why = "--passes-with NAME=VERSION goes with neither --passes-with-lock nor --manifest-path";
            return Err(failed!(Usage, "{why}"));
        }
        let versions = (!versions.is_empty()).then_some(PassingVersions::Of(versions));
        Ok(PackageSpec {
            verb: self.verb,
            name: self.name.clone(),
            args: self.args.clone(),
            cargo: self.cargo.options(),
            failure,
            passes_with: self.passes_with_lock.clone().map(PassingVersions::LockFile).or(versions),
            keep_package: self.keep_package,
            keep: self.keep.clone(),
            schedule: catalogue::schedule(&search.only, &search.skip),
            transforms: catalogue::choose(&search.only, &search.skip)?,
            output: self.output.as_ref().map(|path| output_at(path, &self.output_args)).transpose()?,
        })
    }

    /// The file for the standard input of the program, as it is found from any folder.
    ///
    /// # Errors
    /// When it is not there.
    fn stdin(&self) -> Result<Option<PathBuf>, Failed> {
        let Some(path) = &self.failure.stdin else { return Ok(None) };
        let shown = path.display();
        let found = path.canonicalize().with_context(|| format!("cannot read {shown}")).or_exit(Exit::Input)?;
        // A pipe can be read once.
        if found.is_file() {
            Ok(Some(found))
        } else {
            Err(failed!(Input, "{shown} is not a regular file: each run of the program must be able to read it again"))
        }
    }
}

/// The dependency and the version that `NAME=VERSION` names; none of another way.
fn version(way: &CompilerConfig) -> Option<(String, String)> {
    let way = way.to_string();
    let (name, version) = way.split_once('=')?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || "-_".contains(c)) && !name.starts_with('-');
    let is_version = version.starts_with(|c: char| c.is_ascii_digit());
    (is_name && is_version).then(|| (name.to_owned(), version.to_owned()))
}

/// Options of cargo, which are forwarded to it.
#[derive(Args, Debug)]
#[command(next_help_heading = "What cargo builds")]
pub(super) struct CargoArgs {
    /// The package.
    #[arg(short, long, value_name = "NAME")]
    package: Vec<String>,
    /// All packages of the workspace.
    #[arg(long)]
    workspace: bool,
    /// A package of the workspace that is left out.
    #[arg(long, value_name = "NAME")]
    exclude: Vec<String>,
    /// Its library.
    #[arg(long)]
    lib: bool,
    /// The tests in its documentation, with `test`.
    #[arg(long)]
    doc: bool,
    /// A program of it.
    #[arg(long, value_name = "NAME")]
    bin: Vec<String>,
    /// All of its programs.
    #[arg(long)]
    bins: bool,
    /// An integration test of it.
    #[arg(long, value_name = "NAME")]
    test: Vec<String>,
    /// All that has tests.
    #[arg(long)]
    tests: bool,
    /// An example of it.
    #[arg(long, value_name = "NAME")]
    example: Vec<String>,
    /// All of its examples.
    #[arg(long)]
    examples: bool,
    /// A benchmark of it.
    #[arg(long, value_name = "NAME")]
    bench: Vec<String>,
    /// All of its benchmarks.
    #[arg(long)]
    benches: bool,
    /// All of these.
    #[arg(long)]
    all_targets: bool,
    /// Features that are on.
    #[arg(short = 'F', long, value_name = "NAMES")]
    features: Vec<String>,
    /// All features are on.
    #[arg(long)]
    all_features: bool,
    /// The feature `default` is off.
    #[arg(long)]
    no_default_features: bool,
    /// The target triple.
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
    /// The profile.
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// The profile `release`.
    #[arg(short, long)]
    release: bool,
    /// The manifest.
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
    /// `Cargo.lock` stays as it is.
    #[arg(long)]
    locked: bool,
    /// The network is not used.
    #[arg(long)]
    offline: bool,
}

impl CargoArgs {
    /// The options as cargo takes them.
    fn options(&self) -> CargoOptions {
        let mut lock_file: Vec<OsString> = Vec::new();
        lock_file.extend(self.locked.then(|| "--locked".into()));
        lock_file.extend(self.offline.then(|| "--offline".into()));
        let path = self.manifest_path.iter().flat_map(|path| ["--manifest-path".into(), path.into()]);
        let workspace: Vec<OsString> = path.chain(lock_file.iter().cloned()).collect();
        let all = workspace.iter().cloned().chain(self.targets()).collect();
        CargoOptions { all, workspace, lock_file, is_locked: self.locked }
    }

    /// Those that say what is built.
    fn targets(&self) -> impl Iterator<Item = OsString> {
        let lists = [
            ("--package", &self.package),
            ("--exclude", &self.exclude),
            ("--bin", &self.bin),
            ("--test", &self.test),
            ("--example", &self.example),
            ("--bench", &self.bench),
            ("--features", &self.features),
        ];
        let lists =
            lists.into_iter().flat_map(|(name, values)| values.iter().map(move |value| format!("{name}={value}")));
        let values = [("--target", &self.target), ("--profile", &self.profile)];
        let values = values.into_iter().filter_map(|(name, value)| Some(format!("{name}={}", value.as_ref()?)));
        let flags = [
            ("--workspace", self.workspace),
            ("--lib", self.lib),
            ("--bins", self.bins),
            ("--tests", self.tests),
            ("--examples", self.examples),
            ("--benches", self.benches),
            ("--all-targets", self.all_targets),
            ("--doc", self.doc),
            ("--all-features", self.all_features),
            ("--no-default-features", self.no_default_features),
            ("--release", self.release),
        ];
        let flags = flags.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| name.to_owned());
        let all: Vec<String> = lists.chain(values).chain(flags).collect();
        all.into_iter().map(OsString::from)
    }
}
