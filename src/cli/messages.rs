//! Errors as the user of the command reads them: what is wrong, what to do, and how the process exits.

use std::io::{IsTerminal, Write};

use anyhow::anyhow;

use super::exit::{Exit, Failed};
use super::sandbox::advice;
use crate::report::terminal::{Shown, unless_closed};
use mcve_package::error::PackageError;
use mcve_reduce::check::limits::Stop;
use mcve_reduce::check::refusal::Refusal;
use mcve_reduce::failure::error::{Cause, Class, FailureError, Ran};
use mcve_reduce::failure::problem::Refused;
use mcve_reduce::modes::task::TaskError;
use mcve_reduce::visible::is_hidden;

/// An error that events cannot be written.
pub(super) fn cannot_print(error: std::io::Error) -> Failed {
    Failed::new(Exit::Output, anyhow::Error::new(error).context("cannot write events to standard output"))
}

/// Says something on standard error. If the stream is closed, nothing can be said.
pub(super) fn say(message: impl std::fmt::Display) {
    Shown::plain(message).say();
}

/// Says why a command line is wrong, or prints the help that it asks for, and returns how to exit.
pub(super) fn usage(error: &clap::Error) -> u8 {
    let text = error.to_string();
    if text.contains(is_hidden) {
        say(text.trim_end());
    } else {
        // If the stream is closed, nothing can be printed.
        let _ = error.print();
    }
    if error.use_stderr() { Exit::Usage.code() } else { Exit::Done.code() }
}

/// Prints a result: for people on a terminal, where `shown` is what they read, and else its bytes.
pub(super) fn print(result: &[u8], shown: impl FnOnce(&str) -> Shown) -> std::io::Result<()> {
    let mut stdout = std::io::stdout();
    if stdout.is_terminal() {
        return shown(&String::from_utf8_lossy(result)).print();
    }
    unless_closed(stdout.write_all(result))
}

impl From<Class> for Exit {
    fn from(class: Class) -> Self {
        match class {
            Class::NotFailing => Self::NotFailing,
            Class::Usage => Self::Usage,
            Class::Flaky => Self::Flaky,
            Class::Input => Self::Input,
            Class::Check => Self::Check,
            Class::Output => Self::Output,
            Class::Interrupted => Self::Interrupted,
            Class::OutOfTime => Self::OutOfTime,
        }
    }
}

/// A run that was stopped before there was a result.
impl From<Stop> for Failed {
    fn from(stop: Stop) -> Self {
        FailureError::from(stop).into()
    }
}

/// There is no failure to keep.
impl From<FailureError> for Failed {
    fn from(error: FailureError) -> Self {
        let exit = error.cause.class().into();
        let (hint, command) = (hint(&error.cause) + of_package(&error), error.command.as_deref());
        let by_hand = command.map(|command| format!("\nto see it by hand: {command}")).unwrap_or_default();
        Self::new(exit, anyhow!("{error}{hint}{by_hand}"))
    }
}

/// The command for a file of a package that misses a part of it.
fn of_package(error: &FailureError) -> &'static str {
    let file = std::path::absolute(&error.file).unwrap_or_default();
    let is_in_package = || file.ancestors().skip(1).any(|folder| folder.join("Cargo.toml").is_file());
    let is_incomplete = matches!(error.cause, Cause::Incomplete(_) | Cause::MissingCrates(_));
    if is_incomplete && is_in_package() { "\nthis is a package: `cargo mcve`" } else { "" }
}

/// The options that help.
fn hint(cause: &Cause) -> String {
    let fixed = match cause {
        Cause::NotRust => {
            ": to reduce it as text, say by --test SCRIPT or by a command when the failure is there; to compile it all the same: --force"
        }
        Cause::MissingCrates(_) => "; to reduce it without them: --force",
        Cause::UnsupportedHeaders(_) => {
            ": compile them and name them by `-- --extern NAME=PATH`; to reduce it without them: --force"
        }
        Cause::Untrusted(_) => "\nto follow them, if you trust the file: --trust-headers",
        Cause::UnconfinedMacro => ": to run it, if you trust the file: --trust-headers",
        Cause::Incomplete(_) => "\nto reduce it with these errors: --force",
        Cause::TimedOut(_) => ": see --timeout, or keep that by --hang TIME",
        Cause::RunTimedOut(_) => ": see --timeout, or keep that by --run --hang TIME",
        Cause::NotOfCargo(..) => "; to reduce it all the same: --force",
        Cause::MemoryLimit(..) => "\nset another one by --memory, or keep this failure by --force",
        Cause::NoSandbox => "; to run candidates all the same: --sandbox off",
        Cause::Compiles(compiled, ran) => {
            let run = if matches!(ran, Ran::NotAllowed) { "; to run it: --run, or --test-name NAME" } else { "" };
            let others = compiled.other_editions.iter().map(|(edition, failure)| {
                format!("\nas edition {edition} it does not: {failure}; to keep that: -- --edition {edition}")
            });
            return format!("{run}{}{}", others.collect::<String>(), of_warnings(&compiled.warnings));
        }
        _ => "",
    };
    fixed.to_owned()
}

/// So many warnings of a file that compiles are told.
const WARNINGS: usize = 3;

/// How to keep what a file that compiles shows.
fn of_warnings(warnings: &[(String, String)]) -> String {
    let shown = warnings.iter().take(WARNINGS).map(|(lint, words)| format!("\n{words}; to keep that: --lint {lint}"));
    let more = warnings.len().saturating_sub(WARNINGS);
    let more = if more > 0 { format!("\n.. and {more} more lints") } else { String::new() };
    shown.collect::<String>()
        + &more
        + "\nto reduce what another tool says of it: --tool clippy, rustdoc, rustfmt or rust-analyzer"
}

/// A reduction has no result.
impl From<TaskError> for Failed {
    fn from(error: TaskError) -> Self {
        match error {
            TaskError::Failure(error) => error.into(),
            TaskError::Refused(refused) => (*refused).into(),
            TaskError::NoUiTest(why) => Self::new(Exit::Usage, anyhow!("--as-ui-test cannot be used here: {why}")),
            error => Self::new(error.class().into(), anyhow!("{error}")),
        }
    }
}

/// A package is not reduced.
impl From<PackageError> for Failed {
    fn from(error: PackageError) -> Self {
        match error {
            PackageError::Task(error) => error.into(),
            PackageError::Stopped(stop) => stop.into(),
            error => {
                let hint = match &error {
                    PackageError::Unknown { denied: Some(_), .. } => "; to let them: --writable PATH, or --sandbox off",
                    PackageError::Unknown { printed, .. } if printed.contains("no test target named") => {
                        "\n--test is for a file in `tests`; one test is reduced by its name: `cargo mcve test NAME`"
                    }
                    _ => "",
                };
                Self::new(error.class().into(), anyhow!("{error}{hint}"))
            }
        }
    }
}

/// The baseline refused a program.
impl From<Refused> for Failed {
    fn from(refused: Refused) -> Self {
        let hint = match &refused.refusal {
            Refusal::NotFailing(_, output) if refused.is_confined => advice(output.as_deref()),
            Refusal::NotFailing(..) | Refusal::FixedFails(_) => String::new(),
            Refusal::TimedOut(_) => ": see --timeout".to_owned(),
            Refusal::Flaky { times, runs, .. } => {
                format!("\nto keep that it fails in some runs: --runs {times}/{runs}; to go on all the same: --force")
            }
            Refusal::Trivial(..) => "\nto go on all the same: --force".to_owned(),
            Refusal::Stop(_) => return Self::new(refused.class().into(), anyhow!("{refused}")),
        };
        let command = &refused.command;
        Self::new(refused.class().into(), anyhow!("{refused}{hint}\nto see it by hand: {command}"))
    }
}
