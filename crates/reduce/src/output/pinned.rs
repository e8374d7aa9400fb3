//! A folder that stays the same one whatever its path leads to later.

use std::fs::{self, File, Metadata};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A folder, held open.
#[derive(Clone, Debug)]
pub(super) struct Pinned {
    path: PathBuf,
    /// None where the user may not read the folder.
    open: Option<Arc<File>>,
}

impl Pinned {
    /// The folder that is at `path` now.
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), open: File::open(path).ok().map(Arc::new) }
    }

    /// A path that leads to this folder, whatever happens.
    ///
    /// # Errors
    /// When something else is at its path now.
    pub(super) fn path(&self) -> io::Result<PathBuf> {
        let Some(open) = &self.open else { return Ok(self.path.clone()) };
        let identity = |about: Metadata| (about.dev(), about.ino());
        if identity(open.metadata()?) != identity(fs::metadata(&self.path)?) {
            let why = format!("{} is another folder than when the run began", self.path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        let is_linux = cfg!(target_os = "linux");
        Ok(if is_linux { format!("/proc/self/fd/{}", open.as_raw_fd()).into() } else { self.path.clone() })
    }
}
