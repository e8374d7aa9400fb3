//! The file of a journal: one run holds it at a time, each record is written by one call, and its size is bounded.

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::OFlags;

use super::record::Record;
use crate::output::{folder, sync_folder};
use crate::own_files::only_user_writes;

/// A new run over a journal of more than this size begins with an empty one: about a quarter of a million verdicts.
pub const LARGE: u64 = 32 << 20;

/// The number of attempts to take a lock. A process that was being started when its run was killed may hold it for a moment.
const TRIES: u32 = 20;

/// The wait between attempts.
const NAP: Duration = Duration::from_millis(50);

/// A journal's file, open and locked.
#[derive(Debug)]
pub struct JournalFile {
    path: PathBuf,
    file: File,
    size: u64,
    pub(super) is_torn: bool,
}

/// Why a journal cannot be used.
#[derive(Debug)]
pub enum OpenError {
    /// Another run uses it.
    Busy(PathBuf),
    /// There is no folder for it.
    NoFolder(io::Error),
    /// It cannot be read or written.
    Io(PathBuf, io::Error),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Busy(path) => write!(f, "another run is under way that keeps {}", path.display()),
            Self::NoFolder(_) => f.write_str("there is no folder for the journal"),
            Self::Io(path, _) => write!(f, "cannot use the journal {}", path.display()),
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Busy(_) => None,
            Self::NoFolder(error) | Self::Io(_, error) => Some(error),
        }
    }
}

impl JournalFile {
    /// Opens the journal at `path`, or makes one if `create` is true, and returns it with its content.
    ///
    /// # Errors
    /// When another run has it, when there is none, or when it cannot be made, read or written.
    pub fn open(path: &Path, create: bool) -> Result<(Self, String), OpenError> {
        let failed = |error| OpenError::Io(path.to_owned(), error);
        let mut file = locked(path, create)?;
        if create {
            // The result will be on the disk, and must not be there without its journal.
            sync_folder(folder(path));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        // An incomplete line of a killed run must not become the beginning of the next one.
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        let is_torn = whole < bytes.len();
        if is_torn {
            file.set_len(whole as u64).map_err(failed)?;
            bytes.truncate(whole);
        }
        let file = Self { path: path.to_owned(), file, size: whole as u64, is_torn };
        Ok((file, String::from_utf8_lossy(&bytes).into_owned()))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is so large that a new run should not add to it.
    pub(crate) fn is_large(&self) -> bool {
        self.size > LARGE
    }

    pub(super) fn clear(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.size = 0;
        Ok(())
    }

    /// Adds a record. A record that cannot be encoded as a line is left out.
    pub(super) fn append(&mut self, record: &Record) -> io::Result<()> {
        let Ok(line) = record.line() else { return Ok(()) };
        // In one call, so that a kill of this process leaves all of it in the file or nothing.
        self.file.write_all(line.as_bytes())?;
        self.size += line.len() as u64;
        // The result is written next, and must not be on the disk alone after a power failure.
        if matches!(record, Record::Kept(_)) { self.file.sync_data() } else { Ok(()) }
    }

    pub(super) fn remove(self) -> io::Result<()> {
        std::fs::remove_file(self.path)
    }
}

/// Opens and locks the file at `path`, but not one that is removed in the meantime.
pub(super) fn locked(path: &Path, create: bool) -> Result<File, OpenError> {
    let failed = |error| OpenError::Io(path.to_owned(), error);
    for _ in 0..TRIES {
        // A link could lead anywhere, and a pipe has no end.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(create).mode(0o600).custom_flags(flags.bits().cast_signed());
        let file = options.open(path).map_err(failed)?;
        let about = file.metadata().map_err(failed)?;
        if !about.is_file() || !only_user_writes(&about) {
            return Err(failed(io::Error::other("it is not a regular file that only you can write")));
        }
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                std::thread::sleep(NAP);
                continue;
            }
            // Some file systems do not support locks.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let is = file.metadata().map_err(failed)?;
        if std::fs::metadata(path).is_ok_and(|there| (there.dev(), there.ino()) == (is.dev(), is.ino())) {
            return Ok(file);
        }
    }
    Err(OpenError::Busy(path.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::exec::job::{End, JobResult};
    use crate::oracle::Verdict;
    use crate::program::Program;
    use crate::state::record::Judged;

    fn checked(text: &str) -> Record {
        let result = JobResult::ended(End::Exited(0));
        let verdict = Verdict::pass("");
        Record::Checked(Judged::new(Program::new("a.rs", text).hash(), &verdict, &result))
    }

    fn place() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("a.journal");
        (folder, path)
    }

    #[test]
    fn a_torn_line_does_not_spoil_the_next_one() {
        let (_folder, path) = place();
        let line = checked("a").line().expect("it is text");
        for end in 0..line.len() {
            std::fs::write(&path, format!("{line}{}", &line[..end])).expect("it can be written");
            let (mut file, text) = JournalFile::open(&path, false).expect("it is there");
            assert_eq!(text, line);
            file.append(&checked("b")).expect("it can be written");
            drop(file);
            let (_, text) = JournalFile::open(&path, false).expect("it is there");
            assert_eq!(text.lines().filter_map(Record::read).count(), 2, "{text}");
        }
    }

    #[test]
    fn a_journal_has_one_run_at_a_time() {
        let (_folder, path) = place();
        let (file, _) = JournalFile::open(&path, true).expect("it can be made");
        assert!(matches!(JournalFile::open(&path, true), Err(OpenError::Busy(_))));
        drop(file);
        JournalFile::open(&path, true).expect("nobody has it any more");
    }

    #[test]
    fn a_large_journal_is_written_on_and_a_new_run_begins_with_an_empty_one() {
        let (_folder, path) = place();
        let (mut file, _) = JournalFile::open(&path, true).expect("it can be made");
        file.append(&checked("a")).expect("there is room");
        assert!(!file.is_large());
        file.size = 2 * LARGE;
        assert!(file.is_large());
        file.append(&checked("b")).expect("it can be written");
        file.append(&Record::Kept(Program::new("a.rs", "b").hash())).expect("it can be written");
        drop(file);
        let (mut file, text) = JournalFile::open(&path, false).expect("it is there");
        assert_eq!(text.lines().count(), 3, "{text}");
        file.clear().expect("it can be written");
        drop(file);
        assert_eq!(JournalFile::open(&path, false).expect("it is there").1, "");
    }

    #[test]
    fn a_file_that_others_can_write_is_refused() {
        let (_folder, path) = place();
        drop(JournalFile::open(&path, true).expect("it can be made"));
        std::fs::set_permissions(&path, Permissions::from_mode(0o622)).expect("it is ours");
        assert!(matches!(JournalFile::open(&path, true), Err(OpenError::Io(..))));
        std::fs::set_permissions(&path, Permissions::from_mode(0o644)).expect("it is ours");
        JournalFile::open(&path, true).expect("nobody else can write it");
    }
}
