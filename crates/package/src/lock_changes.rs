//! The differences of two `Cargo.lock`, and lock files between them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use toml::{Table, Value};

/// The key of the list of packages.
const PACKAGE: &str = "package";

/// The key of the packages that a package needs.
const DEPENDENCIES: &str = "dependencies";

/// Two lock files of one workspace.
#[derive(Debug)]
pub(super) struct LockChanges {
    old: Vec<Table>,
    new: Table,
    /// The packages in both whose versions differ.
    pub(super) changes: Vec<Change>,
}

/// A package whose versions differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) name: String,
    /// Its versions before.
    pub(super) old: BTreeSet<String>,
    /// Its versions now.
    pub(super) new: BTreeSet<String>,
}

impl LockChanges {
    /// Compares the texts of two lock files. Fails if one of them is not a lock file.
    pub(super) fn between(old: &str, new: &str) -> Result<Self, toml::de::Error> {
        let (old, new) = (packages(&old.parse()?), new.parse::<Table>()?);
        let (before, now) = (versions(&old), versions(&packages(&new)));
        let differing = now.into_iter().filter_map(|(name, new)| {
            let old = before.get(&name)?.clone();
            (old != new).then_some(Change { name, old, new })
        });
        Ok(Self { changes: differing.collect(), old, new })
    }

    /// The old lock file with the new versions of these changes. A package that only one of the two has is there if it is needed.
    pub(super) fn with(&self, taken: &[usize]) -> String {
        let is_old = |package: &Table| {
            let at = self.changes.iter().position(|change| change.name == text(package, "name"));
            at.is_some_and(|at| !taken.contains(&at))
        };
        let new = packages(&self.new);
        let is_only_old =
            |package: &&Table| !new.iter().any(|other| text(other, "name") == text(package, "name")) || is_old(package);
        let mut all: Vec<Table> = new.iter().filter(|package| !is_old(package)).cloned().collect();
        all.extend(self.old.iter().filter(is_only_old).cloned());
        let known = versions(&all);
        all.iter_mut().for_each(|package| name_shortly(package, &known));
        let mut all = needed(all);
        all.sort_by_key(|package| (text(package, "name").to_owned(), text(package, "version").to_owned()));
        let mut lock = self.new.clone();
        lock.insert(PACKAGE.to_owned(), Value::Array(all.into_iter().map(Value::Table).collect()));
        lock.to_string()
    }

    /// Whether a lock file, which cargo may have changed, has the versions that these changes say.
    pub(super) fn are_in(&self, lock: &str, taken: &[usize]) -> bool {
        let Ok(lock) = lock.parse() else { return false };
        let versions = versions(&packages(&lock));
        self.changes.iter().enumerate().all(|(at, change)| {
            let expected = if taken.contains(&at) { &change.new } else { &change.old };
            versions.get(&change.name).is_none_or(|found| found.is_subset(expected))
        })
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = |versions: &BTreeSet<String>| versions.iter().cloned().collect::<Vec<_>>().join(", ");
        write!(f, "{} {} -> {}", self.name, all(&self.old), all(&self.new))
    }
}

pub(super) fn packages(lock: &Table) -> Vec<Table> {
    let packages = lock.get(PACKAGE).and_then(Value::as_array).into_iter().flatten();
    packages.filter_map(Value::as_table).cloned().collect()
}

/// A text that is said of a package; empty if there is none.
pub(super) fn text<'a>(package: &'a Table, key: &str) -> &'a str {
    package.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The versions of each package, with the revision of one from git.
fn versions(packages: &[Table]) -> BTreeMap<String, BTreeSet<String>> {
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in packages {
        let revision = text(package, "source").split_once('#').map(|(_, revision)| format!(" ({revision})"));
        let version = text(package, "version").to_owned() + &revision.unwrap_or_default();
        versions.entry(text(package, "name").to_owned()).or_default().insert(version);
    }
    versions
}

/// Makes a package name what it needs without a version, where there is one version only.
fn name_shortly(package: &mut Table, known: &BTreeMap<String, BTreeSet<String>>) {
    let needed = package.get_mut(DEPENDENCIES).and_then(Value::as_array_mut).into_iter().flatten();
    for reference in needed {
        let name = reference.as_str().and_then(|reference| reference.split(' ').next()).unwrap_or_default().to_owned();
        if known.get(&name).is_some_and(|versions| versions.len() == 1) {
            *reference = name.into();
        }
    }
}

/// The packages of the user, which have no source, and what they need.
fn needed(all: Vec<Table>) -> Vec<Table> {
    let mut found: Vec<bool> = all.iter().map(|package| !package.contains_key("source")).collect();
    let mut open: Vec<usize> = (0..all.len()).filter(|&at| found[at]).collect();
    while let Some(at) = open.pop() {
        let references = all[at].get(DEPENDENCIES).and_then(Value::as_array).into_iter().flatten();
        for mut words in references.filter_map(Value::as_str).map(|reference| reference.split(' ')) {
            let (name, version) = (words.next(), words.next());
            for (other, package) in all.iter().enumerate().filter(|(_, package)| name == Some(text(package, "name"))) {
                if version.is_none_or(|version| version == text(package, "version"))
                    && !std::mem::replace(&mut found[other], true)
                {
                    open.push(other);
                }
            }
        }
    }
    all.into_iter().zip(found).filter_map(|(package, is_found)| is_found.then_some(package)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lock file with a package that needs `a`, and these versions of others: each with what it needs.
    fn lock(packages: &[(&str, &str, &str)]) -> String {
        let mut lock =
            "version = 4\n[[package]]\nname = \"p\"\nversion = \"0.1.0\"\ndependencies = [\"a\"]\n".to_owned();
        for (name, version, needs) in packages {
            lock += &format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\nsource = \"registry+x\"\n");
            lock += &format!("dependencies = [{needs}]\n");
        }
        lock
    }

    #[test]
    fn a_lock_file_between_two_has_what_its_versions_need() {
        let old = lock(&[("a", "1.0.0", "\"b\", \"c\""), ("b", "1.0.0", ""), ("c", "1.0.0", "")]);
        let new = lock(&[("a", "1.1.0", "\"b 1.2.0\", \"d\""), ("b", "1.2.0", ""), ("d", "1.0.0", "")]);
        let locks = LockChanges::between(&old, &new).expect("both are lock files");
        let changes: Vec<String> = locks.changes.iter().map(ToString::to_string).collect();
        assert_eq!(changes, ["a 1.0.0 -> 1.1.0", "b 1.0.0 -> 1.2.0"]);
        let versions = |taken: &[usize]| {
            let lock = locks.with(taken);
            assert!(locks.are_in(&lock, taken) && !locks.are_in(&lock, &[1]), "{lock}");
            let packages = packages(&lock.parse().expect("it is a lock file"));
            packages
                .iter()
                .map(|package| text(package, "name").to_owned() + text(package, "version"))
                .collect::<Vec<_>>()
        };
        assert_eq!(versions(&[]), ["a1.0.0", "b1.0.0", "c1.0.0", "p0.1.0"]);
        assert_eq!(versions(&[0]), ["a1.1.0", "b1.0.0", "d1.0.0", "p0.1.0"]);
    }
}
