//! Why a package is not reduced.

use std::fmt;

use mcve_reduce::check::limits::Stop;
use mcve_reduce::failure::error::{Class, FailureError};
use mcve_reduce::modes::task::TaskError;

/// Why a package is not reduced.
#[derive(Debug)]
#[non_exhaustive]
pub enum PackageError {
    /// cargo or a compiler cannot be used.
    Unavailable(anyhow::Error),
    /// The package cannot be read: what cargo, or the system, says.
    Input(anyhow::Error),
    /// The file for the standard input is not one that can be read again.
    Stdin(anyhow::Error),
    /// No command of cargo shows the failure: a sentence.
    NotFailing(String),
    /// A command of cargo fails, and it is not known what of the package does.
    Unknown {
        /// The command.
        verb: &'static str,
        /// What is not known, in words.
        what: &'static str,
        /// What cargo printed.
        printed: String,
        /// The line that tells of something that the sandbox has denied.
        denied: Option<String>,
    },
    /// Parts of a diagnostic are to be kept, and this fails.
    PartsOfRun(String),
    /// Nothing in the package has this name, which is to be kept.
    Unnamed(String),
    /// A result cannot be written.
    Output(anyhow::Error),
    /// A reduction has no result.
    Task(TaskError),
    /// The run was stopped.
    Stopped(Stop),
}

impl PackageError {
    /// What the user can do about it.
    #[must_use]
    pub fn class(&self) -> Class {
        match self {
            Self::Unavailable(_) => Class::Check,
            Self::Input(_) | Self::Stdin(_) => Class::Input,
            Self::NotFailing(_) | Self::Unknown { .. } => Class::NotFailing,
            Self::PartsOfRun(_) | Self::Unnamed(_) => Class::Usage,
            Self::Output(_) => Class::Output,
            Self::Task(error) => error.class(),
            Self::Stopped(stop) => Class::of_stop(stop),
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

/// Without what a user of the command can do about it.
impl fmt::Display for PackageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable(error) | Self::Input(error) | Self::Stdin(error) | Self::Output(error) => {
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
        }
    }
}

/// The remark on a line that tells of something that the sandbox has denied.
pub(super) fn denied_by_sandbox(line: &str) -> String {
    format!(
        "cargo and what it runs were in a sandbox, which seems to have denied something ({line}): they write to the target folder and temporary files only, and connect to nothing"
    )
}
