//! The content of a file of a program.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io::{self, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{Mode, OFlags, open};
use xxhash_rust::xxh3::Xxh3Default;

use super::hash::ContentHash;

/// The content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The kind of the file.
    pub kind: FileKind,
    /// Its bytes; of a symbolic link, where it points.
    pub bytes: Arc<[u8]>,
}

impl From<&str> for File {
    fn from(text: &str) -> Self {
        Arc::<str>::from(text).into()
    }
}

/// The kind of a file, as git knows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FileKind {
    /// A file that is read.
    Plain,
    /// A file that may be run.
    Executable,
    /// A symbolic link.
    Link,
}

impl From<Arc<str>> for File {
    fn from(text: Arc<str>) -> Self {
        Self::plain(Arc::<[u8]>::from(text))
    }
}

impl File {
    /// A file that is read.
    pub fn plain(bytes: impl Into<Arc<[u8]>>) -> Self {
        Self { kind: FileKind::Plain, bytes: bytes.into() }
    }

    /// Reads a file, or a link as such; none if it is neither.
    pub fn read(path: &Path) -> io::Result<Option<Self>> {
        let about = fs::symlink_metadata(path)?;
        let (kind, bytes) = if about.is_symlink() {
            (FileKind::Link, fs::read_link(path)?.into_os_string().into_vec())
        } else if !about.is_file() {
            return Ok(None);
        } else {
            let is_executable = about.permissions().mode() & 0o100 != 0;
            (if is_executable { FileKind::Executable } else { FileKind::Plain }, fs::read(path)?)
        };
        Ok(Some(Self { kind, bytes: bytes.into() }))
    }

    /// Writes it at a path where nothing is yet.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        if self.kind == FileKind::Link {
            return symlink(OsStr::from_bytes(&self.bytes), path);
        }
        fs::write(path, &self.bytes)?;
        if self.kind == FileKind::Executable {
            fs::set_permissions(path, Permissions::from_mode(0o755))?;
        }
        Ok(())
    }
}

/// Writes files into a folder that is there and has none of them.
///
/// # Errors
/// When one cannot be written.
pub fn write_files(folder: &Path, files: &[(PathBuf, File)]) -> io::Result<()> {
    files.iter().try_for_each(|(path, file)| {
        let path = folder.join(path);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        file.write(&path)
    })
}

/// The most bytes that are read of a file.
const LARGEST: u64 = 256 << 20;

/// The bytes of a regular file that others may have made. Anything else is an error: a pipe without a writer would block.
///
/// # Errors
/// When it cannot be read, or is a link, a pipe or a device.
pub fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = fs::File::from(open(path, flags, Mode::empty())?);
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
    }
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A hash of files with their paths, whatever their order.
pub(crate) fn files_hash(files: &[(PathBuf, File)]) -> ContentHash {
    let mut sorted: Vec<&(PathBuf, File)> = files.iter().collect();
    sorted.sort_by(|one, other| one.0.cmp(&other.0));
    let mut hasher = Xxh3Default::new();
    for (path, file) in sorted {
        let path = path.as_os_str().as_encoded_bytes();
        for part in [path, &[file.kind as u8], &file.bytes] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
    }
    hasher.digest128().into()
}
