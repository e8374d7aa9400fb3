//! A file for results, which never loses what somebody else wrote there.

use std::cell::Cell;
use std::fs::{self, Metadata, Permissions};
use std::io::{self, ErrorKind};
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mcve_transforms::Measure;

use super::target::folder;
use super::{backup, replace, tree};
use crate::program::{ContentHash, File, files_hash, read_regular};

/// A file that holds the best program, or the folder beside it for several files.
#[derive(Clone, Debug)]
pub struct ResultFile {
    /// The path as the user calls it.
    pub(super) named: PathBuf,
    /// The path behind all links.
    real: PathBuf,
    /// The folder of that path, and the one that the user names.
    folders: [Pinned; 2],
    /// The hash of what this run wrote last.
    written: Cell<Option<ContentHash>>,
    /// The hash of what this run wrote last into the folder for several files.
    tree: Cell<Option<ContentHash>>,
}

/// The number of tokens of a file of a result.
pub fn tokens(bytes: &[u8]) -> usize {
    Measure::of(&String::from_utf8_lossy(bytes)).tokens
}

impl ResultFile {
    /// A file that the user calls `named` and that is at `real` behind all links.
    pub(super) fn new(named: PathBuf, real: PathBuf) -> Self {
        let folders = [&real, &named].map(|path| Pinned::new(folder(path)));
        Self { named, real, folders, written: Cell::new(None), tree: Cell::new(None) }
    }

    /// The path behind all links, which is the same for all names of the file.
    pub fn real(&self) -> &Path {
        &self.real
    }

    /// The path that is written to, which stays in the folder that was there when the run began.
    fn place(&self) -> io::Result<PathBuf> {
        Ok(self.folders[0].path()?.join(self.real.file_name().unwrap_or_default()))
    }

    /// Records that content with this hash is the run's own, or kept elsewhere.
    pub fn record_written(&self, content: ContentHash) {
        self.written.set(Some(content));
    }

    /// Whether the mark in the file system says that mcve wrote the content.
    pub fn is_marked(&self) -> bool {
        read_regular(&self.real).is_ok_and(|bytes| replace::is_marked(&self.real, ContentHash::of(&bytes)))
    }

    /// Whether there is a result, in the file or the folder for several.
    pub fn is_there(&self) -> bool {
        self.real.exists() || tree::beside(&self.real).exists()
    }

    /// The content of the folder for several files, if there is one: its hash, and its number of tokens.
    pub fn tree_content(&self) -> Option<(ContentHash, usize)> {
        let files = tree::files(&tree::beside(&self.real))?;
        let tokens = files.iter().map(|(_, file)| tokens(&file.bytes)).sum();
        Some((files_hash(&files), tokens))
    }

    /// The result of an earlier run, if there is one: its hash, and its number of tokens.
    pub fn earlier(&self) -> Option<(ContentHash, usize)> {
        if tree::is_marked(&tree::beside(&self.real)) {
            return self.tree_content();
        }
        let bytes = read_regular(&self.real).ok()?;
        let content = ContentHash::of(&bytes);
        replace::is_marked(&self.real, content).then(|| (content, tokens(&bytes)))
    }

    /// Keeps the result of an earlier run under another name, which is returned if it is new.
    pub(crate) fn put_earlier_aside(&self) -> io::Result<Option<PathBuf>> {
        let path = tree::beside(&self.place()?);
        if tree::is_marked(&path) { self.put_tree_aside(&path).map(Some) } else { self.put_aside() }
    }

    /// Records that content with this hash in the folder for several files is the run's own.
    pub fn record_tree(&self, content: ContentHash) {
        self.tree.set(Some(content));
    }

    /// Records that all that stands there is of mcve.
    pub(super) fn adopt(&self) {
        self.written.set(read_regular(&self.real).ok().map(|bytes| ContentHash::of(&bytes)));
        self.tree.set(tree::content(&tree::beside(&self.real)));
    }

    /// Replaces the folder for several files. Returns the copy of a folder that mcve did not write.
    pub(super) fn replace_tree(&self, files: &[(PathBuf, File)]) -> io::Result<Option<PathBuf>> {
        let path = tree::beside(&self.place()?);
        let there = tree::content(&path);
        let is_own = there.is_none() || there == self.tree.get() || tree::is_marked(&path);
        let is_there = path.symlink_metadata().is_ok();
        let aside = if is_there && !(is_own && there.is_some()) { Some(self.put_tree_aside(&path)?) } else { None };
        self.tree.set(tree::replace(&path, files)?);
        Ok(aside)
    }

    /// Removes the folder for several files, if this run wrote it and nobody has changed it since.
    pub(super) fn remove_tree(&self) -> io::Result<()> {
        let path = tree::beside(&self.place()?);
        if self.tree.get().is_some() && self.tree.take() == tree::content(&path) {
            tree::remove(&path)?;
        }
        Ok(())
    }

    /// Removes the files of this run, unless somebody has changed them since.
    pub(crate) fn discard(&self) -> io::Result<()> {
        self.remove_tree()?;
        let there = read_regular(&self.real).ok().map(|bytes| ContentHash::of(&bytes));
        if there.is_some() && self.written.take() == there {
            fs::remove_file(self.place()?)?;
        }
        Ok(())
    }

    /// Copies the content to another name. Returns the copy, or none if there was one already.
    ///
    /// # Errors
    /// When it cannot be copied.
    pub fn put_aside(&self) -> io::Result<Option<PathBuf>> {
        backup::put_aside(&self.place()?, &self.named, &self.folders[1].path()?)
    }

    /// Moves the folder for several files to another name, which is returned.
    fn put_tree_aside(&self, path: &Path) -> io::Result<PathBuf> {
        let aside = tree::put_aside(path)?;
        Ok(self.real.with_file_name(aside.file_name().unwrap_or_default()))
    }

    /// Removes the file, or the link to it. Returns the copy of a file that mcve did not write.
    pub(super) fn remove(&self) -> io::Result<Option<PathBuf>> {
        let aside = if self.is_lost(None) { self.put_aside()? } else { None };
        match fs::remove_file(self.folders[1].path()?.join(self.named.file_name().unwrap_or_default())) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(aside),
        }
    }

    /// Replaces the file. Returns the copy of a file that mcve did not write.
    pub(super) fn replace(&self, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<Option<PathBuf>> {
        let content = ContentHash::of(bytes);
        let aside = if self.is_lost(Some(content)) { self.put_aside()? } else { None };
        replace::replace(&self.place()?, bytes, permissions)?;
        self.written.set(Some(content));
        Ok(aside)
    }

    /// Whether content that mcve did not write would be lost if a result with the hash `next`, or nothing, replaced the file.
    fn is_lost(&self, next: Option<ContentHash>) -> bool {
        if fs::metadata(&self.real).is_ok_and(|metadata| metadata.len() > backup::LARGEST) {
            return true;
        }
        let there = match read_regular(&self.real) {
            Ok(bytes) if bytes.is_empty() => return false,
            Ok(bytes) => ContentHash::of(&bytes),
            Err(error) => return error.kind() != ErrorKind::NotFound,
        };
        Some(there) != next && self.written.get() != Some(there) && !replace::is_marked(&self.real, there)
    }

    /// Removes unfinished files of a killed run. No other run may be writing this result.
    pub fn clean(&self) {
        replace::clean(&self.real);
        replace::clean(&tree::beside(&self.real));
    }
}

/// A folder that stays the same one whatever its path leads to later: it is held open.
#[derive(Clone, Debug)]
struct Pinned {
    path: PathBuf,
    /// None where the user may not read the folder.
    open: Option<Arc<fs::File>>,
}

impl Pinned {
    /// The folder that is at `path` now.
    fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), open: fs::File::open(path).ok().map(Arc::new) }
    }

    /// A path that leads to this folder, whatever happens. Fails if something else is at its path now.
    fn path(&self) -> io::Result<PathBuf> {
        let Some(open) = &self.open else { return Ok(self.path.clone()) };
        let identity = |about: Metadata| (about.dev(), about.ino());
        if identity(open.metadata()?) != identity(fs::metadata(&self.path)?) {
            let why = format!("{} is another folder than when the run began", self.path.display());
            return Err(io::Error::new(ErrorKind::InvalidInput, why));
        }
        let is_linux = cfg!(target_os = "linux");
        Ok(if is_linux { format!("/proc/self/fd/{}", open.as_raw_fd()).into() } else { self.path.clone() })
    }
}
