//! Whether a file or a package fails with a toolchain, and how.

use anyhow::Context;

use super::args::PairArgs;
use super::exit::{Exit, Failed, OrExit};
use super::package_args::PackageArgs;
use super::{observers, setup};
use mcve_package::error::PackageError;
use mcve_package::observer::Shared;
use mcve_package::reduce::{Located, locate};
use mcve_reduce::check::limits::Limits;
use mcve_reduce::failure::error::FailureError;
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
    /// Fails if the options make no sense together, or nothing can be checked.
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

/// The failure of the package in the current folder with this toolchain, or why there is none. Fails as [`Question::find`].
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

impl From<NotFound> for Failed {
    fn from(error: NotFound) -> Self {
        match error {
            NotFound::File(error) => error.into(),
            NotFound::Package(error) => error.into(),
        }
    }
}
