//! Where mcve keeps what it knows of a result between runs: in the user's state folder, under a name made from the result's path.

use std::ffi::OsStr;
use std::fs::DirEntry;
use std::io::{self, BufRead, BufReader};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use xxhash_rust::xxh3::xxh3_128;

use super::record::Record;
use crate::output::{default_path, real_path, with_end};
use crate::own_files::{make_folder, open, user_folder};

/// The file extension of a journal that `mcve resume` continues.
pub const JOURNAL: &str = "journal";

/// How long the files of a run that nobody resumes are kept: 60 days.
const KEPT: Duration = Duration::from_secs(60 * 24 * 60 * 60);

/// The user's folder of journals, logs and locks.
#[derive(Clone, Debug)]
pub struct StateFolder(PathBuf);

/// Why no single journal was found at a path.
#[derive(Debug, PartialEq, Eq)]
pub enum NotFound {
    /// There is none.
    None,
    /// There are several: these are the results of their runs.
    Several(Vec<PathBuf>),
}

impl StateFolder {
    /// The folder `mcve` in `$XDG_STATE_HOME` or `~/.local/state`, which is made if it is missing.
    ///
    /// # Errors
    /// When neither variable is set, or the folder cannot be made or is somebody else's.
    pub fn of_user() -> io::Result<Self> {
        let unknown = || io::Error::new(io::ErrorKind::NotFound, "neither XDG_STATE_HOME nor HOME is set");
        Self::at(user_folder("XDG_STATE_HOME", ".local/state").ok_or_else(unknown)?)
    }

    /// A folder that nobody else can write.
    ///
    /// # Errors
    /// When it cannot be made, or is somebody else's.
    pub fn at(folder: PathBuf) -> io::Result<Self> {
        make_folder(&folder)?;
        Ok(Self(folder))
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The path of the file of this kind about the result at `real`, an absolute path without links.
    pub fn file(&self, real: &Path, kind: &str) -> PathBuf {
        let end = format!("-{:032x}.{kind}", xxh3_128(real.as_os_str().as_bytes()));
        self.0.join(with_end(real.file_name().unwrap_or_default(), &end))
    }

    /// Removes the files that no run has written to for 60 days.
    pub(crate) fn prune(&self) {
        let is_old = |entry: &DirEntry| {
            let modified = entry.metadata().and_then(|about| about.modified());
            modified.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > KEPT))
        };
        for entry in self.0.read_dir().into_iter().flatten().flatten().filter(is_old) {
            // A file that cannot be removed does no harm.
            let _ = std::fs::remove_file(entry.path());
        }
    }

    /// The journal of the run of `place`: its result, its input beside that, or the folder of the result.
    ///
    /// # Errors
    /// When there is none, or more than one.
    pub fn find(&self, place: &Path) -> Result<PathBuf, NotFound> {
        if !place.is_dir() {
            // A run that was killed before it wrote its first line has nothing to resume.
            let has_begun = |path: &PathBuf| path.metadata().is_ok_and(|file| file.len() > 0);
            let of = |output: &Path| Some(self.file(&real_path(output).ok()?, JOURNAL)).filter(has_begun);
            return of(place).or_else(|| of(&default_path(place))).ok_or(NotFound::None);
        }
        let folder = place.canonicalize().map_err(|_| NotFound::None)?;
        let entries = self.0.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
        let journals = entries.filter(|path| path.extension() == Some(OsStr::new(JOURNAL)));
        let mut found: Vec<_> = journals.filter_map(|path| Some((result(&path)?, path))).collect();
        found.retain(|(result, _)| result.parent() == Some(&folder));
        found.sort();
        match found.len() {
            0 => Err(NotFound::None),
            1 => Ok(found.remove(0).1),
            _ => Err(NotFound::Several(found.into_iter().map(|(result, _)| result).collect())),
        }
    }
}

/// The result of the run whose journal is at `path`.
fn result(path: &Path) -> Option<PathBuf> {
    let first = BufReader::new(open(path).ok()?).lines().next()?.ok()?;
    match Record::read(&first)? {
        Record::Invoked(invocation) => Some(invocation.result()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Program;
    use crate::state::invocation::Invocation;

    #[test]
    fn a_journal_is_found_by_all_that_belongs_to_it() {
        let place = tempfile::tempdir().expect("a folder can be made");
        let root = place.path().canonicalize().expect("it is there");
        let state = StateFolder::at(root.join("state")).expect("it can be made");
        let begin = |result: &Path| {
            let asked = Invocation::new(&[], "/".into(), result.to_owned(), Program::new("a.rs", "").hash());
            let journal = state.file(result, JOURNAL);
            std::fs::write(&journal, Record::Invoked(Box::new(asked)).line().expect("it is text")).expect("it is ours");
            journal
        };
        let find = |name: &str| state.find(&root.join(name));
        assert_eq!((find(""), find("a.rs")), (Err(NotFound::None), Err(NotFound::None)));
        let empty = state.file(&root.join("a_mcve.rs"), JOURNAL);
        std::fs::write(&empty, "").expect("it can be written");
        assert_eq!((find(""), find("a.rs")), (Err(NotFound::None), Err(NotFound::None)));
        let journal = begin(&root.join("a_mcve.rs"));
        for name in ["", "a.rs", "a_mcve.rs", "state/../a.rs"] {
            assert_eq!(find(name).as_ref(), Ok(&journal), "{name}");
        }
        assert_eq!((find("state"), find("b.rs")), (Err(NotFound::None), Err(NotFound::None)));
        let other = begin(&root.join("b_mcve.rs"));
        assert_eq!(find(""), Err(NotFound::Several(vec![root.join("a_mcve.rs"), root.join("b_mcve.rs")])));
        assert_eq!(find("b.rs"), Ok(other));
    }

    #[test]
    fn names_are_short_enough_and_differ() {
        let place = tempfile::tempdir().expect("a folder can be made");
        let state = StateFolder::at(place.path().to_owned()).expect("it can be made");
        let long = PathBuf::from("/t").join("n".repeat(250));
        let paths = [
            state.file(&long, JOURNAL),
            state.file(Path::new("/a/x.rs"), JOURNAL),
            state.file(Path::new("/b/x.rs"), JOURNAL),
        ];
        paths.iter().for_each(|path| std::fs::write(path, "").expect("the name is short enough"));
        assert_eq!(place.path().read_dir().expect("it is there").count(), paths.len());
    }

    #[test]
    fn files_of_runs_long_ago_are_removed() {
        let place = tempfile::tempdir().expect("a folder can be made");
        let state = StateFolder::at(place.path().to_owned()).expect("it can be made");
        let [old, new] = ["/old.rs", "/new.rs"].map(|path| state.file(Path::new(path), JOURNAL));
        let ago = std::time::SystemTime::now() - KEPT - Duration::from_mins(1);
        std::fs::File::create(&old).and_then(|file| file.set_modified(ago)).expect("it is ours");
        std::fs::write(&new, "").expect("it can be written");
        state.prune();
        assert!(!old.exists() && new.exists());
    }
}
