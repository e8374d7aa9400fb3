//! Folders that stay from one check to the next: only changed files are written, and builds continue from their caches.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::cancel::Cancel;
use super::folder::{CheckFolder, cannot_write};
use super::job::{ExecError, Executor, Job, JobResult};
use super::process::Processes;
use crate::locked::lock;
use crate::program::File;

/// Marks a folder that its owner can do without, such as cargo's `target` (the *Cache Directory Tagging Specification*).
pub(crate) const CACHE_TAG: &str = "CACHEDIR.TAG";

/// Runs jobs of many files in folders that are kept, one for each job that runs at once.
///
/// Before a job, its folder holds the files of the job and nothing else, but for caches: folders with a `CACHE_TAG` stay as
/// the job before left them. A file that stays as it was keeps its time of modification, so cargo builds no more than what
/// changed.
#[derive(Debug)]
pub struct KeptFolders {
    processes: Arc<Processes>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    unused: Vec<IncrementalFolder>,
    made: usize,
}

/// A folder, and what was written for a check.
#[derive(Debug)]
struct IncrementalFolder {
    folder: PathBuf,
    written: BTreeMap<PathBuf, (File, Stamp)>,
}

/// The metadata that changes when a file is written: device, number, size, mode, times of modification and of change.
type Stamp = (u64, u64, u64, u32, (i64, i64), (i64, i64));

impl KeptFolders {
    /// Folders inside that of `processes`, which are removed with it.
    pub fn new(processes: Arc<Processes>) -> Self {
        Self { processes, state: Mutex::default() }
    }

    fn free(&self) -> Result<IncrementalFolder, ExecError> {
        let mut state = lock(&self.state);
        if let Some(kept) = state.unused.pop() {
            return Ok(kept);
        }
        let folder = self.processes.kept_folder(state.made);
        state.made += 1;
        Ok(IncrementalFolder { folder, written: BTreeMap::new() })
    }
}

impl Executor for KeptFolders {
    fn run(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, ExecError> {
        let mut kept = self.free()?;
        let result = self.processes.run_in(job, timeout, cancel, || {
            let folder = CheckFolder::kept(kept.folder.clone())?;
            kept.lay(&folder.work, &job.files)?;
            Ok(folder)
        });
        lock(&self.state).unused.push(kept);
        result
    }
}

impl IncrementalFolder {
    /// Makes the folder `work` hold `files`, and nothing else but caches.
    fn lay(&mut self, work: &Path, files: &[(PathBuf, File)]) -> Result<(), ExecError> {
        let wanted: BTreeMap<&Path, &File> = files.iter().map(|(path, file)| (path.as_path(), file)).collect();
        let mut there = BTreeMap::new();
        self.clear(work, Path::new(""), &wanted, &mut there).map_err(|source| cannot_write(work, source))?;
        self.written = there;
        for (path, file) in wanted {
            if !self.written.contains_key(path) {
                let at = work.join(path);
                let made = at.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| file.write(&at));
                let stamp = made.and_then(|()| stamp(&at)).map_err(|source| cannot_write(&at, source))?;
                self.written.insert(path.to_owned(), (file.clone(), stamp));
            }
        }
        Ok(())
    }

    /// Removes entries below `inside` that are not as wanted, and adds those that are to `there`.
    fn clear(
        &self,
        work: &Path,
        inside: &Path,
        wanted: &BTreeMap<&Path, &File>,
        there: &mut BTreeMap<PathBuf, (File, Stamp)>,
    ) -> io::Result<()> {
        for entry in fs::read_dir(work.join(inside))? {
            let entry = entry?;
            let path = inside.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                let holds_wanted = wanted.range(path.as_path()..).nth(usize::from(wanted.contains_key(path.as_path())));
                if holds_wanted.is_some_and(|(next, _)| next.starts_with(&path)) {
                    self.clear(work, &path, wanted, there)?;
                } else if wanted.contains_key(path.as_path()) || !entry.path().join(CACHE_TAG).exists() {
                    fs::remove_dir_all(entry.path())?;
                }
                continue;
            }
            let known = self.written.get(&path).filter(|(file, _)| wanted.get(path.as_path()) == Some(&file));
            match known {
                Some((file, before)) if stamp(&entry.path())? == *before => {
                    there.insert(path, (file.clone(), *before));
                }
                _ => fs::remove_file(entry.path())?,
            }
        }
        Ok(())
    }
}

fn stamp(path: &Path) -> io::Result<Stamp> {
    let about = fs::symlink_metadata(path)?;
    let (modified, changed) = ((about.mtime(), about.mtime_nsec()), (about.ctime(), about.ctime_nsec()));
    Ok((about.dev(), about.ino(), about.size(), about.mode(), modified, changed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::job::{End, Word};
    use crate::exec::limits::Memory;
    use crate::program::FileKind;

    fn file(path: &str, kind: FileKind, bytes: &str) -> (PathBuf, File) {
        (path.into(), File { kind, bytes: Arc::from(bytes.as_bytes()) })
    }

    /// Runs `line` in the one kept folder with `files`; returns what it printed.
    #[track_caller]
    fn run(folders: &KeptFolders, files: &[(PathBuf, File)], line: &str) -> String {
        let argv = ["sh", "-c", line].map(|word| Word::Text(word.into())).to_vec();
        let job = Job { files: files.to_vec(), argv, ..Job::default() };
        let result = folders.run(&job, Duration::from_secs(1000), &Cancel::default()).expect("there is a shell");
        assert_eq!(result.end, End::Exited(0), "{}", String::from_utf8_lossy(&result.stderr));
        String::from_utf8(result.stdout).expect("it is text")
    }

    fn folders() -> KeptFolders {
        KeptFolders::new(Arc::new(Processes::new(Memory::default(), None).expect("a folder can be made")))
    }

    const LIST: &str = "find . ! -type d | sort | tr '\\n' ' '";

    #[test]
    fn a_check_leaves_nothing_to_the_next_one_but_caches() {
        let folders = folders();
        let files = [file("a", FileKind::Plain, "a"), file("d/b", FileKind::Plain, "b")];
        let line = "echo x >> a; echo > new; mkdir -p target d/e; echo > target/CACHEDIR.TAG; echo > d/e/f; rm d/b";
        run(&folders, &files, line);
        assert_eq!(run(&folders, &files, &format!("cat a d/b; {LIST}")), "ab./a ./d/b ./target/CACHEDIR.TAG ");
    }

    #[test]
    fn only_what_differs_is_written() {
        let folders = folders();
        let stamps = "stat -c '%n %i %y' a b 2>/dev/null || stat -f '%N %i %m' a b";
        let before = run(&folders, &[file("a", FileKind::Plain, "1"), file("b", FileKind::Plain, "1")], stamps);
        let after = run(&folders, &[file("a", FileKind::Plain, "1"), file("b", FileKind::Plain, "2")], stamps);
        let (before, after): (Vec<_>, Vec<_>) = (before.lines().collect(), after.lines().collect());
        assert_eq!(before[0], after[0]);
        assert_ne!(before[1], after[1]);
    }

    #[test]
    fn a_file_becomes_a_folder_a_link_or_executable_and_back() {
        let folders = folders();
        let kinds = [
            [file("a", FileKind::Plain, "b")],
            [file("a/b", FileKind::Plain, "b")],
            [file("a", FileKind::Link, "b")],
            [file("a", FileKind::Executable, "b")],
            [file("a/b/c", FileKind::Plain, "b")],
        ];
        let line = format!("{LIST}; [ -L a ] && echo link; [ -x a ] && [ -f a ] && echo runs; true");
        let seen: Vec<String> = kinds.iter().chain(&kinds).map(|files| run(&folders, files, &line)).collect();
        let once = ["./a ", "./a/b ", "./a link\n", "./a runs\n", "./a/b/c "];
        assert_eq!(seen, [once, once].concat());
    }
}
