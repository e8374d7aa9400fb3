//! Whether a file or a package fails with a toolchain, and how.

use anyhow::Context;

use super::args::PairArgs;
use super::channels::Answer;
use super::exit::{Exit, Failed, OrExit};
use super::package_args::PackageArgs;
use super::{observers, setup};
use mcve_package::error::PackageError;
use mcve_package::observer::Shared;
use mcve_package::reduce::{Located, locate};
use mcve_reduce::check::limits::Limits;
use mcve_reduce::failure::error::{Cause, Class, FailureError};
use mcve_reduce::failure::problem::Problem;

/// What fails, and what the failure is.
pub(super) enum Question {
    File(Box<PairArgs>),
    /// The package in the current folder.
    Package(Box<PackageArgs>),
}

/// Why nothing shows the failure.
pub(super) enum NotFound {
    File(FailureError),
    Package(PackageError),
}

impl Question {
    /// The failure with this toolchain, or why there is none.
    ///
    /// # Errors
    /// If the options make no sense together, or nothing can be checked.
    pub(super) fn find(&self, limits: &Limits, toolchain: Option<String>) -> Result<Result<Problem, NotFound>, Failed> {
        match self {
            Self::File(args) => {
                Ok(args.find(limits.clone(), toolchain)?.map(|start| start.problem).map_err(NotFound::File))
            }
            Self::Package(args) => {
                Ok(package(args, limits, toolchain)?.map(|located| located.problem).map_err(NotFound::Package))
            }
        }
    }
}

/// The failure of the package in the current folder with this toolchain, or why there is none.
///
/// # Errors
/// As of [`Question::find`].
pub(super) fn package(
    args: &PackageArgs,
    limits: &Limits,
    toolchain: Option<String>,
) -> Result<Result<Located, PackageError>, Failed> {
    let wrapper = std::env::current_exe().context("this program is not found").or_exit(Exit::Check)?;
    let mut observer = observers::observer(&args.run.output_args, limits.deadline)?;
    let mut session = args.failure.sandbox.session(toolchain, limits.clone(), args.failure.memory)?;
    session.jobs = setup::jobs(args.run.search.jobs, &mut *observer);
    Ok(locate(&args.spec()?, &session, wrapper, &Shared::new(observer)))
}

impl NotFound {
    /// How the program behaves instead.
    pub(super) fn answer(&self) -> Answer {
        let (class, said) = match self {
            Self::File(error) => (error.cause.class(), error.to_string()),
            Self::Package(error) => (error.class(), error.to_string()),
        };
        let line = |number| said.lines().nth(number).unwrap_or_default().trim().to_owned();
        match self {
            Self::File(FailureError { cause: Cause::Unknown(..), .. }) => Answer::Refuses(line(1)),
            // The first of what is missing: `the program uses features of a nightly compiler: ..`.
            Self::File(FailureError { cause: Cause::Incomplete(..), .. }) => {
                Answer::Refuses(line(1).split(": ").next().unwrap_or_default().to_owned())
            }
            Self::Package(PackageError::Unknown { .. }) => Answer::Unknown(line(0)),
            _ if class == Class::NotFailing => Answer::Passes,
            _ => Answer::Unknown(line(0)),
        }
    }
}

impl From<NotFound> for Failed {
    fn from(error: NotFound) -> Self {
        match error {
            NotFound::File(error) => error.into(),
            NotFound::Package(error) => error.into(),
        }
    }
}
