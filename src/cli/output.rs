//! From what the user names to where results go: the output.

use std::ffi::OsStr;
use std::path::Path;

use super::args::ReduceArgs;
use super::exit::{Exit, Failed, OrExit, failed};
use super::input;
use super::messages::say;
use super::run_args::{MessageFormat, OutputArgs};
use mcve_reduce::output::{Output, default_path, folder, put_aside_message, same_file};
use mcve_reduce::program::Program;

/// Where the result goes.
///
/// A program of several files that is reduced in place goes there at the end.
pub(super) fn output(args: &ReduceArgs, program: &Program) -> Result<Output, Failed> {
    let in_place = args.in_place && program.is_lone();
    let is_stdin = input::is_stdin(&args.file);
    if is_stdin && args.in_place {
        return Err(failed!(Usage, "standard input has no place: leave --in-place out"));
    }
    // What comes from a pipe goes on to the next one.
    let file = (is_stdin || in_place && args.file.is_file()).then_some(&args.file);
    let named = args.output.as_ref().or(file);
    let path = match named {
        Some(path) => path.clone(),
        None if args.file.is_dir() => {
            // Beside it, also where it is called `.`.
            let called =
                if args.file.file_name().is_some() { Some(args.file.clone()) } else { args.file.canonicalize().ok() };
            let called = called.unwrap_or_default();
            let mut name = called.file_name().unwrap_or("folder".as_ref()).to_owned();
            name.push("_mcve.rs");
            called.with_file_name(name)
        }
        None if args.file.exists() && !args.file.is_file() => {
            return Err(failed!(Usage, "no result can be written beside {}: name a file with -o", args.file.display()));
        }
        None if args.choices => default_path(&input::made_file(&args.file)),
        None => default_path(&args.file),
    };
    let output = match named {
        Some(path) => output_at(path, &args.run.output_args)?,
        None => Output::at_default(&path).or_exit(Exit::Output)?,
    };
    if !in_place && output.file().is_some() && same_file(&path, &args.file) {
        return Err(failed!(Usage, "the output is the input; to replace it and keep a copy, use --in-place"));
    }
    Ok(output)
}

/// The output that the user names, `-` for standard output. Fails when nothing can be written there, or it is where events go.
pub(super) fn output_at(path: &Path, output_args: &OutputArgs) -> Result<Output, Failed> {
    let is_stdout = path.as_os_str() == OsStr::new("-");
    let output = if is_stdout { Output::stdout() } else { Output::at(path) };
    let output = output.or_exit(Exit::Output)?;
    if matches!(output, Output::Stdout) && output_args.message_format == MessageFormat::Json {
        let shown = path.display();
        return Err(failed!(Usage, "--message-format json and --output {shown} both want standard output"));
    }
    Ok(output)
}

/// Checks that a folder can be made at `path`.
pub(super) fn check_place(path: &Path) -> Result<(), Failed> {
    let place = folder(path);
    if place.is_dir() { Ok(()) } else { Err(failed!(Output, "the folder {} does not exist", place.display())) }
}

/// Says on standard error that what stood where a result goes was put aside.
pub(super) fn warn_put_aside(path: Option<&Path>, aside: &Path) {
    say(format_args!("warning: {}", put_aside_message(path.unwrap_or(aside), aside)));
}
