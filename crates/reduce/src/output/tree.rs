//! Replaces a folder at once or not at all, as [`replace`](super::replace) does a file.
//!
//! The new folder is made beside the old one, its files are synced, and the two change places.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, XattrFlags, renameat_with, setxattr};

use super::replace::{self, MARK, coming_folder, sync_folder};
use super::target::folder;
use crate::program::{ContentHash, File, FileKind, files_hash};

/// The folder for a result of several files, where one of a single file would be at `path`.
pub(super) fn beside(path: &Path) -> PathBuf {
    match path.extension().and_then(OsStr::to_str) {
        Some("rs") => path.with_extension(""),
        _ => {
            let mut name = OsString::from(path);
            name.push(".files");
            name.into()
        }
    }
}

/// Has the folder at `path` hold just `files`, and returns the hash of its content. If that fails, it is as it was.
pub(super) fn replace(path: &Path, files: &[(PathBuf, File)]) -> io::Result<Option<ContentHash>> {
    let new = coming_folder(path)?;
    fs::set_permissions(new.path(), fs::Permissions::from_mode(0o755))?;
    for (name, file) in files {
        write(&new.path().join(inside(name)?), file)?;
    }
    // Two files may have one path, so the mark is of what is there.
    let written = content(new.path());
    // Some file systems have no attributes.
    let mark = written.map(String::from).unwrap_or_default();
    let _ = setxattr(new.path(), MARK, mark.as_bytes(), XattrFlags::empty());
    sync_folder(new.path());
    match renameat_with(CWD, new.path(), CWD, path, RenameFlags::EXCHANGE) {
        Ok(()) => {}
        Err(rustix::io::Errno::NOENT) => fs::rename(new.path(), path)?,
        // Some file systems cannot.
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {
            remove(path)?;
            fs::rename(new.path(), path)?;
        }
        Err(error) => return Err(error.into()),
    }
    sync_folder(folder(path));
    // What stood there before is in the place of the new one, or nothing is.
    match new.close() {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(written),
    }
}

/// Removes the folder at `path` at once, as far as anybody sees: it is moved away first.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    let gone = coming_folder(path)?;
    fs::rename(path, gone.path())?;
    sync_folder(folder(path));
    gone.close()
}

/// A path that stays in the folder that it is joined to.
fn inside(name: &Path) -> io::Result<&Path> {
    let is_plain = name.components().all(|part| matches!(part, Component::Normal(_)));
    if is_plain { Ok(name) } else { Err(io::Error::new(ErrorKind::InvalidInput, "a file is outside of its folder")) }
}

fn write(path: &Path, file: &File) -> io::Result<()> {
    fs::create_dir_all(folder(path))?;
    file.write(path)?;
    if file.kind == FileKind::Link { Ok(()) } else { fs::File::open(path)?.sync_all() }
}

/// The hash of all files of the folder at `path`; none if there is none, a link, or it cannot be read.
pub(super) fn content(path: &Path) -> Option<ContentHash> {
    files(path).map(|files| files_hash(&files))
}

/// All files of the folder at `path`; none if there is none, a link, or it cannot be read.
pub(super) fn files(path: &Path) -> Option<Vec<(PathBuf, File)>> {
    if !fs::symlink_metadata(path).is_ok_and(|found| found.is_dir()) {
        return None;
    }
    let mut files = Vec::new();
    read(path, Path::new(""), &mut files).ok()?;
    Some(files)
}

fn read(folder: &Path, name: &Path, files: &mut Vec<(PathBuf, File)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, name) = (entry.path(), name.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            read(&path, &name, files)?;
        } else {
            files.push((name, File::read(&path)?.ok_or_else(|| io::Error::other("not a regular file"))?));
        }
    }
    Ok(())
}

/// Whether the folder at `path` holds a result as mcve wrote it.
pub(super) fn is_marked(path: &Path) -> bool {
    content(path).is_some_and(|content| replace::is_marked(path, content))
}

/// Moves the folder at `path` to a name that is free. Returns that.
pub(super) fn put_aside(path: &Path) -> io::Result<PathBuf> {
    for number in 0_u32.. {
        let mut aside = OsString::from(path);
        aside.push(if number == 0 { ".orig".to_owned() } else { format!(".orig.{number}") });
        match renameat_with(CWD, path, CWD, &aside, RenameFlags::NOREPLACE) {
            Ok(()) => return Ok(aside.into()),
            Err(rustix::io::Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
    }
    unreachable!("some number is free")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> (PathBuf, File) {
        (name.into(), text.into())
    }

    #[test]
    fn a_folder_is_replaced_whole_and_known_again() {
        let place = tempfile::tempdir().expect("a folder can be made");
        let path = beside(&place.path().join("a_mcve.rs"));
        assert_eq!(path, place.path().join("a_mcve"));
        assert_eq!(content(&path), None);
        for files in [vec![file("src/lib.rs", "1"), file("x", "2")], vec![file("src/lib.rs", "3")]] {
            replace(&path, &files).expect("it can be written");
            assert_eq!(content(&path), Some(files_hash(&files)));
            assert!(is_marked(&path));
        }
        assert!(!path.join("x").exists());
        replace(&path, &[file("x", "1"), file("x", "2")]).expect("it can be written");
        assert!(is_marked(&path), "two files have one path");
        remove(&path).expect("it can be removed");
        assert_eq!(fs::read_dir(place.path()).expect("it is there").count(), 0);
        replace(&path, &[file("a", "1")]).expect("it can be written");
        fs::write(path.join("mine"), "").expect("it can be written");
        assert!(!is_marked(&path));
        let aside = put_aside(&path).expect("it can be moved");
        assert_eq!((aside.join("mine").exists(), path.exists()), (true, false));
        assert_eq!(fs::read_dir(place.path()).expect("it is there").count(), 1);
    }

    #[test]
    fn no_file_is_written_elsewhere() {
        let place = tempfile::tempdir().expect("a folder can be made");
        for name in ["../a", "/a", "a/../../b"] {
            assert!(replace(&place.path().join("r"), &[file(name, "")]).is_err(), "{name}");
        }
        assert_eq!(fs::read_dir(place.path()).expect("it is there").count(), 0);
    }
}
