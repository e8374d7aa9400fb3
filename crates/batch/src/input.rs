//! The inputs of a batch: files, packages, and texts that show a failure.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use walkdir::{DirEntry, WalkDir};

use crate::files::{content, hash};

/// The kind of an input.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A Rust file.
    File,
    /// A text that shows a failure: what a crash left, a log, an issue.
    Text,
    /// The folder of a package.
    Package,
}

/// An input.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Input {
    /// Its path, as the user names it or the folder that it is in.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// The hash of its content.
    pub hash: String,
    /// The size of its content in bytes.
    pub bytes: u64,
}

impl Input {
    /// Its absolute path.
    pub(crate) fn path(&self) -> PathBuf {
        std::path::absolute(&self.name).unwrap_or_else(|_| PathBuf::from(&self.name))
    }

    /// A text of `mcve` about it, with its name in the place of its path, which is another one on other machines.
    pub(crate) fn named_in(&self, text: &str) -> String {
        text.replace(&*self.path().to_string_lossy(), &self.name)
    }
}

/// The inputs that these paths name, each once, by name. A folder stands for the packages, Rust files and crash texts in it; a file
/// with a path on each line stands for these. `without` is left out.
///
/// # Errors
/// When a path cannot be read.
pub fn inputs(paths: &[PathBuf], without: &Path) -> io::Result<Vec<Input>> {
    let without = without.canonicalize().ok();
    let mut found = BTreeSet::new();
    for path in paths {
        let listed = listed(path).map_err(|error| unreadable(path, &error))?;
        for path in listed.as_deref().unwrap_or(std::slice::from_ref(path)) {
            if path.is_dir() { walk(path, without.as_deref(), &mut found)? } else { _ = found.insert(path.clone()) }
        }
    }
    found.iter().map(|path| read(path)).collect()
}

/// Adds the inputs in a folder.
fn walk(folder: &Path, without: Option<&Path>, found: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    let is_visible = |entry: &DirEntry| entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".");
    let is_left_out =
        |path: &Path| without.is_some_and(|without| path.canonicalize().is_ok_and(|real| real == without));
    let mut entries = WalkDir::new(folder).into_iter().filter_entry(is_visible);
    while let Some(entry) = entries.next() {
        let entry = entry?;
        let (is_folder, path) = (entry.file_type().is_dir(), entry.into_path());
        if is_folder && is_left_out(&path) {
            entries.skip_current_dir();
        } else if is_folder && path.join(MANIFEST).is_file() {
            entries.skip_current_dir();
            found.insert(path);
        } else if !is_folder && is_failing(&path) {
            found.insert(path);
        }
    }
    Ok(())
}

/// The manifest of a package.
const MANIFEST: &str = "Cargo.toml";

/// Whether a file of a folder is a Rust file, or what a crash left.
fn is_failing(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let extension = path.extension().and_then(OsStr::to_str);
    extension == Some("rs") || extension == Some("log") || name.starts_with("rustc-ice-") && extension == Some("txt")
}

/// The paths in a file, if it has an existing one on each line.
fn listed(path: &Path) -> io::Result<Option<Vec<PathBuf>>> {
    if path.is_dir() || path.extension() == Some(OsStr::new("rs")) {
        return Ok(None);
    }
    let Ok(text) = String::from_utf8(fs::read(path)?) else { return Ok(None) };
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let paths: Vec<PathBuf> =
        lines.map(|line| PathBuf::from(line.strip_suffix("/Cargo.toml").unwrap_or(line))).collect();
    Ok((!paths.is_empty() && paths.iter().all(|path| path.exists())).then_some(paths))
}

fn unreadable(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot read {}: {error}", path.display()))
}

/// The input at a path.
fn read(path: &Path) -> io::Result<Input> {
    let failed = |error: io::Error| unreadable(path, &error);
    // `Cargo.toml` stands for its package.
    let path = if path.file_name() == Some(OsStr::new(MANIFEST)) { path.parent().unwrap_or(path) } else { path };
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let name = path.display().to_string();
    if path.is_dir() {
        let (hash, bytes) = content(path).map_err(failed)?;
        return Ok(Input { name, kind: Kind::Package, hash, bytes });
    }
    let bytes = fs::read(path).map_err(failed)?;
    let kind = if path.extension() == Some(OsStr::new("rs")) { Kind::File } else { Kind::Text };
    Ok(Input { name, kind, hash: hash(&bytes), bytes: bytes.len() as u64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_stands_for_its_files_and_packages() {
        let place = tempfile::tempdir().expect("a folder can be made");
        let files =
            ["b.rs", "a.rs", "p/Cargo.toml", "p/src/lib.rs", "p/target/x.rs", "in/rustc-ice-1.txt", "in/notes.txt"];
        for name in files.iter().chain(&["out/g/program.rs", ".git/x.rs"]) {
            let path = place.path().join(name);
            fs::create_dir_all(path.parent().expect("it is in a folder")).expect("it can be made");
            fs::write(path, name).expect("it can be written");
        }
        let found = inputs(&[place.path().to_owned()], &place.path().join("out")).expect("all can be read");
        let names = |found: &[Input]| -> Vec<String> {
            let short = |input: &Input| {
                Path::new(&input.name).strip_prefix(place.path()).expect("it is there").display().to_string()
            };
            found.iter().map(short).collect()
        };
        assert_eq!(names(&found), ["a.rs", "b.rs", "in/rustc-ice-1.txt", "p"]);
        let kinds: Vec<Kind> = found.iter().map(|input| input.kind).collect();
        assert_eq!(kinds, [Kind::File, Kind::File, Kind::Text, Kind::Package]);

        let list = place.path().join("list");
        let path = |name: &str| place.path().join(name).display().to_string();
        fs::write(&list, format!("{}\n{}\n", path("b.rs"), path("p/Cargo.toml"))).expect("it can be written");
        assert_eq!(
            names(&inputs(std::slice::from_ref(&list), Path::new("none")).expect("they are there")),
            ["b.rs", "p"]
        );
        fs::write(&list, format!("{}\nno path\n", path("b.rs"))).expect("it can be written");
        assert_eq!(inputs(&[list], Path::new("none")).expect("it is there")[0].kind, Kind::Text);

        // The output of cargo does not change a package.
        let before = content(&place.path().join("p")).expect("it is there");
        fs::write(place.path().join("p/target/x.rs"), "other").expect("it can be written");
        assert_eq!(content(&place.path().join("p")).expect("it is there"), before);
        fs::write(place.path().join("p/src/lib.rs"), "other").expect("it can be written");
        assert_ne!(content(&place.path().join("p")).expect("it is there").0, before.0);
    }
}
