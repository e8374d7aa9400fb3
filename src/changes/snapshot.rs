//! A version of a file, a folder or a repository: its files in memory, shared with those of other versions.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use xxhash_rust::xxh3::Xxh3;

use crate::exec::incremental::CACHE_TAG;
use crate::program::ContentHash;
use crate::program::{File, FileKind};

/// How many bytes of a file git looks at to tell whether it is binary.
const LOOKED_AT: usize = 8000;

/// The files of a version, by their paths in it. Folders are there as far as files are in them, as for git.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// The files.
    pub files: BTreeMap<PathBuf, File>,
}

impl Snapshot {
    /// A version of one file.
    #[must_use]
    pub fn of_file(name: impl Into<PathBuf>, file: File) -> Self {
        Self { files: BTreeMap::from([(name.into(), file)]) }
    }

    /// Reads a folder, without what is in `.git` and in caches, such as cargo's `target`.
    ///
    /// # Errors
    /// When something in it cannot be read. Sockets and the like are passed over.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let mut files = BTreeMap::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(inside) = folders.pop() {
            for entry in fs::read_dir(&inside)? {
                let path = entry?.path();
                let about = fs::symlink_metadata(&path)?;
                if about.is_dir() {
                    if !path.ends_with(".git") && !path.join(CACHE_TAG).exists() {
                        folders.push(path);
                    }
                } else if let Some(file) = read_file(&path)? {
                    // What a worktree or submodule has in the place of the folder `.git`.
                    if !path.ends_with(".git") {
                        files.insert(path.strip_prefix(folder).unwrap_or(&path).to_owned(), file);
                    }
                }
            }
        }
        Ok(Self { files })
    }

    /// The hash of all files with their paths and kinds, equal for equal versions and for practical purposes only then.
    #[must_use]
    pub fn hash(&self) -> ContentHash {
        let mut hash = Xxh3::new();
        for (path, file) in &self.files {
            for bytes in [path.as_os_str().as_bytes(), &[file.kind as u8], &file.bytes] {
                hash.update(&bytes.len().to_le_bytes());
                hash.update(bytes);
            }
        }
        ContentHash::from(hash.digest128())
    }
}

/// Whether files cannot be there together: two of the same path, or one inside of what the other says is no folder.
pub(super) fn collides<'a>(paths: impl Iterator<Item = &'a Path>) -> bool {
    let mut paths: Vec<&Path> = paths.collect();
    paths.sort();
    // All that is inside of a folder stands behind it, and nothing else in between.
    paths.windows(2).any(|pair| pair[1].starts_with(pair[0]))
}

/// Reads a file, or a link as such; none if it is neither.
pub(crate) fn read_file(path: &Path) -> io::Result<Option<File>> {
    let about = fs::symlink_metadata(path)?;
    let (kind, bytes) = if about.is_symlink() {
        (FileKind::Link, fs::read_link(path)?.into_os_string().into_vec())
    } else if !about.is_file() {
        return Ok(None);
    } else if about.permissions().mode() & 0o100 != 0 {
        (FileKind::Executable, fs::read(path)?)
    } else {
        (FileKind::Plain, fs::read(path)?)
    };
    Ok(Some(File { kind, bytes: Arc::from(bytes) }))
}

/// Whether it is text, by the rule of git: no byte is zero near its beginning.
pub(super) fn is_text(file: &File) -> bool {
    file.kind != FileKind::Link && !file.bytes.iter().take(LOOKED_AT).any(|&byte| byte == 0)
}

/// A path from bytes.
pub(super) fn path(bytes: &[u8]) -> PathBuf {
    OsStr::from_bytes(bytes).into()
}

#[cfg(test)]
pub(super) mod testing {
    use super::*;

    /// A version of plain texts.
    pub(crate) fn snapshot(files: &[(&str, &str)]) -> Snapshot {
        let file = |text: &str| File { kind: FileKind::Plain, bytes: Arc::from(text.as_bytes()) };
        Snapshot { files: files.iter().map(|&(path, text)| (path.into(), file(text))).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::testing::snapshot;
    use super::*;

    #[test]
    fn a_folder_is_read_without_git_and_caches() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = |name: &str| folder.path().join(name);
        for name in ["a", "d/e/b", ".git/HEAD", "target/CACHEDIR.TAG", "target/c", "sub/.git"] {
            fs::create_dir_all(path(name).parent().expect("it is below")).expect("it can be made");
            fs::write(path(name), name).expect("it can be written");
        }
        fs::set_permissions(path("a"), fs::Permissions::from_mode(0o755)).expect("it is ours");
        std::os::unix::fs::symlink("no/where", path("l")).expect("it can be made");
        let read = Snapshot::read(folder.path()).expect("it can be read");
        let kinds: Vec<_> = read.files.iter().map(|(path, file)| (path.to_str(), file.kind)).collect();
        let expected = [("a", FileKind::Executable), ("d/e/b", FileKind::Plain), ("l", FileKind::Link)];
        assert_eq!(kinds, expected.map(|(path, kind)| (Some(path), kind)));
        assert_eq!(*read.files[Path::new("l")].bytes, *b"no/where");
    }

    #[test]
    fn the_hash_tells_paths_kinds_and_contents_apart() {
        let mut executable = snapshot(&[("a", "b")]);
        executable.files.values_mut().for_each(|file| file.kind = FileKind::Executable);
        let others = [&[("ab", "")][..], &[("a", "c")], &[("a", "b"), ("b", "")], &[]].map(snapshot);
        let hash = snapshot(&[("a", "b")]).hash();
        assert_eq!(hash, snapshot(&[("a", "b")]).hash());
        assert!(others.iter().chain([&executable]).all(|other| other.hash() != hash));
    }

    #[test]
    fn a_file_and_what_is_inside_of_it_collide() {
        let check = |paths: &[&str]| collides(paths.iter().map(Path::new));
        assert!(check(&["a", "b", "a"]) && check(&["a/b", "a.c", "a"]));
        assert!(!check(&["a/b", "a.c", "ab", "a/c"]));
    }
}
