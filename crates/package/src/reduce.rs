//! The reduction of a package: finds the failure, reduces it to one file in stages, and writes the result.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use super::build::{self, Cargo, Workspace};
use super::error::PackageError;
use super::find::{Found, find};
use super::folders::Folders;
use super::observer::Shared;
use super::regression;
use super::result;
use super::spec::PackageSpec;
use super::stages::Stages;
use mcve_reduce::event::{Ending, Summary};
use mcve_reduce::exec::programs;
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
    let toolchain = session.toolchain.as_deref();
    let program = build::program(toolchain).context("cannot run cargo").map_err(PackageError::Unavailable)?;
    // A missing toolchain is not an error of the package.
    let compiler = programs::rustc(None, toolchain).map_err(PackageError::Unavailable)?;
    let workspace = Workspace::read(&program, &compiler, toolchain, &spec.cargo.workspace);
    session.limits.proceed()?;
    let workspace = workspace.map_err(|why| PackageError::Input(anyhow!(why)))?;
    let folders = Folders::new(&workspace).map_err(|error| PackageError::Output(error.into()))?;
    let sandbox = session.tool_sandbox(&folders.open).context("cannot make a temporary folder");
    let cargo = Cargo {
        program,
        toolchain: session.toolchain.clone(),
        folder: None,
        stdin: spec.failure.stdin.clone(),
        compiler,
        target: folders.own.clone(),
        wrapper,
        sandbox: sandbox.map_err(PackageError::Unavailable)?,
    };
    let found = match &spec.passes_with {
        Some(old) => regression::find(spec, &cargo, &workspace.workspace_root, old, (&session.limits, observer)),
        None => find(spec, &cargo, workspace.workspace_root.join("Cargo.lock"), &session.limits, observer),
    };
    let Found { failing, lock: locked } = found?;
    let name = failing.call.environment.get("CARGO_PKG_NAME").unwrap_or(&failing.call.name).replace('-', "_");
    let file = format!("{name}_mcve.rs");
    let by_default;
    let output = match &spec.output {
        Some(output) => output,
        None => {
            by_default = Output::at_default(Path::new(&file)).map_err(|error| PackageError::Output(error.into()))?;
            &by_default
        }
    };
    let _lock = lock(output)?;
    observer.note(failing.to_string());
    let stages = Stages {
        spec,
        failing: &failing,
        output: folders.own.join(file),
        session: session.clone(),
        observer: observer.clone(),
        kept: RefCell::default(),
        build: String::from(failing.built(&spec.failure.identity())),
        begun: Cell::new(0),
    };
    let last = stages.reduce()?;
    let done = result::finish(&stages, &cargo, &locked, last, output)?;
    if done.ending == Ending::Complete {
        // The build output may change until the next run, which cannot reuse the journals.
        stages.forget();
    }
    Ok(done)
}
