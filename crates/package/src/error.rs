//! Errors that stop the reduction of a package.

use std::fmt;
use std::time::{Duration, Instant};

use mcve_reduce::check::limits::Stop;
use mcve_reduce::failure::error::{Class, FailureError};
use mcve_reduce::modes::task::TaskError;

/// The reason why a package is not reduced.
#[derive(Debug)]
#[non_exhaustive]
pub enum PackageError {
    /// cargo or a compiler cannot be used.
    Unavailable(anyhow::Error),
    /// The package cannot be read, with the message of cargo or the system.
    Input(anyhow::Error),
    /// No command of cargo shows the failure, with a message.
    NotFailing(String),
    /// A command of cargo fails, but the failing part of the package is unknown.
    Unknown {
        /// The command.
        verb: &'static str,
        /// A description of the unknown part.
        what: &'static str,
        /// The output of cargo.
        printed: String,
        /// The output line about an access that the sandbox denied.
        denied: Option<String>,
    },
    /// Parts of a diagnostic are to be kept, but this is not a compilation failure.
    PartsOfRun(String),
    /// Nothing in the package has this name, which the user wants to keep.
    Unnamed(String),
    /// A result cannot be written.
    Output(anyhow::Error),
    /// A reduction has no result.
    Task(TaskError),
    /// The run was stopped.
    Stopped(Stop),
    /// The budget was spent before there was a result: what took the time, and how long.
    Spent(&'static str, Duration),
}

impl PackageError {
    /// The same error, which says what took the time since `began` if that was the budget.
    pub(super) fn after(self, what: &'static str, began: Instant) -> Self {
        if self.class() == Class::OutOfTime { Self::Spent(what, began.elapsed()) } else { self }
    }

    /// The class of the error, which decides the advice to the user.
    pub fn class(&self) -> Class {
        match self {
            Self::Unavailable(_) => Class::Check,
            Self::Input(_) => Class::Input,
            Self::NotFailing(_) | Self::Unknown { .. } => Class::NotFailing,
            Self::PartsOfRun(_) | Self::Unnamed(_) => Class::Usage,
            Self::Output(_) => Class::Output,
            Self::Task(error) => error.class(),
            Self::Stopped(stop) => Class::of_stop(stop),
            Self::Spent(..) => Class::OutOfTime,
        }
    }
}

impl From<TaskError> for PackageError {
    fn from(error: TaskError) -> Self {
        Self::Task(error)
    }
}

impl From<FailureError> for PackageError {
    fn from(error: FailureError) -> Self {
        Self::Task(error.into())
    }
}

impl From<Stop> for PackageError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// Omits advice about options of the command.
impl fmt::Display for PackageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable(error) | Self::Input(error) | Self::Output(error) => {
                write!(f, "{error:#}")
            }
            Self::NotFailing(why) => f.write_str(why),
            Self::Unknown { verb, what, printed, denied } => {
                write!(f, "`cargo {verb}` fails, and {what}; it printed:\n{printed}")?;
                denied.iter().try_for_each(|line| write!(f, "\n{}", denied_by_sandbox(line)))
            }
            Self::PartsOfRun(failing) => write!(f, "--match is about what the compiler says, and {failing}"),
            Self::Unnamed(name) => write!(f, "nothing in the package is called {name}, which is to be kept"),
            Self::Task(error) => write!(f, "{error}"),
            Self::Stopped(stop) => write!(f, "{stop}"),
            Self::Spent(what, took) => {
                write!(f, "{}: {what} took {:.0} s; the same command goes on", Stop::Budget, took.as_secs_f64())
            }
        }
    }
}

/// The remark on an output line about an access that the sandbox may have denied.
pub(super) fn denied_by_sandbox(line: &str) -> String {
    format!(
        "cargo and what it runs were in a sandbox and printed: {line}. There they write to the target folder and temporary files only, and connect to nothing; it was not tried without"
    )
}
