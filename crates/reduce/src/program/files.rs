//! The files of a folder, a version, a repository: in memory, shared with others.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::file::{File, FileKind, files_hash};
use super::hash::ContentHash;

/// How many bytes of a file git looks at to tell whether it is binary.
const LOOKED_AT: usize = 8000;

/// Files by their paths. Folders are there as far as files are in them, as for git.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// The files.
    pub files: BTreeMap<PathBuf, File>,
}

impl Files {
    /// Files that hold these texts.
    pub fn of_texts(files: &[(&str, &str)]) -> Self {
        Self { files: files.iter().map(|&(path, text)| (path.into(), text.into())).collect() }
    }

    /// One file.
    pub fn of_file(name: impl Into<PathBuf>, file: File) -> Self {
        Self { files: BTreeMap::from([(name.into(), file)]) }
    }

    /// The hash of all files with their paths and kinds, equal for equal files and for practical purposes only then.
    pub fn hash(&self) -> ContentHash {
        files_hash(&self.list())
    }

    /// The files as a list.
    pub fn list(&self) -> Vec<(PathBuf, File)> {
        self.files.iter().map(|(path, file)| (path.clone(), file.clone())).collect()
    }
}

/// Whether files cannot be there together: two of the same path, or one inside of what the other says is no folder.
pub fn collides<'a>(paths: impl Iterator<Item = &'a Path>) -> bool {
    let mut paths: Vec<&Path> = paths.collect();
    paths.sort();
    // All that is inside of a folder stands behind it, and nothing else in between.
    paths.windows(2).any(|pair| pair[1].starts_with(pair[0]))
}

/// A path from bytes.
pub fn path_of(bytes: &[u8]) -> PathBuf {
    OsStr::from_bytes(bytes).into()
}

/// Whether it is text, by the rule of git: no byte is zero near its beginning.
pub fn is_text(file: &File) -> bool {
    file.kind != FileKind::Link && !file.bytes.iter().take(LOOKED_AT).any(|&byte| byte == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_tells_paths_kinds_and_contents_apart() {
        let mut executable = Files::of_texts(&[("a", "b")]);
        executable.files.values_mut().for_each(|file| file.kind = FileKind::Executable);
        let others = [&[("ab", "")][..], &[("a", "c")], &[("a", "b"), ("b", "")], &[]].map(Files::of_texts);
        let hash = Files::of_texts(&[("a", "b")]).hash();
        assert_eq!(hash, Files::of_texts(&[("a", "b")]).hash());
        assert!(others.iter().chain([&executable]).all(|other| other.hash() != hash));
    }

    #[test]
    fn a_file_and_what_is_inside_of_it_collide() {
        let check = |paths: &[&str]| collides(paths.iter().map(Path::new));
        assert!(check(&["a", "b", "a"]) && check(&["a/b", "a.c", "a"]));
        assert!(!check(&["a/b", "a.c", "ab", "a/c"]));
    }
}
