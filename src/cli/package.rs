//! `cargo mcve`: from a package that fails to a file.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;

use super::argv::{parse, toolchain};
use super::command::Command;
use super::exit::{Exit, Failed, failed};
use super::package_args::PackageArgs;
use super::package_check::check;
use super::{inherited, messages, on_large_stack, run, work};
use mcve_package::observer::Shared;
use mcve_package::record;
use mcve_package::reduce::reduce;
use mcve_reduce::event::Observer;

/// Runs `cargo mcve`, or, where cargo calls this program in the place of the compiler, the compiler.
#[must_use]
pub fn start(mut words: Vec<OsString>) -> ExitCode {
    if std::env::var_os(record::FOLDER).is_some() {
        let code = record::wrap(&words).unwrap_or_else(|error| {
            messages::say(format_args!("error: mcve cannot run the compiler: {error}"));
            Exit::Check.code()
        });
        return ExitCode::from(code);
    }
    if words.get(1).is_some_and(|word| word == "mcve") {
        words.remove(1);
    }
    on_large_stack(move || {
        let given = words.clone();
        let (toolchain, words) = toolchain(words);
        match PackageArgs::try_parse_from(&words) {
            Ok(args) => {
                let toolchain = toolchain.or_else(inherited::toolchain);
                run::end(package(&args, toolchain))
            }
            // As `mcve` itself has it.
            Err(error) if error.use_stderr() && is_of_mcve(&words) => run::main(given),
            Err(error) => {
                let _ = error.print();
                if error.use_stderr() { Exit::Usage.code() } else { Exit::Done.code() }
            }
        }
    })
}

/// The arguments of `cargo mcve`, as clap knows them.
#[cfg(test)]
pub(super) fn command() -> clap::Command {
    <PackageArgs as clap::CommandFactory>::command()
}

/// Whether these words are a command line of `mcve`: with a file, or a command of its own.
fn is_of_mcve(words: &[OsString]) -> bool {
    match parse(words) {
        Ok((_, Command::Reduce(args))) => args.file.exists() || names_file(&args.file),
        Ok(_) => true,
        Err(_) => false,
    }
}

/// Whether a word that names nothing is meant for the name of a file.
fn names_file(word: &Path) -> bool {
    word.extension().is_some() || word.components().count() > 1
}

/// Looks for the failure of a package and reduces it.
fn package(args: &PackageArgs, toolchain: Option<String>) -> Result<Exit, Failed> {
    check(args).map_err(|why| failed!(Usage, why))?;
    let limits = work::limits(args.failure.timeout, args.search.budget)?;
    let spec = args.spec()?;
    let wrapper = std::env::current_exe().context("this program is not found").map_err(messages::check)?;
    let mut observer = Shared::new(work::observer(&args.output_args)?);
    let mut session = args.failure.sandbox.session(toolchain, limits, args.failure.memory)?;
    session.jobs = work::jobs(args.search.jobs, &mut observer);
    let done = reduce(&spec, &session, wrapper, &observer)?;
    observer.close().map_err(messages::cannot_print)?;
    Ok(work::exit(done.ending))
}
