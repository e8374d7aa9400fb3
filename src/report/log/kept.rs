//! The log that is kept for a result: in the user's state folder, under a name made from the result's path.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use mcve_reduce::output::real_path;
use mcve_reduce::state::place::StateFolder;
use tempfile::{Builder, TempPath};

/// The file extension.
const LOG: &str = "log";

/// A log under way. It goes if the run does not come to an end.
pub(crate) struct Kept {
    state: StateFolder,
    temporary: TempPath,
}

impl Kept {
    /// A file for the log of a run.
    ///
    /// # Errors
    /// When the user has no state folder that can be written.
    pub(crate) fn begin() -> io::Result<(File, Self)> {
        let state = StateFolder::of_user()?;
        let file = Builder::new().prefix(".run-").suffix(".log").tempfile_in(state.path())?;
        let (file, temporary) = file.into_parts();
        Ok((file, Self { state, temporary }))
    }

    /// Makes it the log of the result at `output`.
    pub(super) fn place(self, output: &Path) {
        if let Ok(real) = real_path(output) {
            // A result without a log is one that `mcve why` asks about once more.
            let _ = self.temporary.persist(self.state.file(&real, LOG));
        }
    }
}

/// Where the log of the result at `result` is, if there is one.
pub(super) fn path(result: &Path) -> Option<PathBuf> {
    let path = StateFolder::of_user().ok()?.file(&real_path(result).ok()?, LOG);
    path.is_file().then_some(path)
}
