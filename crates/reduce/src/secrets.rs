//! The user's files that hold secrets: no check and no tool in a sandbox may read them, and no program includes them.

use std::path::{Path, PathBuf};

/// The ones in the user's home folder.
const IN_HOME: [&str; 7] =
    [".aws", ".config/gh", ".docker/config.json", ".git-credentials", ".gnupg", ".netrc", ".ssh"];

/// The ones in cargo's home folder: its login credentials.
const IN_HOME_OF_CARGO: [&str; 2] = ["credentials", "credentials.toml"];

/// Files and folders with secrets, existing or not.
#[must_use]
pub fn paths() -> Vec<PathBuf> {
    let home = std::env::home_dir();
    let given = std::env::var_os("CARGO_HOME").filter(|given| !given.is_empty()).map(PathBuf::from);
    let of_cargo = given.or_else(|| Some(home.as_ref()?.join(".cargo")));
    let join = |folder: Option<PathBuf>, names: &[&str]| -> Vec<PathBuf> {
        folder.iter().flat_map(|folder| names.iter().map(|name| folder.join(name))).collect()
    };
    [join(home, &IN_HOME), join(of_cargo, &IN_HOME_OF_CARGO)].concat()
}

/// Whether what is at `path`, behind all links, is one of these files or in one of these folders.
pub(crate) fn is_secret(path: &Path) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    paths().iter().filter_map(|secret| secret.canonicalize().ok()).any(|secret| path.starts_with(secret))
}
