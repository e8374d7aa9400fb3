//! Copies of files that a result replaces and that mcve did not write.

use std::fs::{self, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::names::with_end;
use super::replace::create;
use crate::program::read_regular;

/// The largest file that is read. No result is as large.
pub(super) const LARGEST: u64 = 256 << 20;

/// The file that keeps what `path` was before: `FILE.rs.orig`.
pub fn backup(path: &Path) -> PathBuf {
    path.with_file_name(with_end(path.file_name().unwrap_or_default(), ".orig"))
}

/// Copies `input`, which holds `bytes`, to `FILE.rs.orig` before it is reduced in place. One that is there already with the
/// same text is left alone, so that a second run works. One with another text is an error: that is somebody's only copy.
pub(crate) fn back_up(input: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let backup = backup(input);
    let shown = backup.display();
    let in_the_way = |why: &str| {
        io::Error::new(ErrorKind::AlreadyExists, format!("{shown} is there already and {why}: move it away first"))
    };
    if fs::metadata(&backup).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(in_the_way("is no file"));
    }
    match fs::read(&backup) {
        Ok(text) if text == bytes => return Ok(backup),
        Ok(_) => return Err(in_the_way("differs")),
        Err(_) if fs::symlink_metadata(&backup).is_ok_and(|metadata| metadata.is_symlink()) => {
            return Err(in_the_way("leads nowhere"));
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(_) => return Err(in_the_way("cannot be read")),
    }
    create(&backup, bytes, permissions(input).unwrap_or(Permissions::from_mode(0o600)))?;
    Ok(backup)
}

/// Keeps a copy of the file `real`, which the user calls `named`, in `folder`, as `NAME.orig` or, where that is taken,
/// `NAME.orig.1` and so on. Returns where, as the user calls it, or nothing if one of these holds the same already.
pub(super) fn put_aside(real: &Path, named: &Path, folder: &Path) -> io::Result<Option<PathBuf>> {
    let name = named.file_name().unwrap_or_default();
    let ends = std::iter::once(".orig".to_owned()).chain((1..).map(|number: usize| format!(".orig.{number}")));
    let failed = |error: io::Error| {
        let what = format!("cannot keep a copy of {}, which mcve did not write: {error}", named.display());
        io::Error::new(error.kind(), what)
    };
    if fs::metadata(real).is_ok_and(|metadata| metadata.len() > LARGEST) {
        return Err(failed(io::Error::new(ErrorKind::FileTooLarge, "it is large: move it away first")));
    }
    let bytes = read_regular(real).map_err(failed)?;
    for end in ends.map(|end| with_end(name, &end)) {
        let aside = folder.join(&end);
        let is_like_it = |there: fs::Metadata| there.is_file() && there.len() == bytes.len() as u64;
        if fs::metadata(&aside).is_ok_and(is_like_it) && fs::read(&aside).is_ok_and(|kept| kept == bytes) {
            return Ok(None);
        }
        match create(&aside, &bytes, permissions(real).unwrap_or(Permissions::from_mode(0o600))) {
            // Also a link to nowhere, which is not followed.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => return made.map(|()| Some(named.with_file_name(&end))).map_err(failed),
        }
    }
    unreachable!("there are more numbers than files")
}

/// Who may read, write and run the file at `path`, if it is a file and no pipe or device.
pub(super) fn permissions(path: &Path) -> Option<Permissions> {
    let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some(Permissions::from_mode(metadata.permissions().mode() & 0o777))
}

/// The message to the user after a file was put aside.
pub fn put_aside_message(path: &Path, aside: &Path) -> String {
    format!("{} holds what mcve did not write: a copy is kept as {}", path.display(), aside.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backup_with_another_text_is_never_overwritten() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let input = folder.path().join("a.rs");
        fs::write(&input, "one").expect("it can be written");
        let backup = back_up(&input, b"one").expect("there is none yet");
        back_up(&input, b"one").expect("the same text is fine");
        fs::write(&input, "two").expect("it can be written");
        assert!(back_up(&input, b"two").is_err());
        assert_eq!(fs::read_to_string(backup).expect("it is there"), "one");
    }

    #[test]
    fn each_content_is_put_aside_once() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("a.rs");
        let put = |text: &str| {
            fs::write(&path, text).expect("it can be written");
            let aside = put_aside(&path, &path, folder.path()).expect("it can be copied");
            aside.map(|aside| aside.file_name().expect("it has one").to_string_lossy().into_owned())
        };
        assert_eq!(put("one").as_deref(), Some("a.rs.orig"));
        assert_eq!(put("two").as_deref(), Some("a.rs.orig.1"));
        assert_eq!((put("one"), put("two")), (None, None));
        assert_eq!(put("three").as_deref(), Some("a.rs.orig.2"));
    }
}
