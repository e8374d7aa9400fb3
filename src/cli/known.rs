//! A result, what is kept of its run, and what that run was asked.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::args::{PairArgs, ReduceArgs};
use super::argv::{is_usual, parse, toolchain};
use super::command::Command;
use super::exit::{Exit, Failed, OrExit, failed};
use super::input;
use super::oracle_args::OracleArgs;
use super::package_args::PackageArgs;
use super::question::Question;
use super::run_args::RunArgs;
use super::setup::go_to;
use crate::report::log::{End, Run};

/// The program of the command in the first word.
const PROGRAM: &str = "mcve";

/// The compilers whose arguments a command has.
const COMPILERS: [&str; 4] = ["rustc", "clippy-driver", "rustdoc", "miri"];

/// A result, and what is known of it.
pub(super) struct Known {
    /// Its path, as the user names it.
    pub(super) named: PathBuf,
    /// Its path, absolute.
    pub(super) path: PathBuf,
    /// Its text; none of a folder.
    pub(super) text: Option<String>,
    /// The run that made it, if something is kept of that.
    pub(super) run: Option<Run>,
}

impl Known {
    /// What is known of the result at `path`, a file or the folder of a package.
    pub(super) fn of(path: &Path) -> Result<Self, Failed> {
        let text = if is_package(path) { None } else { Some(input::read(path)?.shown()) };
        let real =
            path.canonicalize().with_context(|| format!("cannot use {}", path.display())).or_exit(Exit::Input)?;
        Ok(Self { run: Run::of_result(path), named: path.to_owned(), path: real, text })
    }

    /// How the run that made the result ended, if the text is still the same.
    pub(super) fn end(&self) -> Option<&End> {
        let end = self.run.as_ref()?.end.as_ref()?;
        self.text.as_ref().is_none_or(|text| *text == end.text).then_some(end)
    }

    /// What the run of the result was asked, or what the options say, and the toolchain.
    pub(super) fn file_args(&self, oracle: OracleArgs) -> Result<(PairArgs, Option<String>), Failed> {
        let (args, toolchain) = self.args(oracle)?;
        let ReduceArgs { file, oracle, run: RunArgs { search, output_args, .. }, .. } = args;
        Ok((PairArgs { file, grammar: None, oracle, search, output_args }, toolchain))
    }

    /// The same, also of a package.
    pub(super) fn question(&self, oracle: OracleArgs) -> Result<(Question, Option<String>), Failed> {
        if is_package(&self.path) {
            let (args, toolchain) = self.enter_package(oracle)?;
            return Ok((Question::Package(Box::new(args)), toolchain));
        }
        let (args, toolchain) = self.file_args(oracle)?;
        Ok((Question::File(Box::new(args)), toolchain))
    }

    /// Changes to the folder of the package. Returns the arguments of `cargo mcve`, those after `--` or those of the run that made it,
    /// and the toolchain. Fails if `cargo mcve` does not accept them, or the folder cannot be entered.
    pub(super) fn enter_package(&self, mut oracle: OracleArgs) -> Result<(PackageArgs, Option<String>), Failed> {
        let given = std::mem::take(&mut oracle.args);
        let kept = self.run.iter().flat_map(|run| &run.begun.words).map(OsString::from).collect::<Vec<_>>();
        let words = if given.is_empty() && is_of_package(&kept) {
            kept
        } else {
            [OsString::from("cargo-mcve")].into_iter().chain(given).collect()
        };
        let (toolchain, mut args) = package_args(&words)?;
        if !is_usual(&oracle) {
            args.failure = oracle.failure;
        }
        std::env::set_current_dir(&self.path).context("cannot go to the package").or_exit(Exit::Input)?;
        args.output = None;
        args.run.output_args.quiet = true;
        Ok((args, toolchain))
    }

    pub(super) fn plain(&self) -> [OsString; 2] {
        [PROGRAM.into(), self.path.clone().into_os_string()]
    }

    /// The arguments that ask for the failure, and the toolchain, if the run was asked for one.
    pub(super) fn args(&self, oracle: OracleArgs) -> Result<(ReduceArgs, Option<String>), Failed> {
        let (mut args, mut own) = (reduce_args(&self.plain())?.1, None);
        if is_usual(&oracle) {
            own = self.take_over(&mut args)?;
        } else {
            args.oracle = oracle;
        }
        args.run.output_args.quiet = true;
        Ok((*args, own))
    }

    /// Takes over what the run was asked, if that is known; returns the toolchain.
    fn take_over(&self, args: &mut ReduceArgs) -> Result<Option<String>, Failed> {
        let Some(run) = &self.run else { return Ok(None) };
        let words: Vec<OsString> = run.begun.words.iter().map(OsString::from).collect();
        go_to(&run.begun.folder)?;
        if !is_of_package(&words) {
            let (toolchain, asked) = reduce_args(&words)?;
            (args.oracle, args.grammar) = (asked.oracle, asked.grammar);
            (args.run.search, args.run.keep) = (asked.run.search, asked.run.keep);
            (args.scrub, args.readable) = (asked.scrub, asked.readable);
            if asked.as_ui_test {
                // Its headers say them.
                args.oracle.args.clear();
            } else if has_rustc_arguments(&args.oracle)
                && let Some((words, _)) = self.printed_args()
            {
                // The search may have left some out, or have found a newer edition.
                args.oracle.args = words;
            }
            return Ok(toolchain);
        }
        let (_, asked) = package_args(&words)?;
        args.oracle.failure = asked.failure;
        // A file that came from a package is compiled by the command that was printed.
        let (words, named) = self.printed_args().unwrap_or_default();
        args.oracle.args = words;
        Ok(named)
    }

    /// The arguments and the toolchain of rustc in the command that the run printed, if it is one of rustc.
    fn printed_args(&self) -> Option<(Vec<OsString>, Option<String>)> {
        let command = shlex::split(&self.run.as_ref()?.end.as_ref()?.command)?;
        let own = self.path.file_name().unwrap_or_default();
        let is_file = |word: &String| Path::new(word).file_name() == Some(own);
        let is_compiler = |word: &String| {
            Path::new(word).file_name().and_then(OsStr::to_str).is_some_and(|name| COMPILERS.contains(&name))
        };
        let start = command.iter().position(is_compiler)?;
        let words = command[start + 1..].iter().take_while(|word| *word != "&&" && *word != ";");
        let mut words: Vec<String> = words.filter(|word| !is_file(word)).cloned().collect();
        let named = words.first().and_then(|word| word.strip_prefix('+')).map(str::to_owned);
        words.drain(..usize::from(named.is_some()));
        if let Some(at) = words.iter().position(|word| word == "-o") {
            words.drain(at..(at + 2).min(words.len()));
        }
        Some((words.into_iter().map(OsString::from).collect(), named))
    }
}

/// Whether the words after `--` are arguments of rustc, and one run of rustc shows the failure.
fn has_rustc_arguments(oracle: &OracleArgs) -> bool {
    let is_run = oracle.run || oracle.test_name.is_some() || oracle.incremental;
    !oracle.args.is_empty() && !is_run && !oracle.is_judged()
}

/// Whether the result is a package: a folder with a manifest.
pub(super) fn is_package(path: &Path) -> bool {
    path.join("Cargo.toml").is_file()
}

/// Whether a command line is one of `cargo mcve`.
pub(super) fn is_of_package(words: &[OsString]) -> bool {
    words.first().is_some_and(|word| Path::new(word).file_name() == Some(OsStr::new("cargo-mcve")))
}

fn reduce_args(words: &[OsString]) -> Result<(Option<String>, Box<ReduceArgs>), Failed> {
    match parse(words) {
        Ok((toolchain, Command::Reduce(args))) => Ok((toolchain, args)),
        Ok(_) => Err(failed!(Input, "the result is not one of a reduction")),
        Err(error) => Err(failed!(Input, "the command of the run is not understood any more: {error}")),
    }
}

pub(super) fn package_args(words: &[OsString]) -> Result<(Option<String>, PackageArgs), Failed> {
    let (toolchain, words) = toolchain(words.to_vec());
    let unknown = |error| failed!(Input, "the command of the run is not understood any more: {error}");
    Ok((toolchain, <PackageArgs as clap::Parser>::try_parse_from(&words).map_err(unknown)?))
}
