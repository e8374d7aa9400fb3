//! Restores `Cargo.lock` after cargo has run for mcve, unless another process has changed it meanwhile.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, SystemTime};

use mcve_reduce::program::read_regular;

/// The name of the note on a lock file that is changed, for the run after one that was killed.
pub const NOTE: &str = "Cargo.lock.before";

/// How often the time of the note says that cargo may still change the lock file.
const BEAT: Duration = Duration::from_millis(20);

/// A lock file that cargo may change temporarily. Dropping it restores the content, or removes the file if it did not exist.
#[derive(Debug)]
pub struct LockFile {
    path: PathBuf,
    /// The user's content; none if the file does not exist.
    before: Option<Vec<u8>>,
    /// The content that cargo wrote for mcve.
    written: Option<Vec<u8>>,
    /// The path of its note, in a folder of mcve.
    note: PathBuf,
    /// The note, which is locked while this run is alive.
    noted: Option<File>,
}

impl LockFile {
    /// The file at `path`, with its note at `note` while it is changed.
    pub fn at(path: PathBuf, note: &Path) -> Self {
        let before = read(&path);
        Self { written: before.clone(), before, path, note: note.to_owned(), noted: None }
    }

    /// Whether it is a link, which cargo would follow.
    pub fn is_link(&self) -> bool {
        self.path.is_symlink()
    }

    /// Its content; none if the file does not exist.
    pub fn text(&self) -> Option<String> {
        fs::read_to_string(&self.path).ok()
    }

    /// Has it hold `text` until it is dropped.
    pub fn set(&mut self, text: &str) -> io::Result<()> {
        let path = self.path.clone();
        self.change(|| fs::write(path, text))
    }

    /// Runs `cargo`, which may change it. Changes at other times count as the user's.
    pub fn change<T>(&mut self, cargo: impl FnOnce() -> T) -> T {
        let now = read(&self.path);
        if now != self.written {
            self.before = now;
        }
        self.noted = self.write_note().ok();
        let ((ended, end), noted) = (mpsc::channel::<()>(), self.noted.as_ref());
        let still_runs = || noted.map(|note| note.set_modified(SystemTime::now()));
        let done = std::thread::scope(|scope| {
            scope.spawn(move || {
                while end.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
                    still_runs();
                }
            });
            let done = cargo();
            drop(ended);
            done
        });
        still_runs();
        self.written = read(&self.path);
        done
    }

    /// Makes the note anew. It follows no link.
    fn write_note(&self) -> io::Result<File> {
        let _ = fs::remove_file(&self.note);
        let mut note = File::create_new(&self.note)?;
        note.try_lock().map_err(io::Error::other)?;
        note.write_all(&serde_json::to_vec(&(&self.path, &self.before))?).map(|()| note)
    }
}

/// Its content; none if there is none, or a pipe in its place.
fn read(path: &Path) -> Option<Vec<u8>> {
    path.is_file().then(|| fs::read(path).ok()).flatten()
}

/// Has the file at `path` hold this, or removes it.
fn restore(path: &Path, before: Option<&Vec<u8>>) {
    // If it cannot be written now, cargo could not write it either.
    let _ = before.map_or_else(|| fs::remove_file(path), |before| fs::write(path, before));
}

/// Restores the lock file at `path` by its note if the run that changed it was killed, and nobody has changed it since.
pub fn recover(path: &Path, note: &Path) {
    let Ok(text) = read_regular(note) else { return };
    let Some(file) = File::open(note).ok().filter(|file| file.try_lock().is_ok()) else { return };
    // Only the system sets the time of change, for both files by the same clock. Changes in one tick of it count as the user's.
    let is_of_cargo = |(lock, note): (fs::Metadata, fs::Metadata)| {
        lock.is_file() && (lock.ctime(), lock.ctime_nsec()) < (note.ctime(), note.ctime_nsec())
    };
    let times = fs::symlink_metadata(path).ok().zip(file.metadata().ok());
    if let Ok((of, before)) = serde_json::from_slice::<(PathBuf, Option<Vec<u8>>)>(&text)
        && of == path
        && times.is_some_and(is_of_cargo)
    {
        restore(path, before.as_ref());
    }
    // It has nothing to say any more.
    let _ = fs::remove_file(note);
}

impl Drop for LockFile {
    fn drop(&mut self) {
        if self.written != self.before && read(&self.path) == self.written {
            restore(&self.path, self.before.as_ref());
        }
        if self.noted.is_some() {
            // The next run finds nothing to restore.
            let _ = fs::remove_file(&self.note);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The final content of a file that held `before`, after cargo wrote `b` and then another process wrote `after`.
    fn end(before: Option<&str>, after: Option<&str>) -> Option<String> {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let path = folder.path().join("Cargo.lock");
        let write = |text: &str| fs::write(&path, text).expect("it can be written");
        before.iter().for_each(|text| write(text));
        let mut lock = LockFile::at(path.clone(), &folder.path().join(NOTE));
        lock.change(|| write("b"));
        after.iter().for_each(|text| write(text));
        drop(lock);
        fs::read_to_string(path).ok()
    }

    #[test]
    fn what_cargo_wrote_does_not_stay() {
        assert_eq!(end(Some("a"), None).as_deref(), Some("a"));
        assert_eq!(end(None, None), None);
    }

    #[test]
    fn what_somebody_else_wrote_stays() {
        assert_eq!(end(Some("a"), Some("c")).as_deref(), Some("c"));
        assert_eq!(end(None, Some("c")).as_deref(), Some("c"));
    }

    /// The content after a run that found `before` was killed when cargo had written `b`, somebody wrote `after`, and the next
    /// run began.
    fn recovered(before: Option<&str>, after: Option<&str>) -> Option<String> {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let (path, note) = (folder.path().join("Cargo.lock"), folder.path().join(NOTE));
        let write = |text: &str| fs::write(&path, text).expect("it can be written");
        before.iter().for_each(|text| write(text));
        let mut lock = LockFile::at(path.clone(), &note);
        lock.change(|| write("b"));
        recover(&path, &note);
        assert_eq!(lock.text().as_deref(), Some("b"), "its run is alive");
        // While cargo runs on, the time of the note goes on.
        let noted = lock.noted.take().expect("it can be written");
        let changed =
            |path: &Path| fs::metadata(path).map(|about| (about.ctime(), about.ctime_nsec())).expect("it is there");
        while changed(&note) <= changed(&path) {
            noted.set_modified(SystemTime::now()).expect("it can be set");
        }
        drop(noted);
        std::mem::forget(lock);
        after.iter().for_each(|text| write(text));
        recover(&path, &note);
        assert!(!note.exists());
        fs::read_to_string(path).ok()
    }

    #[test]
    fn what_a_killed_run_left_goes_and_what_somebody_wrote_stays() {
        assert_eq!(recovered(None, None), None);
        assert_eq!(recovered(Some("a"), None).as_deref(), Some("a"));
        assert_eq!(recovered(None, Some("c")).as_deref(), Some("c"));
        assert_eq!(recovered(Some("a"), Some("c")).as_deref(), Some("c"));
    }

    #[test]
    fn what_somebody_else_wrote_before_cargo_comes_back() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let path = folder.path().join("Cargo.lock");
        let write = |text: &str| fs::write(&path, text).expect("it can be written");
        let mut lock = LockFile::at(path.clone(), &folder.path().join(NOTE));
        lock.change(|| write("a"));
        write("c");
        lock.change(|| write("d"));
        assert_eq!(lock.text().as_deref(), Some("d"));
        drop(lock);
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "c");
    }
}
