//! The last version of a dependency with which a package does not fail: cargo is asked for lock files with older versions of it.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use mcve_dd::bisection::{bisect, passing_before};
use mcve_dd::outcome::Outcome;
use semver::Version;
use serde::Deserialize;

use super::build::Cargo;
use super::error::PackageError;
use super::failing::Failing;
use super::find::Look;
use super::lock_changes::{packages, text};
use super::observer::Shared;

/// A dependency of a package that fails.
pub(super) struct Dependency<'a> {
    pub(super) name: &'a str,
    pub(super) cargo: &'a Cargo,
    /// The workspace, and the command that fails there.
    pub(super) look: Look<'a>,
    pub(super) failing: &'a Failing,
    pub(super) observer: &'a Shared,
}

/// Two lock files, of neighbouring versions of a dependency.
pub(super) struct Neighbours {
    /// The version without the failure.
    pub(super) before: Version,
    pub(super) old: String,
    /// With the first version that shows it.
    pub(super) new: String,
}

/// A version as the index of a registry has it.
#[derive(Deserialize)]
struct Released {
    vers: Version,
    #[serde(default)]
    yanked: bool,
}

impl Dependency<'_> {
    /// Finds the last version before the failure, among those that the manifests permit and that are not yanked.
    /// Fails if the package does not use it, no version passes, or the run has to stop.
    pub(super) fn neighbours(&mut self) -> Result<Neighbours, PackageError> {
        let name = self.name;
        let new = self.look.lock.text().unwrap_or_default();
        let used =
            packages(&new.parse().unwrap_or_default()).into_iter().filter(|package| text(package, "name") == name);
        let used = used.filter_map(|package| text(&package, "version").parse::<Version>().ok()).max();
        let used = used.ok_or_else(|| PackageError::Input(anyhow!("Cargo.lock has no {name}")))?;
        let mut all = released(name);
        all.retain(|version| *version < used && (version.pre.is_empty() || !used.pre.is_empty()));
        all.push(used);
        let last = all.len() - 1;
        let mut locks = vec![None; last];
        locks.push(Some(new.clone()));
        let mut ask = |at: usize| self.ask(&all[last], &all[at], &new, &mut locks[at]);
        let none = || PackageError::NotFailing(format!("no older version of {name} was found with which it passes"));
        let passing = passing_before(last, 0, 1, &mut ask)?.ok_or_else(none)?;
        let found = bisect(passing, last, &mut ask)?;
        let mut lock = |at: usize| locks[at].take().unwrap_or_default();
        Ok(Neighbours { before: all[found.passing].clone(), old: lock(found.passing), new: lock(found.failing) })
    }

    /// Whether the package fails with a version in place of the one in the lock file `new`. Its lock file is then in `lock`.
    fn ask(
        &mut self,
        used: &Version,
        version: &Version,
        new: &str,
        lock: &mut Option<String>,
    ) -> Result<Outcome, PackageError> {
        let Self { name, cargo, look, failing, observer } = self;
        look.lock.set(new).context("cannot write the lock file").map_err(PackageError::Output)?;
        let which = format!("{name}@{used}");
        let (manifest, is_offline) = (look.manifest.clone(), look.is_offline());
        let updated = look.lock.change(|| cargo.update(&manifest, &which, &version.to_string(), is_offline));
        let (outcome, words) = match updated {
            Err(_) => (Outcome::Unresolved, "cargo cannot use it here"),
            Ok(()) => {
                *lock = look.lock.text();
                match look.try_verb(failing.verb) {
                    Ok(None) => (Outcome::Pass, "does not fail"),
                    Ok(Some(found)) if found.is_like(failing) => (Outcome::Fail, "fails in the same way"),
                    Ok(Some(_)) | Err(PackageError::Unknown { .. }) => (Outcome::Unresolved, "another failure"),
                    Err(error) => return Err(error),
                }
            }
        };
        observer.note(format!("{name} {version}: {words}"));
        Ok(outcome)
    }
}

/// The versions of a crate, the oldest one first, as cargo has read them from the index of its registry.
fn released(name: &str) -> Vec<Version> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo"))).unwrap_or_default();
    let registries = fs::read_dir(home.join("registry/index")).into_iter().flatten().flatten();
    let files = registries.filter_map(|registry| fs::read(registry.path().join(".cache").join(place(name))).ok());
    let mut all: Vec<Version> = files.flat_map(|file| in_index(&file)).collect();
    all.sort();
    all.dedup();
    all
}

/// Where the index of a registry has a crate.
fn place(name: &str) -> PathBuf {
    let name = name.to_lowercase();
    let parts = match name.len() {
        length @ 0..3 => vec![length.to_string()],
        3 => vec!["3".to_owned(), name.chars().take(1).collect()],
        _ => vec![name.chars().take(2).collect(), name.chars().skip(2).take(2).collect()],
    };
    parts.iter().map(OsStr::new).chain([OsStr::new(&name)]).collect()
}

/// The versions in a file of the index, in which each is an object between two zeros.
fn in_index(file: &[u8]) -> Vec<Version> {
    let parts = file.split(|byte| *byte == 0).filter_map(|part| serde_json::from_slice::<Released>(part).ok());
    parts.filter(|released| !released.yanked).map(|released| released.vers).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_versions_of_an_index_are_read() {
        let file = b"\x03\x02\0\0\0etag: x\x001.0.0\0{\"vers\":\"1.0.0\",\"yanked\":false}\x001.1.0\0{\"vers\":\"1.1.0\",\"yanked\":true}\x001.2.0\0{\"vers\":\"1.2.0\"}\0";
        assert_eq!(in_index(file), [Version::new(1, 0, 0), Version::new(1, 2, 0)]);
        let places = ["a", "ab", "Abc", "abcde"].map(|name| place(name).display().to_string());
        assert_eq!(places, ["1/a", "2/ab", "3/a/abc", "ab/cd/abcde"]);
    }
}
