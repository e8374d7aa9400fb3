//! A folder in which the command runs, and a git of which no setting of the user's holds.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use mcve::cli::exit::Exit;
use mcve::exec::inherited::reset_signals;
use tempfile::TempDir;

/// Names and dates that make the same commits every time.
const IDENTITY: [(&str, &str); 8] = [
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_AUTHOR_NAME", "Ada"),
    ("GIT_AUTHOR_EMAIL", "ada@example.org"),
    ("GIT_AUTHOR_DATE", "2026-01-01T00:00:00Z"),
    ("GIT_COMMITTER_NAME", "Ada"),
    ("GIT_COMMITTER_EMAIL", "ada@example.org"),
    ("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z"),
];

/// In a shell: the process that has a check run, behind the two that start it and watch it.
pub(crate) const MCVE: &str = r#"$(cut -d" " -f4 /proc/$(cut -d" " -f4 /proc/$PPID/stat)/stat)"#;

/// A folder with files. Temporary files of the command go to a folder inside, so that leftovers show.
pub(crate) struct Place {
    folder: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        // Some tests send signals, which whoever started this process may have ignored.
        reset_signals();
        let folder = tempfile::tempdir().expect("a folder can be made");
        std::fs::create_dir(folder.path().join("tmp")).expect("a folder can be made");
        std::fs::create_dir(folder.path().join("w")).expect("a folder can be made");
        Self { folder }
    }

    /// The path of something in the folder in which the command runs.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("w").join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("it is below")).expect("a folder can be made");
        std::fs::write(&path, bytes).expect("it can be written");
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("it is there")
    }

    /// A command in the folder `at`.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>, at: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.path(at)).env("TMPDIR", self.folder.path().join("tmp")).stdin(Stdio::null());
        command.envs(IDENTITY).env_remove("CARGO_TARGET_DIR");
        // Above the temporary folder may be a repository.
        command.env("GIT_CEILING_DIRECTORIES", self.folder.path());
        command
    }

    /// Runs `mcve changes` in the folder `at`; the answer is its standard output and error.
    #[track_caller]
    pub(crate) fn changes(&self, at: &str, args: &[&str], exit: Exit) -> (String, String) {
        let output = self.command(env!("CARGO_BIN_EXE_mcve"), at).arg("changes").args(args).output();
        let (stdout, stderr) = texts(&output.expect("the binary runs"), exit.code().into());
        assert!(!stderr.contains("panicked"), "{stderr}");
        let left = std::fs::read_dir(self.folder.path().join("tmp")).expect("it is there").count();
        assert_eq!(left, 0, "nothing is left in the temporary folder");
        (stdout, stderr)
    }

    /// Runs git in the folder `at`.
    #[track_caller]
    pub(crate) fn git(&self, at: &str, args: &[&str]) -> String {
        texts(&self.command("git", at).args(args).output().expect("git is there"), 0).0
    }

    /// Commits all that is in the folder `at`.
    pub(crate) fn commit(&self, at: &str, message: &str) {
        self.git(at, &["add", "--all"]);
        self.git(at, &["commit", "--quiet", "--allow-empty", "--message", message]);
    }

    /// Checks that git applies the patch to what is in the folder `at`, with these arguments.
    #[track_caller]
    pub(crate) fn applies(&self, at: &str, args: &[&str], patch: &Path) {
        let mut git = self.command("git", at);
        git.args(["apply", "--check"]).args(args).arg(patch);
        texts(&git.output().expect("git is there"), 0);
    }
}

#[track_caller]
fn texts(output: &Output, code: i32) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{stdout}{stderr}");
    (stdout, stderr)
}
