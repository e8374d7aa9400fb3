//! The errors of the search for a failure.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::compiler::Compiled;
use crate::check::limits::Stop;
use crate::exec::job::{ExecError, JobResult};
use crate::oracle::obstacles::Obstacle;

/// Why a file has no failure to keep.
#[derive(Debug)]
pub struct FailureError {
    /// The file.
    pub file: PathBuf,
    /// The reason.
    pub cause: Cause,
    /// The command that shows it to a person.
    pub command: Option<String>,
}

/// The reason why there is no failure to keep.
#[derive(Debug)]
#[non_exhaustive]
pub enum Cause {
    /// The file is not Rust.
    NotRust,
    /// Its headers need crates whose files, with these names, are missing.
    MissingCrates(String),
    /// Its headers need crates through headers, with these names, that mcve does not follow.
    UnsupportedHeaders(String),
    /// Its headers request to run, load or write something: a line each.
    Untrusted(Vec<String>),
    /// Its headers name a procedural macro, and there is no sandbox for it.
    UnconfinedMacro,
    /// Files, crates or variables are missing, and its errors may be due to that.
    Incomplete(Vec<Obstacle>),
    /// The file for the standard input cannot be read.
    Stdin(anyhow::Error),

    /// It compiles, and does not fail when it is run.
    Compiles(Box<Compiled>, Ran),
    /// It does not compile, so that it cannot be run: the failure, and the likely reason if cargo compiled it.
    DoesNotCompile(String, Option<&'static str>),
    /// The compiler did not end within this time.
    TimedOut(Duration),
    /// The program did not end within this time.
    RunTimedOut(Duration),
    /// The compiler of this name ended in a way that is no failure of a program or a compiler.
    Unknown(String, Box<JobResult>),
    /// It does not show the requested failure, for this reason.
    Absent(String),
    /// It shows the failure, but a condition does not hold, for this reason.
    Unmet(String),
    /// A condition besides a script or a command does not hold, for this reason.
    UnmetBesides(String),
    /// The first check shows a failure that cargo did not show; the most likely reason.
    NotOfCargo(String, &'static str),
    /// The failure comes from the memory limit, in MiB.
    MemoryLimit(u64, String),

    /// The requested conditions conflict: how, and what to ask for instead.
    Conflict(String),
    /// This system has no sandbox for programs that are run.
    NoSandbox,
    /// A compiler or a tool cannot be used, or the inputs that the run started with have changed.
    Unavailable(anyhow::Error),
    /// The run was stopped.
    Stopped(Stop),
}

/// The result of running a program that compiles.
#[derive(Debug)]
pub enum Ran {
    /// It was not run, as the requested failure is one of the compiler.
    NotAsked,
    /// It was not run, as there is no sandbox for it.
    NotAllowed,
    /// It passed: the description of what was run, if anything.
    Passed(String),
    /// It cannot be compiled in the way that the run needs: `it` or `its tests`, and the result.
    NotCompiled(&'static str, Box<JobResult>),
}

/// The kinds of causes, by what the user can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The failure is absent.
    NotFailing,
    /// The request makes no sense.
    Usage,
    /// The failure appears only sometimes.
    Flaky,
    /// The input cannot be used.
    Input,
    /// A check cannot be run.
    Check,
    /// A result cannot be written.
    Output,
    /// The run was interrupted.
    Interrupted,
    /// The time of the run ran out.
    OutOfTime,
}

impl Class {
    /// The cause for a run that was stopped before it had a result.
    pub fn of_stop(stop: &Stop) -> Self {
        match stop {
            Stop::Interrupted => Self::Interrupted,
            Stop::Budget => Self::OutOfTime,
            Stop::Output(_) => Self::Output,
            Stop::Exec(_) | Stop::Refuted => Self::Check,
        }
    }
}

impl Cause {
    /// The class of the cause, by what the user can do.
    pub fn class(&self) -> Class {
        match self {
            Self::NotRust
            | Self::MissingCrates(_)
            | Self::UnsupportedHeaders(_)
            | Self::Untrusted(_)
            | Self::UnconfinedMacro
            | Self::Incomplete(_)
            | Self::Stdin(_) => Class::Input,
            Self::Compiles(..)
            | Self::DoesNotCompile(..)
            | Self::TimedOut(_)
            | Self::RunTimedOut(_)
            | Self::Unknown(..)
            | Self::Absent(_)
            | Self::Unmet(_)
            | Self::UnmetBesides(_)
            | Self::NotOfCargo(..)
            | Self::MemoryLimit(..) => Class::NotFailing,
            Self::Conflict(_) | Self::NoSandbox => Class::Usage,
            Self::Unavailable(_) => Class::Check,
            Self::Stopped(stop) => Class::of_stop(stop),
        }
    }
}

impl FailureError {
    /// Requests conflict: how, and what to ask for instead.
    pub(super) fn conflict(what: &str, advice: &str) -> Self {
        Cause::Conflict(format!("{what}: {advice}")).into()
    }
}

impl From<Cause> for FailureError {
    fn from(cause: Cause) -> Self {
        Self { file: PathBuf::new(), cause, command: None }
    }
}

impl From<ExecError> for FailureError {
    fn from(error: ExecError) -> Self {
        Cause::Unavailable(error.into()).into()
    }
}

impl From<anyhow::Error> for FailureError {
    fn from(error: anyhow::Error) -> Self {
        Cause::Unavailable(error).into()
    }
}

impl From<Stop> for FailureError {
    fn from(stop: Stop) -> Self {
        Cause::Stopped(stop).into()
    }
}

/// Without advice for the user of the command, but for a conflict.
impl fmt::Display for FailureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display();
        match &self.cause {
            Cause::NotRust => write!(f, "{file} is not Rust"),
            Cause::MissingCrates(names) => {
                write!(f, "{file} needs other crates, and their files are not all there: {names}, in the folder auxiliary beside it")
            }
            Cause::UnsupportedHeaders(names) => {
                write!(f, "{file} needs other crates by {names}, which mcve does not follow")
            }
            Cause::Untrusted(lines) => {
                write!(f, "{file} asks by its headers for what may run, load or write something:")?;
                lines.iter().try_for_each(|line| write!(f, "\n  {line}"))
            }
            Cause::UnconfinedMacro => {
                write!(f, "{file} names a procedural macro by its headers, which rustc runs, and no sandbox holds it")
            }
            Cause::Incomplete(obstacles) => {
                write!(f, "{file} is not all of its program:")?;
                obstacles.iter().try_for_each(|obstacle| write!(f, "\n  {obstacle}"))
            }
            Cause::Stdin(error) | Cause::Unavailable(error) => write!(f, "{error:#}"),
            Cause::Compiles(compiled, ran) => {
                write!(f, "{file} compiles")?;
                compiled.edition.iter().try_for_each(|edition| write!(f, " (edition {edition})"))?;
                write!(f, ", as a library too{ran}: there is no failure to keep")
            }
            Cause::DoesNotCompile(failure, reason) => {
                write!(f, "{file} does not compile, so it cannot be run: {failure}")?;
                reason.iter().try_for_each(|why| write!(f, "; cargo compiled it, so that most likely {why}"))
            }
            Cause::TimedOut(limit) => {
                write!(f, "the check of {file} did not end in {}", humantime::format_duration(*limit))
            }
            Cause::RunTimedOut(limit) => {
                let limit = humantime::format_duration(*limit);
                write!(f, "{file} compiles, and did not end in {limit} when it was run")
            }
            Cause::Unknown(compiler, result) => {
                let said = result.excerpt();
                write!(f, "`{compiler}` ended with {} on {file}, and shows no failure:\n{said}", result.end)
            }
            Cause::Absent(why) => write!(f, "{file}: it does not show what was asked for: {why}"),
            Cause::Unmet(why) => write!(f, "{file}: the failure is there, and this does not hold: {why}"),
            Cause::UnmetBesides(why) => write!(f, "{file}: this does not hold: {why}"),
            Cause::NotOfCargo(error, why) => {
                write!(f, "{file}: the first check shows what cargo did not show: {error}\nmost likely {why}")
            }
            Cause::MemoryLimit(size, failure) => {
                write!(f, "the failure comes from the limit of {size} MiB of memory that mcve sets: {failure}")
            }
            Cause::Conflict(conflict) => f.write_str(conflict),
            Cause::NoSandbox => f.write_str(
                "this system has no sandbox for checks (Landlock, or namespaces), and a reduced program may delete files that the whole one never touches",
            ),
            Cause::Stopped(stop) => write!(f, "{stop}"),
        }
    }
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAsked => Ok(()),
            Self::Passed(ran) if ran.is_empty() => Ok(()),
            Self::NotAllowed => f.write_str("; outside of a sandbox it is run only on request"),
            Self::Passed(ran) => write!(f, "; {ran}"),
            Self::NotCompiled(what, result) => write!(f, "; {what} cannot be compiled and run:\n{}", result.excerpt()),
        }
    }
}
