//! Temporary folders: that of a run, and in it one for each check.
//!
//! The folder of a run is locked as long as mcve, or a process that it started, is there. So the next run can tell folders that
//! a killed run left from those that are in use, and removes them.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::{FlockOperation, flock};
use rustix::process::geteuid;

use super::job::{ExecError, Job, JobResult};
use super::process::{cannot_write, write};
use super::shim::Changes;

/// What the names of the temporary folders of runs begin with.
const PREFIX: &str = "mcve-";

/// What the name of a folder begins with before it is locked.
const NEW: &str = "mcve.new-";

/// A folder that is not locked after this time never will be: whoever made it was killed at that moment.
const LONG: Duration = Duration::from_secs(3600);

/// Where a check finds its files, in its folder.
const WORK: &str = "work";

/// Where a check may make temporary files, in its folder.
const TEMPORARY: &str = "tmp";

/// The file by which a check answers, in its folder.
const ANSWER: &str = "answer";

/// The folder of a run. Dropping it removes it.
#[derive(Debug)]
pub(super) struct RunFolder {
    path: PathBuf,
    /// Holds the lock.
    _lock: File,
}

impl RunFolder {
    /// Makes one in the system's folder for temporary files, and removes there what killed runs of this user left.
    pub(super) fn new() -> io::Result<Self> {
        let place = fs::canonicalize(std::env::temp_dir())?;
        remove_left(&place);
        let new = tempfile::Builder::new().prefix(NEW).tempdir_in(&place)?;
        let lock = File::open(new.path())?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        let name =
            new.path().file_name().map(|name| name.to_string_lossy().replacen(NEW, PREFIX, 1)).unwrap_or_default();
        let path = place.join(name);
        fs::rename(new.path(), &path)?;
        // It has another name now.
        let _ = new.keep();
        Ok(Self { path, _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // What cannot be removed now the next run may remove.
        let _ = remove(&self.path);
    }
}

/// Removes the folders of runs of this user that are not there any more.
fn remove_left(place: &Path) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let is_new = name.as_bytes().starts_with(NEW.as_bytes());
        if (is_new || name.as_bytes().starts_with(PREFIX.as_bytes())) && is_left(&path, is_new) {
            // Nothing depends on it.
            let _ = remove(&path);
        }
    }
}

/// Whether a folder is this user's, and of a run that is not there any more.
fn is_left(path: &Path, is_new: bool) -> bool {
    let Ok(about) = fs::symlink_metadata(path) else { return false };
    let age = about.modified().ok().and_then(|time| SystemTime::now().duration_since(time).ok()).unwrap_or_default();
    about.is_dir()
        && about.uid() == geteuid().as_raw()
        && (!is_new || age > LONG)
        && File::open(path).is_ok_and(|folder| flock(&folder, FlockOperation::NonBlockingLockExclusive).is_ok())
}

/// Removes a folder, also where a check has taken away the right to change what is in it.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    fs::remove_dir_all(path).or_else(|_| {
        allow(path);
        fs::remove_dir_all(path)
    })
}

/// Gives the user all rights to a folder and those in it.
fn allow(folder: &Path) {
    let _ = fs::set_permissions(folder, Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            allow(&entry.path());
        }
    }
}

/// The folder of a check: one for its files, in which it starts, and one for temporary files. Dropping it removes it, or where it
/// is to stay, the temporary files.
pub(super) struct CheckFolder {
    path: PathBuf,
    work: PathBuf,
    stays: bool,
}

impl CheckFolder {
    /// Makes a new one.
    pub(super) fn new(path: PathBuf) -> Result<Self, ExecError> {
        fs::create_dir(&path).map_err(|source| cannot_write(&path, source))?;
        let work = path.join(WORK);
        let folder = Self { path, work, stays: false };
        for made in [&folder.work, &folder.temporary()] {
            fs::create_dir(made).map_err(|source| cannot_write(made, source))?;
        }
        Ok(folder)
    }

    /// Takes one whose files stay from one check to the next.
    pub(super) fn kept(path: PathBuf) -> Result<Self, ExecError> {
        let work = path.join(WORK);
        let folder = Self { path, work, stays: true };
        for made in [&folder.work, &folder.temporary()] {
            fs::create_dir_all(made).map_err(|source| cannot_write(made, source))?;
        }
        Ok(folder)
    }

    /// Where its files are.
    pub(super) fn path(&self) -> &Path {
        &self.work
    }

    fn temporary(&self) -> PathBuf {
        self.path.join(TEMPORARY)
    }

    fn answer(&self) -> PathBuf {
        self.path.join(ANSWER)
    }

    /// Writes the files of a job.
    pub(super) fn write(&self, job: &Job) -> Result<(), ExecError> {
        for (path, file) in &job.files {
            let path = self.work.join(path);
            let parent = path.parent().unwrap_or(&self.work);
            if parent != self.work {
                fs::create_dir_all(parent).map_err(|source| cannot_write(parent, source))?;
            }
            write(&path, file).map_err(|source| cannot_write(&path, source))?;
        }
        Ok(())
    }

    /// The changes of a job to its environment, and what names the places that it has here.
    pub(super) fn env(&self, job: &Job) -> Changes {
        let mut env = job.env.clone();
        env.push(("TMPDIR".into(), Some(self.temporary().into())));
        env.extend(job.answers_by.iter().map(|name| (name.clone(), Some(self.answer().into()))));
        env
    }

    /// The result of a job with its answer in the place of its standard output, if it answers by a file.
    pub(super) fn read_answer(&self, job: &Job, result: JobResult) -> JobResult {
        match job.answers_by {
            Some(_) => JobResult { stdout: fs::read(self.answer()).unwrap_or_default(), ..result },
            None => result,
        }
    }
}

impl Drop for CheckFolder {
    fn drop(&mut self) {
        // What cannot be removed now goes with the folder of the run.
        let _ = if self.stays { remove(&self.temporary()) } else { remove(&self.path) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_nobody_locks_is_removed_and_no_other() {
        let place = tempfile::tempdir().expect("a folder can be made");
        let make = |name: &str| {
            let path = place.path().join(name);
            fs::create_dir_all(path.join("inner/deep")).expect("it can be made");
            fs::set_permissions(path.join("inner"), Permissions::from_mode(0o500)).expect("it is ours");
            path
        };
        let (left, locked, new, other) = (make("mcve-left"), make("mcve-locked"), make("mcve.new-a"), make("other"));
        let link = place.path().join("mcve-link");
        std::os::unix::fs::symlink(&other, &link).expect("it can be made");
        let lock = File::open(&locked).expect("it is there");
        flock(&lock, FlockOperation::NonBlockingLockExclusive).expect("nobody has it");
        remove_left(place.path());
        let there = [&left, &locked, &new, &other, &link].map(|path| path.exists());
        assert_eq!(there, [false, true, true, true, true]);
        drop(lock);
        remove_left(place.path());
        assert!(!locked.exists());
        allow(place.path());
    }

    #[test]
    fn the_folder_of_a_run_is_locked_and_goes_with_it() {
        let folder = RunFolder::new().expect("it can be made");
        let path = folder.path().to_owned();
        assert!(path.is_dir() && !is_left(&path, false));
        drop(folder);
        assert!(!path.exists());
    }
}
