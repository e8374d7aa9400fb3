//! Replaces a file at once or not at all, and knows again what it wrote.
//!
//! The new content is written beside the file, synced and renamed, and the folder is synced, so that a file that was replaced is so after a loss of power. An extended attribute holds the hash of the content: a file where both are the same
//! holds a result that nobody has changed since.

use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::fs::{XattrFlags, fsetxattr, getxattr};
use tempfile::{NamedTempFile, TempDir};
use xxhash_rust::xxh3::xxh3_64;

use super::target::folder;
use crate::program::ContentHash;

/// The name prefix of files that are about to become a result.
const COMING: &str = ".mcve-";

/// The attribute of a result.
pub(super) const MARK: &str = "user.mcve";

/// Has the file at `path` hold `bytes`, with these or the usual permissions. If that fails, it is as it was.
pub(super) fn replace(path: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    let file = coming(path, bytes, permissions, true)?;
    file.persist(path)?;
    sync_folder(folder(path));
    Ok(())
}

/// Makes a file at `path` that holds `bytes`, where there is none yet. It has no mark: it is somebody's own.
pub(super) fn create(path: &Path, bytes: &[u8], permissions: Permissions) -> io::Result<()> {
    let file = coming(path, bytes, Some(permissions), false)?;
    file.persist_noclobber(path)?;
    sync_folder(folder(path));
    Ok(())
}

/// A file that is about to stand at `path`.
fn coming(path: &Path, bytes: &[u8], permissions: Option<Permissions>, marked: bool) -> io::Result<NamedTempFile> {
    // Less what the umask takes away.
    let first = Permissions::from_mode(if permissions.is_some() { 0o600 } else { 0o666 });
    let end = end_of_coming(path);
    let mut file = tempfile::Builder::new().prefix(COMING).suffix(&end).permissions(first).tempfile_in(folder(path))?;
    file.write_all(bytes)?;
    if marked {
        // Some file systems have no attributes. Before the permissions, which may take the right away.
        let _ = fsetxattr(file.as_file(), MARK, String::from(ContentHash::of(bytes)).as_bytes(), XattrFlags::empty());
    }
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    Ok(file)
}

/// Whether the file at `path`, which holds what has this hash, has the mark of that.
pub(super) fn is_marked(path: &Path, content: ContentHash) -> bool {
    let mut mark = [0; 64];
    let length = getxattr(path, MARK, &mut mark).unwrap_or(0);
    mark[..length] == *String::from(content).as_bytes()
}

/// Removes what a killed run left behind that was about to stand at `path`. Nobody else may be writing there.
pub(super) fn clean(path: &Path) {
    let end = end_of_coming(path);
    let is_left = |name: &str| name.starts_with(COMING) && name.ends_with(&end);
    for entry in std::fs::read_dir(folder(path)).into_iter().flatten().flatten() {
        if is_left(&entry.file_name().to_string_lossy()) {
            // It does no harm.
            let _ = std::fs::remove_file(entry.path()).or_else(|_| std::fs::remove_dir_all(entry.path()));
        }
    }
}

/// Has the names in a folder survive a loss of power.
pub(crate) fn sync_folder(folder: &Path) {
    // Some file systems cannot, and some do it anyway.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// A new folder that is about to stand at `path`.
pub(super) fn coming_folder(path: &Path) -> io::Result<TempDir> {
    let end = end_of_coming(path);
    tempfile::Builder::new().prefix(COMING).suffix(&end).tempdir_in(folder(path))
}

/// The name suffix of files that are about to be renamed to `path`, different for each path.
fn end_of_coming(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    format!("-{:016x}", xxh3_64(name.as_encoded_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_about_to_become_this_result_goes_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = |name: &str| folder.path().join(name);
        let left = format!(".mcve-abcdef{}", end_of_coming(Path::new("b.rs")));
        let other = format!(".mcve-abcdef{}", end_of_coming(Path::new("c.rs")));
        for name in [&left, &other, "b.rs", ".mcve-b.rs"] {
            std::fs::write(path(name), "").expect("it can be written");
        }
        clean(&path("b.rs"));
        assert!(!path(&left).exists());
        assert!([&other, "b.rs", ".mcve-b.rs"].iter().all(|name| path(name).exists()));
    }

    #[test]
    fn what_is_there_is_not_created_again() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("a.rs");
        create(&path, b"one", Permissions::from_mode(0o640)).expect("there is none yet");
        create(&path, b"two", Permissions::from_mode(0o640)).expect_err("there is one");
        assert_eq!(std::fs::read(&path).expect("it is there"), b"one");
        assert_eq!(std::fs::metadata(&path).expect("it is there").permissions().mode() & 0o777, 0o640);
        assert_eq!(std::fs::read_dir(folder.path()).expect("it is there").count(), 1);
    }
}
