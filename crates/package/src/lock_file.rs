//! `Cargo.lock` for as long as cargo runs for mcve. Afterwards it is as it was, unless somebody else has changed it meanwhile.

use std::fs;
use std::path::PathBuf;

/// A lock file that cargo may change for a while. Dropping it puts back what it held, or removes it if it was not there.
#[derive(Debug)]
pub struct LockFile {
    path: PathBuf,
    /// What the user has; none where there is no such file.
    before: Option<Vec<u8>>,
    /// What is there by us.
    written: Option<Vec<u8>>,
}

impl LockFile {
    /// The file at `path`.
    #[must_use]
    pub fn at(path: PathBuf) -> Self {
        let before = fs::read(&path).ok();
        Self { written: before.clone(), before, path }
    }

    /// Whether it is a link, which cargo would follow to wherever it leads.
    #[must_use]
    pub fn is_link(&self) -> bool {
        self.path.is_symlink()
    }

    /// What it holds; none where there is no such file.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        fs::read_to_string(&self.path).ok()
    }

    /// Has `cargo` change it. Whatever changes it at another time is not ours.
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
        // Where it cannot be written now, cargo could not write it either.
        let _ = match &self.before {
            Some(before) => fs::write(&self.path, before),
            None => fs::remove_file(&self.path),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a file holds at the end that held `before`, to which cargo wrote `b`, and then somebody else `after`.
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
