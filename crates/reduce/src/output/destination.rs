//! The output of a run: standard output, a stream, or a file that is replaced after each gain.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use rustix::fs::OFlags;

use super::backup::permissions;
use super::names::default_path;
use super::result_file::ResultFile;
use super::target::{Target, target};
use super::tree;
use crate::exec::tool::is_interrupted;
use crate::program::Program;
use crate::visible::visible;

/// The place for the best program.
#[derive(Clone, Debug)]
pub enum Output {
    /// Nowhere until the end, then standard output.
    Stdout,
    /// Nowhere until the end, then a device, a pipe or an open file.
    Stream(PathBuf),
    /// A file, replaced after each gain.
    File(ResultFile),
}

impl Output {
    /// The output at `path`. A link stays; the file that it leads to is written.
    pub fn at(path: &Path) -> io::Result<Self> {
        Ok(match target(path)? {
            Target::Stdout => Self::stdout()?,
            Target::Stream => Self::Stream(path.to_owned()),
            Target::File(real) => Self::File(ResultFile::new(path.to_owned(), real)),
        })
    }

    /// Standard output.
    ///
    /// # Errors
    /// When it is closed. Rust then opens `/dev/null` for reading and writing in its place.
    pub fn stdout() -> io::Result<Self> {
        let (stdout, null) = (rustix::fs::fstat(io::stdout())?, rustix::fs::stat("/dev/null")?);
        let access = rustix::fs::fcntl_getfl(io::stdout())? & OFlags::RWMODE;
        let is_closed = access == OFlags::RDONLY || access == OFlags::RDWR && stdout.st_rdev == null.st_rdev;
        if is_closed {
            Err(io::Error::new(ErrorKind::NotConnected, "standard output is closed"))
        } else {
            Ok(Self::Stdout)
        }
    }

    /// The output at a path that mcve chose. A link or a device there is refused, as it may have come with somebody else's files.
    ///
    /// # Errors
    /// When nothing can be written there, or it is a link, a pipe or a device.
    pub fn at_default(path: &Path) -> io::Result<Self> {
        let refused = |what: &str| {
            let why = format!("{what} only if you name it: use -o to say where the result goes");
            Err(io::Error::new(ErrorKind::InvalidInput, format!("{} {why}", path.display())))
        };
        if path.is_symlink() {
            return refused("is a link, which mcve follows");
        }
        let output = Self::at(path)?;
        if output.file().is_none() { refused("is a pipe or a device, which mcve writes to") } else { Ok(output) }
    }

    /// The output at a path in a folder that mcve alone writes to: what stands there is of an earlier run or stage, and is replaced.
    ///
    /// # Errors
    /// When nothing can be written there, or it is a link.
    pub fn at_own(path: &Path) -> io::Result<Self> {
        let output = Self::at_default(path)?;
        output.file().iter().for_each(|file| file.adopt());
        Ok(output)
    }

    /// The path; none for standard output.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdout => None,
            Self::Stream(path) => Some(path),
            Self::File(file) => Some(&file.named),
        }
    }

    /// The file, if it is one, which can be read and replaced.
    pub fn file(&self) -> Option<&ResultFile> {
        if let Self::File(file) = self { Some(file) } else { None }
    }

    /// Keeps the best program in a file, with the permissions of `input`. Returns the copy of a file that mcve did not write.
    ///
    /// # Errors
    /// When the file cannot be written; what stood there before then still does.
    pub fn keep(&self, program: &Program, input: &Path) -> io::Result<Option<PathBuf>> {
        let Self::File(file) = self else { return Ok(None) };
        if !program.is_lone() {
            return file.replace_tree(&program.files());
        }
        let aside = file.replace(&program.language.encode(&program.root()), permissions(input))?;
        file.remove_tree()?;
        Ok(aside)
    }

    /// The place of `program` after it was kept: the file, or the folder of its files.
    pub fn place(&self, program: &Program) -> Option<PathBuf> {
        let path = self.path()?;
        Some(if program.is_lone() { path.to_owned() } else { tree::beside(path) })
    }

    /// Writes a whole result at once, with the permissions of any new file. Returns as [`Output::keep`] does.
    ///
    /// # Errors
    /// When it cannot be written; what stood in a file before then still does.
    pub fn write(&self, bytes: &[u8]) -> io::Result<Option<PathBuf>> {
        match self {
            Self::File(file) => file.replace(bytes, None),
            Self::Stream(path) => pour(bytes, path.to_owned(), |bytes, path| {
                // Others may have written before.
                OpenOptions::new().append(true).open(path)?.write_all(bytes)
            }),
            Self::Stdout => pour(bytes, io::stdout(), |bytes, mut stdout| {
                let shown = stdout.is_terminal().then(|| visible(&String::from_utf8_lossy(bytes)));
                stdout.write_all(shown.as_ref().map_or(bytes, String::as_bytes))?;
                stdout.flush()
            }),
        }
    }

    /// Ends the run: writes the program to standard output or a stream. If that fails, keeps it in the default file for `input`.
    ///
    /// # Errors
    /// When it cannot be written; the error says where the program is.
    pub fn finish(&self, program: &Program, input: &Path) -> io::Result<()> {
        if let Self::File(_) = self {
            return Ok(());
        }
        let written = if program.is_lone() {
            self.write(&program.language.encode(&program.root())).map(drop)
        } else {
            Err(io::Error::new(ErrorKind::InvalidInput, "the result has several files"))
        };
        written.map_err(|error| {
            let place = if input.is_file() { input } else { &program.name };
            let rescue = default_path(place);
            let kept = Self::at_default(&rescue).and_then(|output| output.keep(program, input).map(|_| output));
            let what = self.path().map_or("standard output".to_owned(), |path| path.display().to_string());
            let kept = kept.ok().map(|output| output.place(program).unwrap_or(rescue));
            let kept = kept.map(|place| format!(": the result is in {}", place.display())).unwrap_or_default();
            io::Error::new(error.kind(), format!("{what}: {error}{kept}"))
        })
    }
}

/// The time between two checks for an interrupt while nobody reads.
const PATIENCE: Duration = Duration::from_millis(500);

/// Writes to where nobody may read: the run can be interrupted meanwhile.
fn pour<T: Send + 'static>(
    bytes: &[u8],
    to: T,
    write: impl FnOnce(&[u8], T) -> io::Result<()> + Send + 'static,
) -> io::Result<Option<PathBuf>> {
    let (bytes, (done, written)) = (bytes.to_vec(), mpsc::channel());
    std::thread::spawn(move || done.send(write(&bytes, to)));
    loop {
        match written.recv_timeout(PATIENCE) {
            Ok(written) => return written.map(|()| None),
            Err(_) if is_interrupted() => return Err(io::Error::new(ErrorKind::Interrupted, "nobody reads it")),
            Err(_) => {}
        }
    }
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

    #[test]
    fn in_a_folder_of_mcve_nothing_is_put_aside() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("b.rs");
        std::fs::create_dir(path.with_extension("")).expect("it can be made");
        for path in [&path, &path.with_extension("").join("a.rs")] {
            std::fs::write(path, "old").expect("it can be written");
        }
        let output = Output::at_own(&path).expect("it can be written");
        assert_eq!(output.keep(&Program::new("a.rs", "new"), &path).expect("it can be written"), None);
        assert_eq!(std::fs::read_dir(folder.path()).expect("it is there").count(), 1, "the old folder goes");
    }
}
