//! A package that fails since its dependencies changed: the versions that matter, of all that differ between two lock files. The
//! older one is the user's, or made by cargo with the versions that the user names.
//!
//! The runs are in a copy of the workspace, so that the user's lock file stays as it is.

use std::cell::RefCell;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

use anyhow::{Context, anyhow};
use mcve_dd::{KeepList, Outcome, ddmin};

use super::build::Cargo;
use super::dependency::Dependency;
use super::error::PackageError;
use super::failing::Failing;
use super::find::{Found, Look};
use super::lock_changes::LockChanges;
use super::observer::Shared;
use super::spec::{PackageSpec, PassingVersions, Verb};
use mcve_reduce::check::limits::Limits;

/// The folder below that of mcve for the copy of the workspace.
const COPY: &str = "workspace";

/// The folders that are not copied.
const LEFT_OUT: [&str; 2] = ["target", ".git"];

const LOCK: &str = "Cargo.lock";

/// Finds the failure of the package in the workspace at `root`, and the versions that it does not show with the `old` ones.
/// The failure is then that of a package with these versions new, and all others old.
/// Fails when the package does not fail, or fails with the old versions too, or cargo cannot be run.
pub(super) fn find(
    spec: &PackageSpec,
    cargo: &Cargo,
    root: &Path,
    old: &PassingVersions,
    (limits, observer): (&Limits, &Shared),
) -> Result<Found, PackageError> {
    let copy = cargo.target.join(COPY);
    let within = std::env::current_dir().ok().and_then(|folder| Some(folder.strip_prefix(root).ok()?.to_owned()));
    copy_folder(root, &copy, &cargo.target).context("cannot copy the workspace").map_err(PackageError::Output)?;
    let cargo = Cargo { folder: Some(copy.join(within.unwrap_or_default())), ..cargo.clone() };
    let new = read(&root.join(LOCK))?;
    let look = || Look::new(spec, &cargo, copy.join(LOCK), limits, observer);
    let (name, before, new) = match old {
        PassingVersions::LockFile(path) => (path.display().to_string(), read(path)?, new),
        PassingVersions::Of(versions) => {
            let (name, before) = of_versions(&cargo, &copy.join(LOCK), versions)?;
            (name, before, new)
        }
        PassingVersions::OlderThan(name) => {
            let mut look = look()?;
            let failing = &look.first()?.failing;
            let found = Dependency { name, cargo: &cargo, look, failing, observer }.neighbours()?;
            (format!("{name} {}", found.before), found.old, found.new)
        }
    };
    let locks = LockChanges::between(&before, &new)
        .map_err(|error| PackageError::Input(anyhow!("{name} or {LOCK} is no lock file: {error}")))?;
    if locks.changes.is_empty() {
        return Err(PackageError::NotFailing(format!("{LOCK} and {name} have the same versions")));
    }
    let mut look = look()?;
    // Those of the user, or the first ones that fail.
    look.lock.set(&new).context("cannot write the lock file").map_err(PackageError::Output)?;
    let Found { failing, .. } = look.first()?;
    let look = RefCell::new(look);
    let with = |taken: &[usize]| with(&mut look.borrow_mut(), &locks, taken, failing.verb);
    match with(&[])? {
        Some(None) => {}
        Some(Some(_)) => {
            let verb = failing.verb.name();
            return Err(PackageError::NotFailing(format!("`cargo {verb}` fails with {name}, too")));
        }
        None => return Err(PackageError::NotFailing(format!("the package does not build with {name}"))),
    }
    let mut tester = |keep: &KeepList| {
        let found = if keep.is_empty() { Some(None) } else { with(keep.kept())? };
        Ok::<_, PackageError>(match found {
            Some(Some(found)) if found.is_like(&failing) => Outcome::Fail,
            Some(None) => Outcome::Pass,
            _ => Outcome::Unresolved,
        })
    };
    let all = locks.changes.len();
    let kept = ddmin(KeepList::full(all), &mut tester)?;
    let changes: Vec<String> = kept.kept().iter().map(|at| locks.changes[*at].to_string()).collect();
    let since = format!("passes with {name}, and fails since: {}", changes.join(", "));
    observer.note(format!("it {since} (of {all} that differ)"));
    // The call of the last run may be of other versions.
    let failing = with(kept.kept())?.flatten().filter(|found| found.is_like(&failing)).unwrap_or(failing);
    let lock = look.borrow().lock.text().unwrap_or_default();
    Ok(Found { failing, lock, since: Some(since), others: Vec::new() })
}

fn read(path: &Path) -> Result<String, PackageError> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display())).map_err(PackageError::Input)
}

/// The words for these versions, and the lock file at `path` with them, which stays as it is.
fn of_versions(cargo: &Cargo, path: &Path, versions: &[(String, String)]) -> Result<(String, String), PackageError> {
    let new = read(path)?;
    let manifest = path.with_file_name("Cargo.toml");
    let updated = versions.iter().try_for_each(|(name, version)| cargo.update(&manifest, name, version, true));
    let old = read(path);
    fs::write(path, new).context("cannot write the lock file").map_err(PackageError::Output)?;
    updated.map_err(|why| PackageError::Input(anyhow!(why)))?;
    let old = old?;
    let is_there =
        |(name, version): &&(String, String)| old.contains(&format!("name = \"{name}\"\nversion = \"{version}\""));
    if let Some((name, version)) = versions.iter().find(|one| !is_there(one)) {
        return Err(PackageError::Input(anyhow!("`cargo update` does not change {name} to {version}")));
    }
    let shown: Vec<String> = versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
    Ok((shown.join(", "), old))
}

/// Runs cargo with these of the new versions: the failure, if there is one; none if these versions cannot be had together.
fn with(
    look: &mut Look<'_>,
    locks: &LockChanges,
    taken: &[usize],
    verb: Verb,
) -> Result<Option<Option<Failing>>, PackageError> {
    let written = look.lock.set(&locks.with(taken));
    written.context("cannot write the lock file").map_err(PackageError::Output)?;
    let found = match look.try_verb(verb) {
        Err(PackageError::Unknown { .. }) => return Ok(None),
        found => found?,
    };
    let is_as_asked = look.lock.text().is_some_and(|lock| locks.are_in(&lock, taken));
    Ok(is_as_asked.then_some(found))
}

/// Makes the folder `to` like `from`, but for what is built and for the folder `without`. A file that is the same stays, so that cargo does not build it again.
fn copy_folder(from: &Path, to: &Path, without: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(to)? {
        let path = entry?.path();
        let is_there = path.file_name().is_some_and(|name| from.join(name).symlink_metadata().is_ok());
        match (is_there, path.is_dir() && !path.is_symlink()) {
            (true, _) => {}
            (false, true) => fs::remove_dir_all(&path)?,
            (false, false) => fs::remove_file(&path)?,
        }
    }
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, to) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_symlink() {
            let _ = fs::remove_file(&to);
            symlink(fs::read_link(entry.path())?, to)?;
        } else if kind.is_dir() {
            if entry.path() != without && !LEFT_OUT.iter().any(|name| entry.file_name() == *name) {
                copy_folder(&entry.path(), &to, without)?;
            }
        } else if kind.is_file() && fs::read(&to).ok() != Some(fs::read(entry.path())?) {
            fs::copy(entry.path(), &to)?;
        }
    }
    Ok(())
}
