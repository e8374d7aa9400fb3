//! The arguments of `cargo mcve`: those of cargo, and a few of mcve.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use anyhow::Context;
use clap::ArgAction::{self, Append, Set, SetTrue};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, Parser, value_parser};

use super::catalogue;
use super::exit::{Exit, Failed, OrExit, failed};
use super::failure_args::FailureArgs;
use super::output::output_at;
use super::run_args::RunArgs;
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

/// Stands for a version of a dependency that is not known.
pub(super) const OLDER: &str = "older";

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
    #[arg(short, long, value_name = "PATH", help_heading = "Where results go")]
    pub(super) output: Option<PathBuf>,

    /// Does not fail with the versions of this older `Cargo.lock`: says which of them matter, and reduces the package with these.
    #[arg(long, value_name = "PATH", conflicts_with = "manifest-path")]
    pub(super) passes_with_lock: Option<PathBuf>,

    /// Keeps the dependencies; the result is a package where it needs them.
    #[arg(long, help_heading = "How it is searched")]
    pub(super) keep_package: bool,

    #[command(flatten)]
    pub(super) failure: FailureArgs,

    #[command(flatten)]
    pub(super) run: RunArgs,

    /// Arguments of the program with `run`, lints with `clippy`, options that say which tests run with `test`.
    #[arg(last = true, value_name = "ARGS")]
    pub(super) args: Vec<OsString>,

    // The last one: its heading in the help would hold for what follows.
    #[command(flatten)]
    pub(super) cargo: CargoArgs,
}

impl PackageArgs {
    /// What is to be reduced.
    /// Fails if the file of `--stdin` is missing, a transform has an unknown name, or the output cannot be written.
    pub(super) fn spec(&self) -> Result<PackageSpec, Failed> {
        let search = &self.run.search;
        let mut failure = FailureSpec { stdin: self.stdin()?, ..self.failure.spec() };
        let versions = failure.passes_with.extract_if(.., |way| version(way).is_some());
        let versions: Vec<(String, String)> = versions.filter_map(|way| version(&way)).collect();
        if !versions.is_empty() && (self.passes_with_lock.is_some() || self.cargo.0.has("--manifest-path")) {
            let why = "--passes-with NAME=VERSION goes with neither --passes-with-lock nor --manifest-path";
            return Err(failed!(Usage, "{why}"));
        }
        let versions = match &versions[..] {
            [] => None,
            [(name, version)] if version == OLDER => Some(PassingVersions::OlderThan(name.clone())),
            all if all.iter().any(|(_, version)| version == OLDER) => {
                return Err(failed!(Usage, "--passes-with NAME={OLDER} goes with no other dependency"));
            }
            _ => Some(PassingVersions::Of(versions)),
        };
        Ok(PackageSpec {
            verb: self.verb,
            name: self.name.clone(),
            args: self.args.clone(),
            cargo: self.cargo.0.clone(),
            failure,
            passes_with: self.passes_with_lock.clone().map(PassingVersions::LockFile).or(versions),
            keep_package: self.keep_package,
            keep: self.run.keep.clone(),
            schedule: catalogue::schedule(&search.only, &search.skip),
            transforms: catalogue::choose(&search.only, &search.skip)?,
            output: self.output.as_ref().map(|path| output_at(path, &self.run.output_args)).transpose()?,
        })
    }

    /// The file for the standard input of the program, as it is found from any folder.
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
    let is_version = version == OLDER || version.starts_with(|c: char| c.is_ascii_digit());
    (is_name && is_version).then(|| (name.to_owned(), version.to_owned()))
}

/// An option of cargo: its short and its long name, the name of its value, how often it may be given, and what the help says.
type CargoOption = (&'static str, &'static str, &'static str, ArgAction, &'static str);

/// The options of cargo that are forwarded to it.
const CARGO_OPTIONS: &[CargoOption] = &[
    ("p", "package", "NAME", Append, "The package"),
    ("", "workspace", "", SetTrue, "All packages of the workspace"),
    ("", "exclude", "NAME", Append, "A package of the workspace that is left out"),
    ("", "lib", "", SetTrue, "Its library"),
    ("", "doc", "", SetTrue, "The tests in its documentation, with `test`"),
    ("", "bin", "NAME", Append, "A program of it"),
    ("", "bins", "", SetTrue, "All of its programs"),
    ("", "test", "NAME", Append, "An integration test of it"),
    ("", "tests", "", SetTrue, "All that has tests"),
    ("", "example", "NAME", Append, "An example of it"),
    ("", "examples", "", SetTrue, "All of its examples"),
    ("", "bench", "NAME", Append, "A benchmark of it"),
    ("", "benches", "", SetTrue, "All of its benchmarks"),
    ("", "all-targets", "", SetTrue, "All of these"),
    ("F", "features", "NAMES", Append, "Features that are on"),
    ("", "all-features", "", SetTrue, "All features are on"),
    ("", "no-default-features", "", SetTrue, "The feature `default` is off"),
    ("", "target", "TRIPLE", Set, "The target triple"),
    ("", "profile", "NAME", Set, "The profile"),
    ("r", "release", "", SetTrue, "The profile `release`"),
    ("", "manifest-path", "PATH", Set, "The manifest"),
    ("", "locked", "", SetTrue, "`Cargo.lock` stays as it is"),
    ("", "offline", "", SetTrue, "The network is not used"),
];

/// What cargo builds: the options as it takes them.
#[derive(Debug)]
pub(super) struct CargoArgs(CargoOptions);

impl Args for CargoArgs {
    fn augment_args(command: Command) -> Command {
        let option = |(short, long, value, action, about): &CargoOption| {
            let option = Arg::new(*long).long(*long).short(short.chars().next()).action(action.clone()).help(*about);
            if action.takes_values() { option.value_name(*value).value_parser(value_parser!(OsString)) } else { option }
        };
        command.next_help_heading("What cargo builds").args(CARGO_OPTIONS.iter().map(option))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for CargoArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut words = Vec::new();
        for (_, long, _, action, _) in CARGO_OPTIONS {
            if action.takes_values() {
                let with = |value| [OsStr::new("--"), long.as_ref(), "=".as_ref(), value].join("".as_ref());
                let values = matches.get_many(long).unwrap_or_default();
                words.extend(values.map(|value: &OsString| with(value)));
            } else if matches.get_flag(long) {
                words.push(format!("--{long}").into());
            }
        }
        Ok(Self(CargoOptions(words)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
