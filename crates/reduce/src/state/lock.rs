//! The lock of a result: two runs that write the same file must not run at once.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::file::{OpenError, locked};
use super::place::StateFolder;

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
    /// Takes the lock of the result at `real`, a path without links. None if the user has no state folder.
    ///
    /// # Errors
    /// When another run holds it.
    pub fn take(real: &Path) -> Result<Option<Self>, Busy> {
        StateFolder::of_user().map_or(Ok(None), |state| Self::take_in(&state, real))
    }

    /// Takes the lock of the result at `real` in another folder than the user's.
    ///
    /// # Errors
    /// When another run holds it.
    pub fn take_in(state: &StateFolder, real: &Path) -> Result<Option<Self>, Busy> {
        let path = state.file(real, "lock");
        match locked(&path, true) {
            Ok(file) => Ok(Some(Self { path, _file: file })),
            Err(OpenError::Busy(_)) => Err(Busy),
            Err(OpenError::Io(..) | OpenError::NoFolder(_)) => Ok(None),
        }
    }
}

impl Drop for OutputLock {
    fn drop(&mut self) {
        // A leftover lock file does no harm: the next run takes it.
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_has_one_run_at_a_time_and_no_lock_is_left() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let state = StateFolder::at(folder.path().to_owned()).expect("it is ours");
        let take = |name: &str| OutputLock::take_in(&state, Path::new(name));
        let lock = take("/a.rs").expect("nobody has it");
        assert!(lock.is_some());
        take("/a.rs").expect_err("there is a run");
        assert!(take("/b.rs").expect("nobody has it").is_some());
        drop(lock);
        assert_eq!(std::fs::read_dir(folder.path()).expect("it is there").count(), 0);
        take("/a.rs").expect("nobody has it any more");
    }
}
