//! The lock of a result: two runs that write the same file must not run at once, regardless of where their journals are.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::file::{OpenError, locked, remove};
use super::place::make_folder;
use crate::output::{FOLDER, folder, with_end};

/// The number of attempts to make the folder, as another run that ends may remove it.
const TRIES: usize = 5;

/// Another run is writing the result.
#[derive(Debug)]
pub struct Busy;

/// Holds the right to write a result until it is dropped.
#[derive(Debug)]
pub struct OutputLock {
    path: PathBuf,
    _file: File,
}

impl OutputLock {
    /// Takes the lock of the result at `real`, a path without links. None if no file can be made next to the result.
    ///
    /// # Errors
    /// When another run holds it.
    pub fn take(real: &Path) -> Result<Option<Self>, Busy> {
        let inside = folder(real).join(FOLDER);
        let path = inside.join(with_end(real.file_name().unwrap_or_default(), ".lock"));
        for _ in 0..TRIES {
            if make_folder(&inside).is_err() {
                return Ok(None);
            }
            match locked(&path, true) {
                Ok(file) => return Ok(Some(Self { path, _file: file })),
                Err(OpenError::Busy(_)) => return Err(Busy),
                Err(OpenError::Io(_, error)) if error.kind() == ErrorKind::NotFound => {}
                Err(OpenError::Io(..)) => {
                    // There may be no space for more than the folder. It stays if it is not empty.
                    let _ = std::fs::remove_dir(&inside);
                    return Ok(None);
                }
            }
        }
        Ok(None)
    }
}

impl Drop for OutputLock {
    fn drop(&mut self) {
        // A leftover lock file does no harm: the next run takes it.
        let _ = remove(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_has_one_run_at_a_time_and_no_lock_is_left() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("a.rs");
        let lock = OutputLock::take(&path).expect("nobody has it");
        assert!(lock.is_some());
        OutputLock::take(&path).expect_err("there is a run");
        assert!(OutputLock::take(&folder.path().join("b.rs")).expect("nobody has it").is_some());
        drop(lock);
        assert_eq!(std::fs::read_dir(folder.path()).expect("it is there").count(), 0);
        OutputLock::take(&path).expect("nobody has it any more");
    }

    #[test]
    fn where_no_lock_can_be_made_there_is_none() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        std::fs::write(folder.path().join(FOLDER), "in the way").expect("it can be written");
        assert!(OutputLock::take(&folder.path().join("a.rs")).expect("nobody has it").is_none());
    }
}
