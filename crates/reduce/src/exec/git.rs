//! Runs git, for histories and patches. A repository of others may name programs in its configuration and its attributes: git
//! works in a repository of mcve's own, which only borrows the objects and the names of that one.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{Seek, Write};
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use super::folder::RunFolder;

/// What is borrowed of a repository: its objects, names and index, and nothing that can name a program. `HEAD` is copied.
const BORROWED: [&str; 9] =
    ["objects", "refs", "packed-refs", "logs", "shallow", "index", "ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD"];

/// git, run in a repository of mcve's own, which may borrow from another one.
#[derive(Clone, Debug, Default)]
pub struct Git {
    repository: PathBuf,
    /// The path from the top of the borrowed files to the folder that git was asked in.
    inside: PathBuf,
    /// The top of the borrowed files; none if there are none.
    top: Option<PathBuf>,
    /// Holds the repository if it borrows.
    _place: Option<Arc<RunFolder>>,
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
    /// The objects and names of the repository that `folder` is in.
    ///
    /// # Errors
    /// When it is in none, or git cannot be run.
    pub fn at(folder: &Path) -> Result<Self, GitError> {
        // These words have git read paths and formats only, and start nothing.
        let mut words = vec!["rev-parse", "--path-format=absolute", "--show-object-format"];
        words.extend(BORROWED.iter().chain(&["HEAD"]).flat_map(|name| ["--git-path", name]));
        words.extend(["--show-prefix", "--show-cdup"]);
        let asked = answer(Command::new("git").args(words).current_dir(folder).process_group(0).env("LC_ALL", "C"))?;
        let asked = String::from_utf8_lossy(&asked);
        let mut lines = asked.lines();
        let mut line = || lines.next().unwrap_or_default();
        let (format, paths, head) = (line(), BORROWED.map(|name| (name, line())), line());
        let (inside, top) = (PathBuf::from(line()), folder.join(line()));
        let place = RunFolder::new().map_err(GitError::Run)?;
        let repository = place.path().join("repository");
        let git = Self::init(&repository, format)?;
        let borrow = || {
            ["refs", "objects"].iter().try_for_each(|name| std::fs::remove_dir_all(repository.join(name)))?;
            std::fs::copy(head, repository.join("HEAD"))?;
            paths.iter().try_for_each(|(name, path)| symlink(path, repository.join(name)))
        };
        borrow().map_err(GitError::Run)?;
        let top = top.canonicalize().ok().filter(|top| top.join(".git").exists());
        Ok(Self { inside, top, _place: Some(Arc::new(place)), ..git })
    }

    /// Makes an empty repository of mcve's own in the new folder `folder`, with objects in this format.
    ///
    /// # Errors
    /// When git cannot be run, or the folder cannot be written.
    pub fn init(folder: &Path, format: &str) -> Result<Self, GitError> {
        std::fs::create_dir(folder).map_err(GitError::Run)?;
        let git = Self { repository: folder.to_owned(), ..Self::default() };
        git.ask(["init", "--quiet", "--bare", "--template=", "--object-format", format])?;
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
        let mut command = self.command();
        if !input.is_empty() {
            command.stdin(file_of(input).map_err(GitError::Run)?);
        }
        answer(command.args(words))
    }

    /// Writes a revision below the empty `folder`; returns the path of the own folder there. Repository and index stay.
    ///
    /// # Errors
    /// When git cannot be run, or has no such revision, or the files cannot be written.
    pub fn check_out(&self, revision: &OsStr, folder: &Path) -> Result<PathBuf, GitError> {
        let (index, tree) = (folder.join("index"), folder.join("tree"));
        let mut prefix = OsString::from("--prefix=");
        prefix.push(tree.join(""));
        let read = [OsStr::new("read-tree"), OsStr::new("--end-of-options"), revision];
        let write = [OsStr::new("checkout-index"), OsStr::new("--all"), &*prefix];
        for words in [read, write] {
            let mut command = self.command();
            answer(command.args(words).env("GIT_INDEX_FILE", &index).env("GIT_WORK_TREE", folder))?;
        }
        Ok(tree.join(&self.inside))
    }

    /// Whether files differ from the index, or that from the last commit. What is inside of submodules does not count.
    pub fn is_dirty(&self) -> bool {
        let Some(top) = &self.top else { return false };
        let words = ["status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all"];
        let told = answer(self.command().args(words).env("GIT_WORK_TREE", top).current_dir(top));
        told.is_ok_and(|told| !told.is_empty())
    }

    fn command(&self) -> Command {
        let mut command = Command::new("git");
        let of_git = |name: &OsString| name.as_encoded_bytes().starts_with(b"GIT_") && name != "GIT_EXEC_PATH";
        let inherited = std::env::vars_os().map(|(name, _)| name).filter(of_git);
        inherited.for_each(|name| _ = command.env_remove(name));
        let settings = ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"];
        command.envs(settings.map(|name| (name, "/dev/null"))).env("GIT_DIR", &self.repository);
        // mcve itself handles Ctrl-C, and refreshing the index would change it.
        command.current_dir(&self.repository).process_group(0).env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
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
        let git = Git::init(&folder.path().join("ours"), "sha1").expect("git is there");
        let blob = git.ask_about(["hash-object", "--stdin"], b"mcve\n").expect("it is there");
        assert_eq!(String::from_utf8_lossy(&blob).trim().len(), 40);
        assert_eq!(git.lines(["rev-parse", "--is-bare-repository"]).expect("it is one"), ["true"]);
    }

    #[test]
    fn what_git_says_is_told() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let git = Git::init(&folder.path().join("ours"), "sha1").expect("git is there");
        let error = git.ask(["rev-parse", "--verify", "nowhere"]).expect_err("there is none");
        assert_eq!(error.to_string(), "git says: Needed a single revision");
        assert!(matches!(Git::at(Path::new("/no/such/folder")), Err(GitError::Run(_))));
    }
}
