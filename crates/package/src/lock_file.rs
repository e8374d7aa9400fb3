//! Restores `Cargo.lock` after cargo has run for mcve, unless another process has changed it meanwhile.

use std::fs;
use std::io;
use std::path::PathBuf;

/// A lock file that cargo may change temporarily. Dropping it restores the content, or removes the file if it did not exist.
#[derive(Debug)]
pub struct LockFile {
    path: PathBuf,
    /// The user's content; none if the file does not exist.
    before: Option<Vec<u8>>,
    /// The content that cargo wrote for mcve.
    written: Option<Vec<u8>>,
}

impl LockFile {
    /// The file at `path`.
    #[must_use]
    pub fn at(path: PathBuf) -> Self {
        let before = fs::read(&path).ok();
        Self { written: before.clone(), before, path }
    }

    /// Whether it is a link, which cargo would follow.
    #[must_use]
    pub fn is_link(&self) -> bool {
        self.path.is_symlink()
    }

    /// Its content; none if the file does not exist.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        fs::read_to_string(&self.path).ok()
    }

    /// Has it hold `text` until it is dropped.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn set(&mut self, text: &str) -> io::Result<()> {
        let path = self.path.clone();
        self.change(|| fs::write(path, text))
    }

    /// Runs `cargo`, which may change it. Changes at other times count as the user's.
    pub fn change<T>(&mut self, cargo: impl FnOnce() -> T) -> T {
        let now = fs::read(&self.path).ok();
        if now != self.written {
            self.before = now;
        }
        let done = cargo();
        self.written = fs::read(&self.path).ok();
        done
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        if self.written == self.before || fs::read(&self.path).ok() != self.written {
            return;
        }
        // If it cannot be written now, cargo could not write it either.
        let _ = match &self.before {
            Some(before) => fs::write(&self.path, before),
            None => fs::remove_file(&self.path),
        };
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
        let mut lock = LockFile::at(path.clone());
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

    #[test]
    fn what_somebody_else_wrote_before_cargo_comes_back() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let path = folder.path().join("Cargo.lock");
        let write = |text: &str| fs::write(&path, text).expect("it can be written");
        let mut lock = LockFile::at(path.clone());
        lock.change(|| write("a"));
        write("c");
        lock.change(|| write("d"));
        assert_eq!(lock.text().as_deref(), Some("d"));
        drop(lock);
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "c");
    }
}
