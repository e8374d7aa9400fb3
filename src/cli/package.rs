//! `cargo mcve`: from a package that fails to a file.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::error::ContextKind;
use clap::{ArgMatches, FromArgMatches};

use super::argv::{parse, toolchain};
use super::command::Command;
use super::exit::{Exit, Failed, failed};
use super::help::{FIRST_DAY_OF_PACKAGES, first_day};
use super::input::is_stdin;
use super::package_args::PackageArgs;
use super::package_run::{Mode, package};
use super::{config, dispatch, generalise, help, messages, pair, toolchain};
use mcve_package::record;
use mcve_reduce::output::folder;

/// Runs `cargo mcve`, or, where cargo calls this program in the place of the compiler, the compiler.
pub fn start(mut words: Vec<OsString>) -> ExitCode {
    if words.get(1).is_some_and(|word| word == "mcve") && !record::is_wrapper(&words) {
        words.remove(1);
    }
    super::run(words, run)
}

/// Runs the compiler where cargo calls this program in its place, and returns how to exit.
pub(super) fn compile(words: &[OsString]) -> Option<ExitCode> {
    let code = record::is_wrapper(words).then(|| record::wrap(words))?.unwrap_or_else(|error| {
        messages::say(format_args!("error: mcve cannot run the compiler: {error}"));
        Exit::Check.code()
    });
    Some(ExitCode::from(code))
}

/// Runs a command line of `cargo mcve`, and returns how to exit.
pub(super) fn run(words: Vec<OsString>) -> u8 {
    if let Some(help) = help::all_of_packages(&words) {
        return messages::usage(&help);
    }
    let given = words.clone();
    let (_, words) = toolchain(words);
    match read(&words) {
        Ok(read) => dispatch::end(with_defaults(given, read)),
        // As `mcve` itself has it.
        Err(error) if error.use_stderr() && is_of_mcve(&words) => dispatch::main(given),
        Err(error) => match unknown_verb(&error) {
            Some(failed) => dispatch::end(Err(failed)),
            None => messages::usage(&error),
        },
    }
}

/// The arguments of `cargo mcve`, as clap knows them.
pub(super) fn command() -> clap::Command {
    <PackageArgs as clap::CommandFactory>::command()
}

/// What else than a reduction is asked for, and the arguments.
type Read = (Option<Mode>, ArgMatches, PackageArgs);

fn read(words: &[OsString]) -> Result<Read, clap::Error> {
    let mode = words.get(1).and_then(|word| MODES.iter().find(|(name, _)| word == name));
    let mut own = words.to_vec();
    own.drain(1..1 + usize::from(mode.is_some()));
    let matches = first_day(command(), FIRST_DAY_OF_PACKAGES).try_get_matches_from(own)?;
    let args = PackageArgs::from_arg_matches(&matches)?;
    Ok((mode.map(|(_, mode)| *mode), matches, args))
}

/// Runs the command line `given`, of which this was read, with the defaults of the package that it is for.
fn with_defaults(given: Vec<OsString>, (mode, matches, args): Read) -> Result<Exit, Failed> {
    let manifest = matches.get_one::<OsString>("manifest-path").map(Path::new);
    let place = manifest.map_or(Path::new("."), folder);
    let config = if matches.get_flag("no_config") { None } else { config::find(place)? };
    let own_toolchain = toolchain(given.clone()).0;
    let Some(config) = config else {
        return package(args, own_toolchain.or_else(toolchain::of_rustup), mode, &given);
    };
    let at = 1 + usize::from(own_toolchain.is_some()) + usize::from(mode.is_some());
    let config::Defaulted { words, note } = config.apply(given, at, own_toolchain.is_some(), &command(), &matches)?;
    let (toolchain, own) = toolchain(words.clone());
    let (mode, _, mut args) = read(&own).map_err(|error| config::wrong(note.clone(), &error))?;
    args.run.defaults = note;
    package(args, toolchain.or_else(toolchain::of_rustup), mode, &words)
}

/// Whether these words are a command line of `mcve`: with a file, or a command of its own.
fn is_of_mcve(words: &[OsString]) -> bool {
    match parse(words) {
        Ok((_, Command::Reduce(args))) => is_stdin(&args.file) || args.file.exists() || names_file(&args.file),
        Ok(_) => true,
        Err(_) => words.get(1).is_some_and(|word| Path::new(word).is_file()),
    }
}

/// Whether a word that names nothing is meant for the name of a file.
fn names_file(word: &Path) -> bool {
    word.extension().is_some() || word.components().count() > 1
}

/// The commands besides the reduction.
const MODES: [(&str, Mode); 3] = [
    ("isolate", pair::isolate_in),
    ("repair", pair::repair_to),
    ("generalise", |_, args, start| generalise::print(args, start)),
];

/// Why a word is no command of cargo that mcve knows, if that is the error: it may be the name of a test.
fn unknown_verb(error: &clap::Error) -> Option<Failed> {
    let is_verb = error.get(ContextKind::InvalidArg).is_some_and(|argument| argument.to_string() == "[VERB]");
    let word = error.get(ContextKind::InvalidValue).filter(|_| is_verb)?;
    Some(failed!(
        Usage,
        "`{word}` is no file, and none of check, build, test, bench, clippy, doc and run; a test of that name: `cargo mcve test {word}`"
    ))
}
