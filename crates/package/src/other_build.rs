//! Builds the libraries of a package by other toolchains: a compiler cannot read those of another one.

use std::path::PathBuf;

use anyhow::Context;

use super::build::{self, Cargo};
use super::error::PackageError;
use super::find::{Found, Look};
use super::folders::Folders;
use super::libraries::{OtherBuild, libraries};
use super::observer::Shared;
use super::spec::PackageSpec;
use mcve_reduce::check::limits::Limits;
use mcve_reduce::exec::job::{End, JobResult};
use mcve_reduce::exec::programs;
use mcve_reduce::failure::compiler::said_instead;

/// The toolchains of `spec` besides the one that shows the failure, each once.
pub(super) fn toolchains(spec: &PackageSpec, failing: Option<&str>) -> Vec<String> {
    let mut failure = spec.failure.clone();
    let mut names: Vec<String> = failure.configs_mut().filter_map(|way| way.toolchain().map(Into::into)).collect();
    names.retain(|name| Some(&**name) != failing);
    names.sort();
    names.dedup();
    names
}

/// Builds with each of these toolchains what `cargo` has built for `found`.
/// Fails when cargo cannot be run, or a library does not build that the failing crate uses.
pub(super) fn build_all(
    spec: &PackageSpec,
    (cargo, folders): (&Cargo, &Folders),
    found: &Found,
    (lock, toolchains): (PathBuf, &[String]),
    (limits, observer): (&Limits, &Shared),
) -> Result<Vec<OtherBuild>, PackageError> {
    let mut builds = Vec::new();
    for name in toolchains {
        let failed = |error| PackageError::Unavailable(error);
        let other = Cargo {
            program: build::program(Some(name)).context("cannot run cargo").map_err(failed)?,
            toolchain: Some(name.clone()),
            compiler: programs::rustc(None, Some(name)).map_err(failed)?,
            target: folders.of_toolchain(name),
            ..cargo.clone()
        };
        observer.note(format!("cargo builds with +{name}, too"));
        let mut look = Look::new(spec, &other, lock.clone(), limits, observer)?;
        look.lock.set(&found.lock).context("cannot write the lock file").map_err(PackageError::Output)?;
        let built = look.build(found.failing.verb)?;
        let libraries = libraries(&found.failing.calls, &built);
        let is_there = |path: &PathBuf| libraries.iter().any(|(from, _)| path.as_os_str() == from.as_str());
        let missing =
            found.failing.call.externs.iter().find(|used| used.path.as_ref().is_some_and(|path| !is_there(path)));
        if let Some(used) = missing {
            let said = built.failed_call().map(|call| call.said.as_bytes().to_vec()).unwrap_or_default();
            let why = said_instead(&JobResult { stderr: said, ..JobResult::ended(End::Exited(1)) });
            return Err(PackageError::NotFailing(format!("with +{name} `{}` does not build{why}", used.name)));
        }
        builds.push(OtherBuild { toolchain: name.clone(), libraries: libraries.into() });
    }
    Ok(builds)
}
