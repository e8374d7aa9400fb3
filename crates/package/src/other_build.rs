//! The libraries of a package as another toolchain builds them: a compiler reads none of another one.

use std::path::PathBuf;

use anyhow::Context;

use super::build::{self, Built, Cargo};
use super::call::Call;
use super::error::PackageError;
use super::find::{Found, Look};
use super::folders::Folders;
use super::observer::Shared;
use super::spec::PackageSpec;
use mcve_reduce::check::limits::Limits;
use mcve_reduce::exec::programs;
use mcve_reduce::exec::job::{End, JobResult};
use mcve_reduce::failure::compiler::said_instead;
use mcve_reduce::failure::config::CompilerConfig;

/// The endings of built libraries.
const ENDINGS: [&str; 3] = ["rmeta", "rlib", "so"];

/// What a toolchain made of the libraries that the failing crate uses.
#[derive(Debug)]
pub(super) struct OtherBuild {
    toolchain: String,
    /// The path of each library and folder of the failing build, and that of the same in this one.
    libraries: Vec<(String, String)>,
}

impl OtherBuild {
    /// A configuration that finds the libraries of its toolchain, if this is the build by that.
    pub(super) fn complete(&self, config: &CompilerConfig) -> Option<CompilerConfig> {
        (config.toolchain() == Some(&*self.toolchain)).then(|| config.with_libraries(&self.libraries))
    }
}

/// The toolchains of `spec` besides the one that shows the failure, each once.
pub(super) fn toolchains(spec: &PackageSpec, failing: Option<&str>) -> Vec<String> {
    let mut names: Vec<String> = spec.failure.configs().filter_map(CompilerConfig::toolchain).map(Into::into).collect();
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
        let missing = found.failing.call.externs.iter().find(|used| used.path.as_ref().is_some_and(|path| !is_there(path)));
        if let Some(used) = missing {
            let said = built.failed_call().map(|call| call.said.as_bytes().to_vec()).unwrap_or_default();
            let why = said_instead(&JobResult { stderr: said, ..JobResult::ended(End::Exited(1)) });
            return Err(PackageError::NotFailing(format!("with +{name} `{}` does not build{why}", used.name)));
        }
        builds.push(OtherBuild { toolchain: name.clone(), libraries });
    }
    Ok(builds)
}

/// The paths of what `calls` made, each with the path of the same library or folder in another build.
fn libraries(calls: &[Call], built: &Built) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for call in calls {
        let Some(other) = built.calls.iter().rev().find(|other| is_same(call, other)) else { continue };
        let of = |call: &Call, end| format!("{}/lib{}{}.{end}", call.made_in.display(), call.name, call.suffix);
        all.extend(ENDINGS.map(|end| (of(call, end), of(other, end))));
        all.push((call.made_in.display().to_string(), other.made_in.display().to_string()));
    }
    all.sort();
    all.dedup();
    all
}

/// Whether two toolchains build the same by these calls.
fn is_same(call: &Call, other: &Call) -> bool {
    let key = |call: &Call| {
        let is_of_crate = |argument: &&String| argument.starts_with("--cfg=") || argument.starts_with("--target=");
        let mut options: Vec<String> = call.arguments.iter().filter(is_of_crate).cloned().collect();
        options.sort();
        (call.root.clone(), call.name.clone(), call.form.clone(), call.is_test, call.is_checked, options)
    };
    key(call) == key(other)
}
