//! The log that is kept for a result: in the user's state folder, under a name made from the result's path.

use std::fs::File;
use std::io::{self, Seek};
use std::path::{Path, PathBuf};

use mcve_reduce::output::real_path;
use mcve_reduce::state::place::StateFolder;

/// A file for the log of a run. It has no name until [`place`] gives it one: of a run that is killed nothing is left.
/// Fails when the user has no state folder that can be written.
pub(crate) fn begin() -> io::Result<File> {
    tempfile::tempfile_in(StateFolder::of_user()?.path())
}

/// Makes it the log of the result at `output`.
pub(super) fn place(log: &mut File, output: &Path) -> io::Result<()> {
    log.rewind()?;
    io::copy(log, &mut File::create(path(output)?)?).map(drop)
}

/// Where the log of the result at `result` is, if there is one.
pub(super) fn path(result: &Path) -> io::Result<PathBuf> {
    Ok(StateFolder::of_user()?.file(&real_path(result)?, "log"))
}
