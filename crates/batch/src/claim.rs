//! Claims: which process works on a task, where several share a folder and know nothing else of each other.
//!
//! A claim is an empty file `TASK.GENERATION`. Who creates it owns the task, and touches it from time to time. If nobody has
//! touched it for a *lease*, its owner is dead, and another process takes the task by creating the file of the next generation.
//! Creating a file that is not there is atomic on all file systems, also on shared ones, so one process wins.
//!
//! Ages are differences of two times of the file system, which one machine sets: the clocks of the owners do not matter.
//! An owner that was only suspended may go on beside its successor. So a claim saves work, and does not protect a result: results are
//! put in place by one rename, the first one holds, and all are the same.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// The time after which the owner of a claim that it has not touched is taken for dead.
pub const LEASE: Duration = Duration::from_secs(120);

/// The files of claims.
pub trait Shelf {
    /// Creates an empty file; false if it is there already.
    ///
    /// # Errors
    /// When it cannot be created.
    fn create(&self, name: &str) -> io::Result<bool>;

    /// Sets the time of a file to now; false if it is gone.
    ///
    /// # Errors
    /// When its time cannot be set.
    fn touch(&self, name: &str) -> io::Result<bool>;

    /// How long ago a file was touched; none if it is gone.
    ///
    /// # Errors
    /// When it cannot be looked at.
    fn age(&self, name: &str) -> io::Result<Option<Duration>>;

    /// The names of all files.
    ///
    /// # Errors
    /// When they cannot be listed.
    fn names(&self) -> io::Result<Vec<String>>;

    /// Removes a file, if it is there.
    ///
    /// # Errors
    /// When it cannot be removed.
    fn remove(&self, name: &str) -> io::Result<()>;
}

/// A task that this process owns, until it releases it or is dead for a lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    task: String,
    generation: u32,
}

impl Claim {
    fn name(&self) -> String {
        format!("{}.{}", self.task, self.generation)
    }
}

/// Takes a task; none if another process owns it. Look once more whether it is done: its owner may have just finished it.
///
/// # Errors
/// When the files cannot be used.
pub fn take(shelf: &impl Shelf, task: &str, lease: Duration) -> io::Result<Option<Claim>> {
    let generation = match newest(shelf, task)? {
        None => 0,
        // A file that is gone was released just now.
        Some(newest) if shelf.age(&format!("{task}.{newest}"))?.is_none_or(|age| age > lease) => newest + 1,
        Some(_) => return Ok(None),
    };
    let claim = Claim { task: task.to_owned(), generation };
    Ok(shelf.create(&claim.name())?.then_some(claim))
}

/// Shows that the owner of a claim is alive; false if another process has taken the task.
///
/// # Errors
/// When the files cannot be used.
pub fn renew(shelf: &impl Shelf, claim: &Claim) -> io::Result<bool> {
    Ok(shelf.touch(&claim.name())? && newest(shelf, &claim.task)? == Some(claim.generation))
}

/// Gives a task back, done or not.
///
/// # Errors
/// When the files cannot be used.
pub fn release(shelf: &impl Shelf, claim: &Claim) -> io::Result<()> {
    let mut older: Vec<u32> = generations(shelf, &claim.task)?;
    older.retain(|generation| *generation <= claim.generation);
    // The oldest first: as long as the own file is there, nobody takes the task.
    older.sort_unstable();
    older.iter().try_for_each(|generation| shelf.remove(&format!("{}.{generation}", claim.task)))
}

fn newest(shelf: &impl Shelf, task: &str) -> io::Result<Option<u32>> {
    Ok(generations(shelf, task)?.into_iter().max())
}

fn generations(shelf: &impl Shelf, task: &str) -> io::Result<Vec<u32>> {
    let of_task = |name: &String| name.rsplit_once('.').filter(|(own, _)| *own == task)?.1.parse().ok();
    Ok(shelf.names()?.iter().filter_map(of_task).collect())
}

/// Claims as files of a folder.
#[derive(Debug)]
pub struct Disk {
    folder: PathBuf,
    /// The file whose time is the present of the file system.
    clock: PathBuf,
}

impl Disk {
    /// The claims in a folder, which is made if it is not there. `owner` is a name that no other process has.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn new(folder: PathBuf, owner: &str) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        let clock = folder.join(format!("clock-{owner}"));
        File::create(&clock)?;
        Ok(Self { folder, clock })
    }

    fn touched(path: &PathBuf) -> io::Result<bool> {
        match File::options().write(true).open(path) {
            Ok(file) => {
                // The file system sets the time, as of its own clock, where a byte is written.
                io::Write::write_all(&mut &file, b".")?;
                file.set_len(0).map(|()| true)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn time(path: &PathBuf) -> io::Result<Option<SystemTime>> {
        match fs::metadata(path) {
            Ok(found) => found.modified().map(Some),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // It only shows the time.
        let _ = fs::remove_file(&self.clock);
    }
}

impl Shelf for Disk {
    fn create(&self, name: &str) -> io::Result<bool> {
        match File::create_new(self.folder.join(name)) {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn touch(&self, name: &str) -> io::Result<bool> {
        Self::touched(&self.folder.join(name))
    }

    fn age(&self, name: &str) -> io::Result<Option<Duration>> {
        if !Self::touched(&self.clock)? {
            File::create(&self.clock)?;
        }
        let (now, then) = (Self::time(&self.clock)?, Self::time(&self.folder.join(name))?);
        Ok(then.map(|then| now.and_then(|now| now.duration_since(then).ok()).unwrap_or_default()))
    }

    fn names(&self) -> io::Result<Vec<String>> {
        let names = fs::read_dir(&self.folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        names.collect()
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.folder.join(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
