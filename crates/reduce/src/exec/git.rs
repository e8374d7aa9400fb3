//! Runs git, for histories and patches. These calls change only repositories that mcve itself made.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{Seek, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// git, run in a folder.
#[derive(Clone, Debug)]
pub struct Git {
    folder: PathBuf,
    /// Whether mcve made the repository, so that the user's settings do not apply.
    ours: bool,
}

/// Why git gave no answer.
#[derive(Debug)]
pub enum GitError {
    /// It cannot be run.
    Run(std::io::Error),
    /// It reported this error.
    Said(String),
}

impl fmt::Display for GitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Run(error) => write!(f, "cannot run git: {error}"),
            Self::Said(message) => write!(f, "git says: {message}"),
        }
    }
}

impl std::error::Error for GitError {}

impl Git {
    /// The repository that `folder` is in.
    #[must_use]
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), ours: false }
    }

    /// Makes an empty repository of mcve's own in the new folder `folder`.
    ///
    /// # Errors
    /// When git cannot be run, or the folder cannot be written.
    pub fn init(folder: &Path) -> Result<Self, GitError> {
        std::fs::create_dir(folder).map_err(GitError::Run)?;
        let git = Self { folder: folder.to_owned(), ours: true };
        git.ask(["init", "--quiet", "--bare", "--template="])?;
        Ok(git)
    }

    /// The standard output of git.
    ///
    /// # Errors
    /// When it cannot be run, or does not exit with 0.
    pub fn ask<I: AsRef<OsStr>>(&self, words: impl IntoIterator<Item = I>) -> Result<Vec<u8>, GitError> {
        self.ask_about(words, &[])
    }

    /// The standard output as lines of text.
    ///
    /// # Errors
    /// As [`ask`](Self::ask).
    pub fn lines<I: AsRef<OsStr>>(&self, words: impl IntoIterator<Item = I>) -> Result<Vec<String>, GitError> {
        Ok(String::from_utf8_lossy(&self.ask(words)?).lines().map(str::to_owned).collect())
    }

    /// The standard output of git, run with `input` as standard input.
    ///
    /// # Errors
    /// As [`ask`](Self::ask), and when no temporary file can be made.
    pub fn ask_about<I: AsRef<OsStr>>(
        &self,
        words: impl IntoIterator<Item = I>,
        input: &[u8],
    ) -> Result<Vec<u8>, GitError> {
        let stdin = if input.is_empty() { Stdio::null() } else { file_of(input).map_err(GitError::Run)?.into() };
        answer(self.command().args(words).stdin(stdin))
    }

    /// Writes all files of a revision below `folder`, which has to be empty, and returns the path that the own folder has there.
    /// The repository and its index stay as they are.
    ///
    /// # Errors
    /// When git cannot be run, or has no such revision, or the files cannot be written.
    pub fn check_out(&self, revision: &OsStr, folder: &Path) -> Result<PathBuf, GitError> {
        let top = PathBuf::from(self.lines(["rev-parse", "--show-toplevel"])?.concat());
        let inside = self.lines(["rev-parse", "--show-prefix"])?.concat();
        let (git, index, tree) = (Self { folder: top, ..self.clone() }, folder.join("index"), folder.join("tree"));
        let mut prefix = OsString::from("--prefix=");
        prefix.push(tree.join(""));
        let read = [OsStr::new("read-tree"), OsStr::new("--end-of-options"), revision];
        let write = [OsStr::new("checkout-index"), OsStr::new("--all"), &*prefix];
        for words in [read, write] {
            answer(git.command().args(words).stdin(Stdio::null()).env("GIT_INDEX_FILE", &index))?;
        }
        Ok(tree.join(inside))
    }

    /// The command that runs git.
    fn command(&self) -> Command {
        let mut command = Command::new("git");
        if self.ours {
            let settings = ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"];
            command.envs(settings.map(|name| (name, "/dev/null"))).env("GIT_DIR", &self.folder);
            ["GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_DIFF_OPTS"]
                .iter()
                .for_each(|name| _ = command.env_remove(name));
        }
        // mcve itself handles Ctrl-C, and refreshing the index would change it.
        command.current_dir(&self.folder).process_group(0).env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
        command
    }
}

/// The standard output of git.
fn answer(command: &mut Command) -> Result<Vec<u8>, GitError> {
    let output = command.output().map_err(GitError::Run)?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.trim().trim_start_matches("fatal: ");
    Err(GitError::Said(if said.is_empty() { output.status.to_string() } else { said.to_owned() }))
}

/// A file without a name that holds `bytes`, to be read from its beginning. Unlike a pipe it takes all of them at once.
fn file_of(bytes: &[u8]) -> std::io::Result<std::fs::File> {
    let mut file = tempfile::tempfile()?;
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_answers_about_what_it_is_given() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let git = Git::init(&folder.path().join("ours")).expect("git is there");
        let blob = git.ask_about(["hash-object", "--stdin"], b"mcve\n").expect("it is there");
        assert_eq!(String::from_utf8_lossy(&blob).trim().len(), 40);
        assert_eq!(git.lines(["rev-parse", "--is-bare-repository"]).expect("it is one"), ["true"]);
    }

    #[test]
    fn what_git_says_is_told() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let git = Git::init(&folder.path().join("ours")).expect("git is there");
        let error = git.ask(["rev-parse", "--verify", "nowhere"]).expect_err("there is none");
        assert_eq!(error.to_string(), "git says: Needed a single revision");
        assert!(matches!(Git::at("/no/such/folder").ask(["status"]), Err(GitError::Run(_))));
    }
}
