//! The difference of two versions by git: renamed files, and the patch for `git apply`.

use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use mcve_reduce::exec::git::{Git, GitError};
use mcve_reduce::program::{File, FileKind};
use mcve_reduce::program::{Files, path_of};

/// The names of the two versions in the temporary repository.
const REFS: [&str; 2] = ["refs/heads/old", "refs/heads/new"];

/// A temporary repository in which git compares versions.
#[derive(Debug)]
pub struct Comparer {
    git: Git,
}

impl Comparer {
    /// Creates it in `folder`, which holds temporary files.
    ///
    /// # Errors
    /// When git cannot be run, or the folder cannot be written.
    pub fn new(folder: &Path) -> Result<Self, GitError> {
        Ok(Self { git: Git::init(&folder.join("comparer"), "sha1")? })
    }

    /// The old and new paths of renamed files, which git detects by their contents.
    pub fn renames(&self, old: &Files, new: &Files) -> Result<Vec<(PathBuf, PathBuf)>, GitError> {
        self.import(old, new)?;
        let told =
            self.git.ask(["diff-tree", "-r", "-z", "-M", "--diff-filter=R", "--name-status", REFS[0], REFS[1]])?;
        let mut words = told.split(|&byte| byte == 0);
        let mut renames = Vec::new();
        while let (Some([b'R', ..]), Some(from), Some(to)) = (words.next(), words.next(), words.next()) {
            renames.push((path_of(from), path_of(to)));
        }
        Ok(renames)
    }

    /// The patch from the old version to the new one, for `git apply`. Empty if they are equal.
    pub fn patch(&self, old: &Files, new: &Files) -> Result<Vec<u8>, GitError> {
        self.import(old, new)?;
        self.git.ask(["diff-tree", "-p", "-r", "-M", "--binary", "--color=never", REFS[0], REFS[1]])
    }

    /// The numbers of removed and added lines; zero for a binary file.
    pub fn lines(&self, old: &Files, new: &Files) -> Result<(usize, usize), GitError> {
        self.import(old, new)?;
        let counts = self.git.lines(["diff-tree", "-r", "-M", "--numstat", REFS[0], REFS[1]])?;
        let count =
            |line: &str, column: usize| line.split('\t').nth(column).and_then(|word| word.parse().ok()).unwrap_or(0);
        Ok(counts.iter().fold((0, 0), |sum, line| (sum.0 + count(line, 0), sum.1 + count(line, 1))))
    }

    /// Imports the differing files. This way, git's attributes and settings do not change them.
    fn import(&self, old: &Files, new: &Files) -> Result<(), GitError> {
        let mut stream = Vec::new();
        for (name, version, other) in [(REFS[0], old, new), (REFS[1], new, old)] {
            let differ = version.files.iter().filter(|(path, file)| other.files.get(*path) != Some(file));
            commit(&mut stream, name, differ).expect("memory takes it");
        }
        self.git.ask_about(["fast-import", "--quiet", "--force"], &stream).map(drop)
    }
}

/// Writes a commit of some files for `git fast-import`.
fn commit<'a>(
    stream: &mut Vec<u8>,
    name: &str,
    files: impl Iterator<Item = (&'a PathBuf, &'a File)>,
) -> std::io::Result<()> {
    write!(stream, "reset {name}\ncommit {name}\ncommitter mcve <> 0 +0000\ndata 0\n")?;
    for (path, file) in files {
        let mode = match file.kind {
            FileKind::Plain => "100644",
            FileKind::Executable => "100755",
            FileKind::Link => "120000",
        };
        write!(stream, "M {mode} inline {}\ndata {}\n", quote(path), file.bytes.len())?;
        stream.extend_from_slice(&file.bytes);
        stream.push(b'\n');
    }
    Ok(())
}

/// A path in quotes, escaped as in C.
fn quote(path: &Path) -> String {
    let byte = |&byte: &u8| match byte {
        b'"' | b'\\' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    };
    format!("\"{}\"", path.as_os_str().as_bytes().iter().map(byte).collect::<String>())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;
    use mcve_reduce::exec::cancel::Cancel;
    use mcve_reduce::exec::incremental::KeptFolders;
    use mcve_reduce::exec::job::{End, Executor, Job, Word};
    use mcve_reduce::exec::limits::Memory;
    use mcve_reduce::exec::process::Processes;
    use mcve_reduce::project::folder::read_folder;

    /// Runs `line` in a folder with `version`, and reads the files afterwards.
    #[track_caller]
    fn after(version: &Files, line: &str) -> Files {
        let processes = Processes::new(Memory::default(), None).expect("a folder can be made");
        let folder = processes.kept_folder(0).join("work");
        let argv = ["sh", "-c", line].map(|word| Word::Text(word.into())).to_vec();
        let files = version.files.iter().map(|(path, file)| (path.clone(), file.clone())).collect();
        let job = Job { files, argv, ..Job::default() };
        let folders = KeptFolders::new(Arc::new(processes));
        let result = folders.run(&job, Duration::from_secs(1000), &Cancel::default()).expect("there is a shell");
        assert_eq!(result.end, End::Exited(0), "{}", String::from_utf8_lossy(&result.stderr));
        read_folder(&folder).expect("it can be read")
    }

    /// Checks that `git apply` turns `old` into `new`, and `git apply -R` does the reverse.
    #[track_caller]
    fn check(old: &Files, new: &Files) -> String {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let patch = Comparer::new(folder.path()).and_then(|git| git.patch(old, new)).expect("git is there");
        let file = folder.path().join("patch");
        std::fs::write(&file, &patch).expect("it can be written");
        for (from, to, direction) in [(old, new, ""), (new, old, "-R")] {
            // A parent of the temporary folder may be a repository.
            let git = "GIT_DIR=/nowhere git -c core.autocrlf=false apply";
            assert_eq!(after(from, &format!("{git} {direction} {}", file.display())), *to);
        }
        String::from_utf8_lossy(&patch).into_owned()
    }

    fn with(mut version: Files, path: &str, kind: FileKind, bytes: &[u8]) -> Files {
        version.files.insert(path.into(), File { kind, bytes: Arc::from(bytes) });
        version
    }

    #[test]
    fn git_applies_it_both_ways() {
        let old = Files::of_texts(&[("a", "1\n2\n3"), ("gone", "x\n"), ("crlf", "1\r\n2\r\n"), ("same", "s")]);
        let new = Files::of_texts(&[("a", "1\n2\n4\n"), ("d/new", ""), ("crlf", "1\r\n3\r\n"), ("same", "s")]);
        let patch = check(&old, &new);
        assert!(patch.contains("\\ No newline at end of file") && !patch.contains("same"), "{patch}");
    }

    #[test]
    fn renames_modes_links_and_binary_files_are_in_it() {
        let text = "one\ntwo\nthree\nfour\n";
        let old = with(
            Files::of_texts(&[("a b", text), ("run", "1\n"), ("ä\"\t\\", "1\n")]),
            "bin",
            FileKind::Plain,
            b"\0\x01",
        );
        let old = with(old, "l", FileKind::Link, b"a b");
        let new = with(Files::of_texts(&[("d/c", text), ("ä\"\t\\", "2\n")]), "bin", FileKind::Plain, b"\0\x02");
        let new = with(with(new, "run", FileKind::Executable, b"1\n"), "l", FileKind::Link, b"d/c");
        let new = with(new, "latin", FileKind::Plain, b"caf\xe9\n");
        let patch = check(&old, &new);
        for words in ["rename to d/c", "new mode 100755", "GIT binary patch", "index"] {
            assert!(patch.contains(words), "no {words} in {patch}");
        }
        let folder = tempfile::tempdir().expect("a folder can be made");
        let comparer = Comparer::new(folder.path()).expect("git is there");
        let renames = comparer.renames(&old, &new).expect("git is there");
        assert_eq!(renames, [("a b".into(), "d/c".into())]);
        assert_eq!(comparer.lines(&old, &new).expect("git is there"), (3, 2));
    }
}
