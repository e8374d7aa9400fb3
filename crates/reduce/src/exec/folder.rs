//! Temporary folders: that of a run, and in it one for each check.
//!
//! The folder of a run holds a file that identifies it and is locked while the run is alive. So the next run can distinguish
//! folders left by a killed run from those in use and from those that are not mcve's, and removes the former.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::process::geteuid;

use super::job::{Answer, ExecError, Job, JobResult};
use super::shim::Changes;
use crate::program::read_regular;

/// The prefix of the names of temporary folders.
const PREFIX: &str = "mcve-";

/// The file that marks the folder as one of mcve.
const MARK: &str = "mcve-run";

const MARKED: &str = "A temporary folder of mcve. The next run removes it when this one has ended.\n";

/// The folder of the folders of checks, in that of a run. Checks may write only below it.
const CHECKS: &str = "checks";

/// The folder of the files of a check, in its folder.
const WORK: &str = "work";

/// Whether a path is the folder in which a check runs.
pub(crate) fn is_of_check(path: &Path) -> bool {
    path.ends_with(WORK) && path.ancestors().nth(2).is_some_and(|checks| checks.ends_with(CHECKS))
}

/// The folder of a run. Dropping it removes it.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    _lock: File,
}

impl RunFolder {
    /// Makes one in the system's folder for temporary files, and removes the folders that killed runs of this user left there.
    pub fn new() -> io::Result<Self> {
        let place = fs::canonicalize(std::env::temp_dir())?;
        remove_left(&place);
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(&place)?;
        let new = folder.path().join("new");
        fs::write(&new, MARKED)?;
        let lock = File::open(&new)?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        // Another run that finds the file finds it locked.
        fs::rename(new, folder.path().join(MARK))?;
        fs::create_dir(folder.path().join(CHECKS))?;
        Ok(Self { path: folder.keep(), _lock: lock })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn checks(&self) -> PathBuf {
        self.path.join(CHECKS)
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // The next run may remove what cannot be removed now.
        let _ = remove(&self.path);
    }
}

/// Removes the folders that killed runs of this user left.
fn remove_left(place: &Path) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_name().as_bytes().starts_with(PREFIX.as_bytes()) && is_left(&path) {
            // Nothing depends on the removal.
            let _ = remove(&path);
        }
    }
}

/// Whether a folder is this user's, and its run has ended.
fn is_left(path: &Path) -> bool {
    let is_own = fs::symlink_metadata(path).is_ok_and(|about| about.is_dir() && about.uid() == geteuid().as_raw());
    let mark = path.join(MARK);
    is_own
        && fs::symlink_metadata(&mark).is_ok_and(|about| about.is_file() && about.len() == MARKED.len() as u64)
        && fs::read(&mark).is_ok_and(|text| text == MARKED.as_bytes())
        && File::open(&mark).is_ok_and(|mark| flock(&mark, FlockOperation::NonBlockingLockExclusive).is_ok())
}

/// Removes a folder, even if a check has removed the permission to change its content.
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

/// The folder of a check: for its files, and for temporary ones. Dropping it removes it, or only the latter if it stays.
pub(super) struct CheckFolder {
    pub(super) path: PathBuf,
    pub(super) work: PathBuf,
    stays: bool,
}

impl CheckFolder {
    pub(super) fn new(path: PathBuf) -> Result<Self, ExecError> {
        fs::create_dir(&path).map_err(|source| cannot_write(&path, source))?;
        Self::at(path, false)
    }

    /// Takes one whose files stay from one check to the next.
    pub(super) fn kept(path: PathBuf) -> Result<Self, ExecError> {
        Self::at(path, true)
    }

    fn at(path: PathBuf, stays: bool) -> Result<Self, ExecError> {
        let work = path.join(WORK);
        let folder = Self { path, work, stays };
        for made in [&folder.work, &folder.temporary()] {
            fs::create_dir_all(made).map_err(|source| cannot_write(made, source))?;
        }
        Ok(folder)
    }

    fn temporary(&self) -> PathBuf {
        self.path.join("tmp")
    }

    fn answer(&self, answer: &Answer) -> PathBuf {
        match answer {
            Answer::NamedBy(_) => self.path.join("answer"),
            Answer::At(path) => self.work.join(path),
        }
    }

    pub(super) fn write(&self, job: &Job) -> Result<(), ExecError> {
        for (path, file) in &job.files {
            let path = self.work.join(path);
            let parent = path.parent().unwrap_or(&self.work);
            if parent != self.work {
                fs::create_dir_all(parent).map_err(|source| cannot_write(parent, source))?;
            }
            file.write(&path).map_err(|source| cannot_write(&path, source))?;
        }
        Ok(())
    }

    /// The changes of a job to its environment, and the variables that name its folders.
    pub(super) fn env(&self, job: &Job) -> Changes {
        let mut env = job.env.clone();
        env.push(("TMPDIR".into(), Some(self.temporary().into())));
        if let Some(answer @ Answer::NamedBy(name)) = &job.answer {
            env.push((name.clone(), Some(self.answer(answer).into())));
        }
        env
    }

    /// The result of a job with its subject, and with its answer as standard output if it answers by a file.
    pub(super) fn read_answer(&self, job: &Job, result: JobResult) -> JobResult {
        let result = JobResult { subject: job.subject.clone(), ..result };
        match &job.answer {
            Some(answer) => JobResult { stdout: read_regular(&self.answer(answer)).unwrap_or_default(), ..result },
            None => result,
        }
    }
}

pub(super) fn cannot_write(path: &Path, source: io::Error) -> ExecError {
    ExecError { doing: format!("cannot write `{}`", path.display()), source }
}

impl Drop for CheckFolder {
    fn drop(&mut self) {
        // What cannot be removed now is removed with the folder of the run.
        let _ = if self.stays { remove(&self.temporary()) } else { remove(&self.path) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_a_run_that_has_ended_is_removed_and_no_other() {
        let place = tempfile::tempdir().expect("a folder can be made");
        let make = |name: &str, mark: Option<&str>| {
            let path = place.path().join(name);
            fs::create_dir_all(path.join("inner/deep")).expect("it can be made");
            if let Some(text) = mark {
                fs::write(path.join(MARK), text).expect("it can be written");
            }
            fs::set_permissions(path.join("inner"), Permissions::from_mode(0o500)).expect("it is ours");
            path
        };
        let (left, locked) = (make("mcve-left", Some(MARKED)), make("mcve-locked", Some(MARKED)));
        let others = [make("mcve-mine", None), make("mcve-other", Some("mine")), make("other", Some(MARKED))];
        let link = place.path().join("mcve-link");
        std::os::unix::fs::symlink(&others[2], &link).expect("it can be made");
        let lock = File::open(locked.join(MARK)).expect("it is there");
        flock(&lock, FlockOperation::NonBlockingLockExclusive).expect("nobody has it");
        remove_left(place.path());
        assert!(!left.exists() && locked.exists());
        drop(lock);
        remove_left(place.path());
        assert!(!locked.exists());
        assert!(link.exists() && others.iter().all(|path| path.join("inner/deep").exists()));
        allow(place.path());
    }

    #[test]
    fn the_folder_of_a_run_is_locked_and_goes_with_it() {
        let folder = RunFolder::new().expect("it can be made");
        let path = folder.path().to_owned();
        assert!(path.join(MARK).is_file() && !is_left(&path));
        drop(folder);
        assert!(!path.exists());
    }
}
