//! The reduction of a package: finds the failure, reduces it to one file in stages, and writes the result.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, anyhow};

use super::build::{self, Cargo, Workspace};
use super::error::PackageError;
use super::find::{Found, Look};
use super::folders::Folders;
use super::lock_file;
use super::observer::Shared;
use super::other_build;
use super::regression;
use super::result;
use super::spec::PackageSpec;
use super::stages::Stages;
use mcve_reduce::event::{Ending, Summary};
use mcve_reduce::exec::{programs, tool};
use mcve_reduce::failure::config::CompilerConfig;
use mcve_reduce::failure::problem::Problem;
use mcve_reduce::modes::task::lock;
use mcve_reduce::output::Output;
use mcve_reduce::session::Session;

/// Finds the failure of a package and reduces it. Cargo calls `wrapper` in place of the compiler; it has to call
/// [`record::wrap`](super::record::wrap).
///
/// # Errors
/// When nothing in the package fails, or cargo cannot be run, or the result cannot be written.
pub fn reduce(
    spec: &PackageSpec,
    session: &Session,
    wrapper: PathBuf,
    observer: &Shared,
) -> Result<Summary, PackageError> {
    let (cargo, folders, found, session) = &fail(spec, session, wrapper, observer)?;
    let failing = &found.failing;
    let name = failing.call.environment.get("CARGO_PKG_NAME").unwrap_or(&failing.call.name).replace('-', "_");
    let mut file = OsString::from(format!("{name}_mcve.rs"));
    let by_default;
    let output = match &spec.output {
        Some(output) => output,
        None => {
            by_default = Output::at_default(Path::new(&file)).map_err(|error| PackageError::Output(error.into()))?;
            &by_default
        }
    };
    let _lock = lock(output)?;
    // The command that shows the failure has the name.
    file = output.path().and_then(Path::file_name).map_or(file, OsStr::to_owned);
    observer.note(failing.to_string());
    let stages = Stages::new(spec, found, folders.own.join(file), session, observer);
    let began = Instant::now();
    let last = stages.reduce().map_err(|error| error.after("the first checks, without what cargo built,", began))?;
    let done = result::finish(&stages, cargo, found, last, output)?;
    if done.ending == Ending::Complete {
        // The build output may change until the next run, which cannot reuse the journals.
        stages.forget();
    }
    Ok(done)
}

/// A failure of a package.
pub struct Located {
    /// The root file of the program that shows it.
    pub file: PathBuf,
    /// This program with the failure.
    pub problem: Problem,
    /// The versions of dependencies with which the package passes, and those since which it fails, if that was asked for.
    pub since: Option<String>,
}

/// Finds the failure of a package.
///
/// # Errors
/// When nothing in the package fails, or cargo cannot be run.
pub fn locate(
    spec: &PackageSpec,
    session: &Session,
    wrapper: PathBuf,
    observer: &Shared,
) -> Result<Located, PackageError> {
    let (_, folders, found, session) = fail(spec, session, wrapper, observer)?;
    observer.note(found.failing.to_string());
    let (file, problem) = Stages::new(spec, &found, folders.own.clone(), &session, observer).locate()?;
    Ok(Located { file, problem, since: found.since })
}

/// What runs cargo and where, and the failure that it shows; and the session, whose budget begins behind that: a build may take as long.
fn fail(
    spec: &PackageSpec,
    session: &Session,
    wrapper: PathBuf,
    observer: &Shared,
) -> Result<(Cargo, Folders, Found, Session), PackageError> {
    let began = Instant::now();
    // The options of the first configuration that fails are for the failing crate alone.
    let first = spec.failure.fails_with.first().and_then(CompilerConfig::toolchain);
    let toolchain = first.or(session.toolchain.as_deref());
    let program = build::program(toolchain).context("cannot run cargo").map_err(PackageError::Unavailable)?;
    // A missing toolchain is not an error of the package.
    let compiler = programs::rustc(None, toolchain).map_err(PackageError::Unavailable)?;
    let options = spec.cargo.of(&["--manifest-path", "--locked", "--offline"]);
    let workspace = Workspace::read(&program, &compiler, toolchain, &options);
    session.limits.proceed()?;
    let workspace = workspace.map_err(|why| PackageError::Input(anyhow!(why)))?;
    let toolchains = other_build::toolchains(spec, toolchain);
    let folders = Folders::new(&workspace, &toolchains).map_err(|error| PackageError::Output(error.into()))?;
    let sandbox = session.tool_sandbox(&folders.open).context("cannot make a temporary folder");
    let cargo = Cargo {
        program,
        toolchain: toolchain.map(Into::into),
        folder: None,
        stdin: spec.failure.stdin.clone(),
        compiler,
        target: folders.own.clone(),
        wrapper,
        sandbox: sandbox.map_err(PackageError::Unavailable)?,
        temporary: session.folder().to_owned(),
    };
    lock_file::recover(&workspace.workspace_root.join("Cargo.lock"), &folders.own.join(lock_file::NOTE));
    let found = match &spec.passes_with {
        Some(old) => regression::find(spec, &cargo, &workspace.workspace_root, old, (&session.limits, observer)),
        None => {
            let lock = workspace.workspace_root.join("Cargo.lock");
            Look::new(spec, &cargo, lock, &session.limits, observer).and_then(|mut look| look.first())
        }
    };
    let found = found.and_then(|mut found| {
        let lock = workspace.workspace_root.join("Cargo.lock");
        let (builder, places, run) = ((&cargo, &folders), (lock, &toolchains[..]), (&session.limits, observer));
        found.others = other_build::build_all(spec, builder, &found, places, run)?;
        Ok(found)
    });
    let mut session = session.clone();
    session.limits = session.limits.later(began.elapsed());
    tool::end_by(&session.limits.interrupt, session.limits.deadline);
    let found = found.map_err(|error| error.after("what cargo built", began));
    found.map(|found| (cargo, folders, found, session))
}
