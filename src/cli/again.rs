//! Asks once more what the run that made a result was asked: the same command, of the result.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::args::{PairArgs, ReduceArgs};
use super::argv::{parse, toolchain};
use super::begin::Begin;
use super::command::Command;
use super::exit::{Exit, Failed, OrExit, failed};
use super::oracle_args::OracleArgs;
use super::package_args::PackageArgs;
use super::run_args::{RunArgs, ScreenArgs};
use super::setup::go_to;
use super::{input, package_run, reduce};
use crate::report::log::{End, Run};
use mcve_reduce::event::General;
use mcve_reduce::exec::folder::RunFolder;
use mcve_reduce::modes::generalise::generalise;
use mcve_reduce::modes::pair::NoPair;

/// The program of the command in the first word.
const PROGRAM: &str = "mcve";

/// A result, and what is known of it.
pub(super) struct Known {
    /// Its path, as the user names it.
    named: PathBuf,
    /// Its path, absolute.
    path: PathBuf,
    /// Its text; none of a folder.
    pub(super) text: Option<String>,
    /// The run that made it, if something is kept of that.
    pub(super) run: Option<Run>,
}

impl Known {
    /// What is known of the result at `path`, a file or the folder of a package.
    ///
    /// # Errors
    /// When there is none.
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

    /// Runs the command of the run, or another one where the user says so, on the result. What comes out is not kept.
    ///
    /// # Errors
    /// As of a reduction, and when it is not known what the failure is.
    pub(super) fn ask(&self, oracle: OracleArgs, toolchain: Option<String>) -> Result<Run, Failed> {
        let folder = RunFolder::new().context("cannot make a temporary folder").or_exit(Exit::Output)?;
        let output = folder.path().join(self.path.file_name().unwrap_or(OsStr::new("result.rs")));
        if is_package(&self.path) {
            self.ask_package(&output, toolchain)?;
        } else {
            self.ask_file(&output, oracle, toolchain)?;
        }
        let mut run = Run::take(&output).context("the answers were not kept").or_exit(Exit::Output)?;
        if let Some(end) = &mut run.end {
            end.command = end.command.replace(&*output.to_string_lossy(), &self.named.to_string_lossy());
        }
        Ok(run)
    }

    /// The parts of the result that may be any of their kind.
    ///
    /// # Errors
    /// As of `mcve generalise`.
    pub(super) fn generalise(&self, oracle: OracleArgs, toolchain: Option<String>) -> Result<Vec<General>, Failed> {
        let (args, own) = self.question(oracle)?;
        let found = args
            .start(toolchain.or(own))?
            .run(|problem, session, _, observer| generalise(problem, session, observer).map_err(NoPair::Baseline))?;
        Ok(found.0.parts)
    }

    /// What the run of the result was asked, or what the options say, and the toolchain.
    ///
    /// # Errors
    /// When it is not known.
    pub(super) fn question(&self, oracle: OracleArgs) -> Result<(PairArgs, Option<String>), Failed> {
        let (args, toolchain) = self.args(oracle)?;
        let ReduceArgs { file, oracle, run: RunArgs { search, output_args, .. }, .. } = args;
        Ok((PairArgs { file, grammar: None, oracle, search, output_args }, toolchain))
    }

    fn ask_file(&self, output: &Path, oracle: OracleArgs, toolchain: Option<String>) -> Result<Exit, Failed> {
        let (mut args, own) = self.args(oracle)?;
        args.output = Some(output.to_owned());
        reduce::reduce(&args, toolchain.or(own), Begin::Anew(&self.plain()))
    }

    fn plain(&self) -> [OsString; 2] {
        [PROGRAM.into(), self.path.clone().into_os_string()]
    }

    /// The arguments that ask for the failure, and the toolchain, if the run was asked for one.
    fn args(&self, oracle: OracleArgs) -> Result<(ReduceArgs, Option<String>), Failed> {
        let (mut args, mut own) = (reduce_args(&self.plain())?.1, None);
        // Only derived arguments know whether the user has given one.
        if format!("{oracle:?}") == format!("{:?}", args.oracle) {
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
            }
            return Ok(toolchain);
        }
        let (_, asked) = package_args(&words)?;
        args.oracle.failure = asked.failure;
        // A file that came from a package is compiled by the command that was printed.
        let command = run.end.as_ref().and_then(|end| shlex::split(&end.command)).unwrap_or_default();
        let own = self.path.file_name().unwrap_or_default();
        let is_file = |word: &String| Path::new(word).file_name() == Some(own);
        let start = command.iter().position(|word| Path::new(word).file_name() == Some(OsStr::new("rustc")));
        let words = &command[start.map_or(command.len(), |start| start + 1)..];
        let mut words: Vec<String> = words.iter().take_while(|word| *word != "&&" && *word != ";").cloned().collect();
        words.retain(|word| !is_file(word));
        let named = words.first().and_then(|word| word.strip_prefix('+')).map(str::to_owned);
        words.drain(..usize::from(named.is_some()));
        if let Some(at) = words.iter().position(|word| word == "-o") {
            words.drain(at..(at + 2).min(words.len()));
        }
        args.oracle.args = words.into_iter().map(OsString::from).collect();
        Ok(named)
    }

    fn ask_package(&self, output: &Path, toolchain: Option<String>) -> Result<Exit, Failed> {
        let words = self.run.iter().flat_map(|run| &run.begun.words).map(OsString::from).collect::<Vec<_>>();
        let words = if is_of_package(&words) { words } else { vec!["cargo-mcve".into()] };
        let (own, mut args) = package_args(&words)?;
        std::env::set_current_dir(&self.path).context("cannot go to the package").or_exit(Exit::Input)?;
        args.output = Some(output.to_owned());
        (args.run.log, args.run.html, args.run.history) = (None, None, None);
        args.run.screen = ScreenArgs::default();
        args.run.output_args.quiet = true;
        package_run::package(args, toolchain.or(own), None, &words)
    }
}

/// Whether the result is a package: a folder with a manifest.
fn is_package(path: &Path) -> bool {
    path.join("Cargo.toml").is_file()
}

/// Whether a command line is one of `cargo mcve`.
fn is_of_package(words: &[OsString]) -> bool {
    words.first().is_some_and(|word| Path::new(word).file_name() == Some(OsStr::new("cargo-mcve")))
}

fn reduce_args(words: &[OsString]) -> Result<(Option<String>, Box<ReduceArgs>), Failed> {
    match parse(words) {
        Ok((toolchain, Command::Reduce(args))) => Ok((toolchain, args)),
        Ok(_) => Err(failed!(Input, "the result is not one of a reduction")),
        Err(error) => Err(failed!(Input, "the command of the run is not understood any more: {error}")),
    }
}

fn package_args(words: &[OsString]) -> Result<(Option<String>, PackageArgs), Failed> {
    let (toolchain, words) = toolchain(words.to_vec());
    let unknown = |error| failed!(Input, "the command of the run is not understood any more: {error}");
    Ok((toolchain, <PackageArgs as clap::Parser>::try_parse_from(&words).map_err(unknown)?))
}
