//! Where results go. A file on disk always shows the failure: it is written beside its place, synced and renamed. A device or a
//! pipe is written to once, at the end. What mcve did not write itself is kept under another name before a result takes its
//! place.

mod backup;
mod in_place;
mod names;
mod replace;
mod target;
mod tree;

use std::cell::Cell;
use std::fs::{OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

pub use backup::{back_up, backup};
pub use in_place::{back_up_all, put};
pub use names::{FOLDER, default_path, program_name, with_end};
pub(crate) use replace::sync_folder;
use target::Target;
pub(crate) use target::folder;

use crate::program::{ContentHash, File, Program, files_hash};

/// Where the best program is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Nowhere until the end, then standard output.
    Stdout,
    /// Nowhere until the end, then a device, a pipe or an open file.
    Stream(PathBuf),
    /// A file, replaced after each gain.
    File(ResultFile),
}

/// A file for results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultFile {
    /// As the user calls it.
    named: PathBuf,
    /// Behind all links.
    real: PathBuf,
    /// What this run wrote there last.
    written: Cell<Option<ContentHash>>,
    /// What this run wrote last into the folder for several files.
    tree: Cell<Option<ContentHash>>,
}

impl Output {
    /// What `path` leads to. A link stays, and what it leads to is written.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn at(path: &Path) -> io::Result<Self> {
        Ok(match target::target(path)? {
            Target::Stdout => Self::Stdout,
            Target::Stream => Self::Stream(path.to_owned()),
            Target::File(real) => {
                Self::File(ResultFile { named: path.to_owned(), real, written: Cell::new(None), tree: Cell::new(None) })
            }
        })
    }

    /// The same for a name that mcve gives, where the user names none. A link there may have come with somebody else's files, and is
    /// refused.
    ///
    /// # Errors
    /// Likewise, and for a link.
    pub fn at_default(path: &Path) -> io::Result<Self> {
        if path.is_symlink() {
            let why = "is a link, which mcve follows only if you name it: use -o to say where the result goes";
            return Err(io::Error::new(ErrorKind::InvalidInput, format!("{} {why}", path.display())));
        }
        Self::at(path)
    }

    /// The path, where there is one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdout => None,
            Self::Stream(path) => Some(path),
            Self::File(file) => Some(&file.named),
        }
    }

    /// The file, if it is one, which can be read and replaced.
    #[must_use]
    pub fn file(&self) -> Option<&ResultFile> {
        if let Self::File(file) = self { Some(file) } else { None }
    }

    /// Keeps `program`, the best so far, in a file, with the permissions of `input`. Returns where it put what stood there and
    /// was not mcve's.
    ///
    /// # Errors
    /// When the file cannot be written; what stood there before then still does.
    pub fn keep(&self, program: &Program, input: &Path) -> io::Result<Option<PathBuf>> {
        let Self::File(file) = self else { return Ok(None) };
        if !program.is_lone() {
            return file.replace_tree(&program.files());
        }
        let aside = file.replace(program.root().as_bytes(), backup::permissions(input))?;
        file.remove_tree()?;
        Ok(aside)
    }

    /// Where `program` is, once it was kept: the file, or the folder of its files.
    #[must_use]
    pub fn place(&self, program: &Program) -> Option<PathBuf> {
        let path = self.path()?;
        Some(if program.is_lone() { path.to_owned() } else { tree::beside(path) })
    }

    /// Writes a whole result at once that is not made of a file: whoever could read a new file there can read it. Returns as
    /// [`Output::keep`] does.
    ///
    /// # Errors
    /// When it cannot be written; what stood in a file before then still does.
    pub fn write(&self, bytes: &[u8]) -> io::Result<Option<PathBuf>> {
        match self {
            Self::File(file) => file.replace(bytes, None),
            Self::Stream(path) => pour(path, bytes).map(|()| None),
            Self::Stdout => print(bytes).map(|()| None),
        }
    }

    /// Ends the run: what is to be seen at the end only is written now. Where that fails, the program is kept in the file that
    /// is the default for `input`.
    ///
    /// # Errors
    /// When it cannot be written; the error says where the program is.
    pub fn finish(&self, program: &Program, input: &Path) -> io::Result<()> {
        if let Self::File(_) = self {
            return Ok(());
        }
        let several = || io::Error::new(ErrorKind::InvalidInput, "the result has several files");
        let written = if program.is_lone() { self.write(program.root().as_bytes()).map(drop) } else { Err(several()) };
        written.map_err(|error| {
            let place = if input.is_file() { input } else { &program.name };
            let rescue = default_path(place);
            let kept = Self::at_default(&rescue).and_then(|output| output.keep(program, input).map(|_| output));
            let what = self.path().map_or("standard output".to_owned(), |path| path.display().to_string());
            let kind = error.kind();
            let message = match kept {
                Ok(output) => {
                    let rescue = output.place(program).unwrap_or(rescue);
                    format!("{what}: {error}: the result is in {}", rescue.display())
                }
                Err(_) => format!("{what}: {error}"),
            };
            io::Error::new(kind, message)
        })
    }

    /// Removes what a killed run left behind that was about to become this result. Nobody else may be writing it.
    pub fn clean(&self) {
        if let Self::File(file) = self {
            replace::clean(&file.real);
            replace::clean(&tree::beside(&file.real));
        }
    }
}

impl ResultFile {
    /// The path behind all links, which is the same for all names of the file.
    #[must_use]
    pub fn real(&self) -> &Path {
        &self.real
    }

    /// Says that what has this hash is the run's own, or kept elsewhere.
    pub fn record_written(&self, content: ContentHash) {
        self.written.set(Some(content));
    }

    /// Whether it holds a result as mcve wrote it, as far as the file system tells.
    #[must_use]
    pub fn is_marked(&self) -> bool {
        std::fs::read(&self.real).is_ok_and(|bytes| replace::is_marked(&self.real, ContentHash::of(&bytes)))
    }

    /// The hash of what the folder for several files holds, if there is one.
    #[must_use]
    pub fn tree_content(&self) -> Option<ContentHash> {
        tree::content(&tree::beside(&self.real))
    }

    /// Says that what has this hash in the folder for several files is the run's own.
    pub fn record_tree(&self, content: ContentHash) {
        self.tree.set(Some(content));
    }

    fn replace_tree(&self, files: &[(PathBuf, File)]) -> io::Result<Option<PathBuf>> {
        let path = tree::beside(&self.real);
        let there = tree::content(&path);
        let is_own = there.is_none() || there == self.tree.get() || tree::is_marked(&path);
        let is_there = path.symlink_metadata().is_ok();
        let aside = if is_there && !(is_own && there.is_some()) { Some(tree::put_aside(&path)?) } else { None };
        tree::replace(&path, files)?;
        self.tree.set(Some(files_hash(files)));
        Ok(aside)
    }

    /// Removes the folder for several files, if this run wrote it and nobody has changed it since.
    fn remove_tree(&self) -> io::Result<()> {
        let path = tree::beside(&self.real);
        if self.tree.get().is_some() && self.tree.take() == tree::content(&path) {
            tree::remove(&path)?;
        }
        Ok(())
    }

    /// Removes what this run wrote, unless somebody has changed it since.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn discard(&self) -> io::Result<()> {
        self.remove_tree()?;
        let there = std::fs::read(&self.real).ok().map(|bytes| ContentHash::of(&bytes));
        if there.is_some() && self.written.take() == there {
            std::fs::remove_file(&self.real)?;
        }
        Ok(())
    }

    /// Keeps what it holds under another name. Returns where, or nothing if that has been done before.
    ///
    /// # Errors
    /// When it cannot be copied.
    pub fn put_aside(&self) -> io::Result<Option<PathBuf>> {
        backup::put_aside(&self.real, &self.named)
    }

    /// Removes the file, or the link to it. Returns where it put what this run did not write.
    fn remove(&self) -> io::Result<Option<PathBuf>> {
        let aside = if self.is_lost(None) { self.put_aside()? } else { None };
        match std::fs::remove_file(&self.named) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(aside),
        }
    }

    fn replace(&self, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<Option<PathBuf>> {
        let content = ContentHash::of(bytes);
        let aside = if self.is_lost(Some(content)) { self.put_aside()? } else { None };
        replace::replace(&self.real, bytes, permissions)?;
        self.written.set(Some(content));
        Ok(aside)
    }

    /// Whether something would be lost if a result with the hash `next`, or nothing, took the place of what is there.
    fn is_lost(&self, next: Option<ContentHash>) -> bool {
        if std::fs::metadata(&self.real).is_ok_and(|metadata| metadata.len() > backup::LARGEST) {
            return true;
        }
        let there = match std::fs::read(&self.real) {
            Ok(bytes) if bytes.is_empty() => return false,
            Ok(bytes) => ContentHash::of(&bytes),
            Err(error) => return error.kind() != ErrorKind::NotFound,
        };
        Some(there) != next && self.written.get() != Some(there) && !replace::is_marked(&self.real, there)
    }
}

/// What to say where something was put aside.
#[must_use]
pub fn put_aside_message(path: &Path, aside: &Path) -> String {
    format!("{} holds what mcve did not write: a copy is kept as {}", path.display(), aside.display())
}

/// Writes to what is open already or cannot be replaced: at its end, as others may have written before.
fn pour(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().append(true).open(path)?;
    file.write_all(bytes)
}

fn print(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout();
    stdout.write_all(bytes)?;
    stdout.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keep_replaces_the_file_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let input = folder.path().join("a.rs");
        std::fs::write(&input, "fn a() {}").expect("it can be written");
        let output = Output::at(&folder.path().join("b.rs")).expect("it can be written");
        for text in ["one", "two"] {
            output.keep(&Program::new("a.rs", text), &input).expect("it can be written");
            assert_eq!(std::fs::read_to_string(folder.path().join("b.rs")).expect("it is there"), text);
        }
        assert_eq!(std::fs::read_dir(folder.path()).expect("it is there").count(), 2);
    }

    #[test]
    fn what_somebody_wrote_is_put_aside_even_during_a_run() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("b.rs");
        let output = Output::at(&path).expect("it can be written");
        assert_eq!(output.write(b"one").expect("it can be written"), None);
        std::fs::write(&path, "mine").expect("it can be written");
        let aside = output.write(b"two").expect("it can be written").expect("it is kept");
        assert_eq!(std::fs::read_to_string(aside).expect("it is there"), "mine");
        std::fs::write(&path, "").expect("it can be written");
        assert_eq!(output.write(b"three").expect("it can be written"), None, "nothing is nobody's work");
    }
}
