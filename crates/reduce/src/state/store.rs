//! A store of verdicts that runs share: of one user or of several, one after the other or at the same time.
//!
//! A folder for each basis, which is what verdicts depend on besides the candidate; in it a file for each run, of records like those of
//! a journal. Each record is a line with a checksum, and is written by one call, so a torn or damaged line is none. Files can be copied
//! from one store to another, as by `rsync` or the cache of a CI: a run reads all that are there when it begins.
//!
//! A store may be wrong, as other users and machines fill it. So a candidate that fails by the store only *likely* fails, until a fresh
//! process confirms it, as with the fork server. One that does not fail by the store is not run: a wrong entry may make a result larger.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::record::Record;
use super::recorded::Recorded;
use crate::program::ContentHash;

/// Where a store is.
#[derive(Clone, Debug)]
pub struct StorePlace {
    /// Its folder.
    pub folder: PathBuf,
    /// The most bytes that it has when a run begins.
    pub size: u64,
}

impl StorePlace {
    /// A store of usual size in a folder: 1 GiB.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, size: 1 << 30 }
    }
}

/// The end of the names of its files.
const END: &str = "verdicts";

/// A store, as one run uses it.
#[derive(Debug)]
pub(super) struct Store {
    /// Where the file of this run is, once it has a record.
    path: PathBuf,
    file: Option<File>,
}

impl Store {
    /// Opens a store for a basis, or makes it, and adds what it knows to `known`. Removes the files that were used least recently if
    /// the store is too large. Fails if the folder cannot be made or read.
    pub(super) fn open(
        StorePlace { folder, size }: &StorePlace,
        basis: &str,
        known: &mut Recorded,
    ) -> io::Result<Self> {
        let own = folder.join(String::from(ContentHash::of(basis.as_bytes())));
        fs::create_dir_all(&own)?;
        prune(folder, *size)?;
        for path in files_of(&own) {
            // Another run may have removed it.
            let Ok(bytes) = fs::read(&path) else { continue };
            for record in String::from_utf8_lossy(&bytes).lines().filter_map(Record::read) {
                known.learn_from_others(record);
            }
            // It was used.
            let _ = File::options().append(true).open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        }
        let nanos = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos();
        Ok(Self { path: own.join(format!("{nanos:x}-{:x}.{END}", std::process::id())), file: None })
    }

    /// Adds a record. Fails if it cannot be written.
    pub(super) fn add(&mut self, record: &Record) -> io::Result<()> {
        let Ok(line) = record.line() else { return Ok(()) };
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(OpenOptions::new().create(true).append(true).open(&self.path)?),
        };
        file.write_all(line.as_bytes())
    }
}

/// Removes the files that were used least recently, until all others have at most this size.
fn prune(folder: &Path, size: u64) -> io::Result<()> {
    let mut files = Vec::new();
    for basis in fs::read_dir(folder)? {
        for path in files_of(&basis?.path()) {
            let Ok(about) = path.metadata() else { continue };
            files.push((about.modified()?, about.len(), path));
        }
    }
    files.sort();
    let mut left: u64 = files.iter().map(|(_, len, _)| len).sum();
    for (_, len, path) in files {
        if left <= size {
            break;
        }
        left -= len;
        let _ = fs::remove_file(path);
    }
    Ok(())
}

fn files_of(basis: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(basis).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == END)).collect();
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::exec::job::{End, JobResult, Trust};
    use crate::oracle::Verdict;
    use crate::program::Program;
    use crate::state::record::Judged;
    use mcve_dd::outcome::Outcome;

    fn checked(text: &str, outcome: Outcome, end: End) -> Record {
        let verdict = Verdict::new(outcome, "");
        Record::Checked(Judged::new(Program::new("a.rs", text).hash(), &verdict, &JobResult::ended(end)))
    }

    #[test]
    fn another_run_of_the_same_basis_knows_what_was_checked() {
        let place = tempfile::tempdir().expect("a folder can be made");
        let open = |basis| {
            let mut known = Recorded::default();
            let store = Store::open(&StorePlace::new(place.path().to_owned()), basis, &mut known);
            (store.expect("it can be made"), known.verdicts)
        };
        let ((mut one, known), (mut beside, _)) = (open("basis"), open("basis"));
        assert!(known.is_empty());
        for (text, outcome, end) in [
            ("a", Outcome::Fail, End::Exited(101)),
            ("b", Outcome::Pass, End::Exited(0)),
            ("c", Outcome::Unresolved, End::TimedOut),
        ] {
            one.add(&checked(text, outcome, end)).expect("it can be written");
        }
        beside.add(&checked("d", Outcome::Pass, End::Exited(0))).expect("it can be written");
        // A line that a kill cut off.
        let torn = checked("e", Outcome::Pass, End::Exited(0)).line().expect("it is text");
        beside.file.as_mut().expect("it has begun").write_all(&torn.as_bytes()[..30]).expect("it can be written");
        let (_, known) = open("basis");
        let mut said: Vec<_> = known.values().map(|judged| (judged.outcome(), judged.trust)).collect();
        said.sort_by_key(|(_, trust)| *trust);
        // What fails has to be confirmed.
        assert_eq!(
            said,
            [(Outcome::Fail, Trust::Likely), (Outcome::Pass, Trust::Certain), (Outcome::Pass, Trust::Certain)]
        );
        assert!(open("other").1.is_empty());
    }

    #[test]
    fn the_oldest_files_go_first() {
        let place = tempfile::tempdir().expect("a folder can be made");
        for (age, basis) in [(300, "old"), (200, "newer"), (100, "new")] {
            let folder = place.path().join(basis);
            fs::create_dir(&folder).expect("it can be made");
            let path = folder.join(format!("x.{END}"));
            fs::write(&path, [b'x'; 100]).expect("it can be written");
            let time = SystemTime::now() - Duration::from_secs(age);
            File::options().append(true).open(path).and_then(|file| file.set_modified(time)).expect("it is ours");
        }
        prune(place.path(), 250).expect("it can be used");
        let left = ["old", "newer", "new"].map(|basis| files_of(&place.path().join(basis)).len());
        assert_eq!(left, [0, 1, 1]);
    }
}
