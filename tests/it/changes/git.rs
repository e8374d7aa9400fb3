//! Commands that run beside a folder with two versions, and a git of which no setting of the user's holds.

use std::path::Path;
use std::process::Command;

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder};

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

/// A folder in which nothing is yet.
pub(crate) fn place() -> TestFolder {
    TestFolder::new(env!("CARGO_BIN_EXE_mcve"))
}

/// Has a command run in the folder `at`, without settings of the user's.
pub(crate) fn settle<'c>(place: &TestFolder, command: &'c mut Command, at: &str) -> &'c mut Command {
    command.current_dir(place.path(at)).envs(IDENTITY).env_remove("CARGO_TARGET_DIR");
    // Above the temporary folder may be a repository.
    command.env("GIT_CEILING_DIRECTORIES", place.root().parent().expect("it is below"))
}

/// Runs `mcve changes` in the folder `at`; the answer is its standard output and error.
#[track_caller]
pub(crate) fn changes(place: &TestFolder, at: &str, args: &[&str], exit: Exit) -> (String, String) {
    let mut command = place.mcve(&[&["changes"], args].concat());
    let said = Said::by(settle(place, &mut command, at)).exits(exit);
    place.assert_clean();
    (said.stdout, said.stderr)
}

/// Runs git in the folder `at`.
#[track_caller]
pub(crate) fn git(place: &TestFolder, at: &str, args: &[&str]) -> String {
    Said::by(settle(place, place.command("git").args(args), at)).exits(Exit::Done).stdout
}

/// Commits all that is in the folder `at`.
#[track_caller]
pub(crate) fn commit(place: &TestFolder, at: &str, message: &str) {
    git(place, at, &["add", "--all"]);
    git(place, at, &["commit", "--quiet", "--allow-empty", "--message", message]);
}

/// Checks that git applies the patch to what is in the folder `at`, with these arguments.
#[track_caller]
pub(crate) fn applies(place: &TestFolder, at: &str, args: &[&str], patch: &Path) {
    let patch = patch.to_str().expect("it is text");
    git(place, at, &[&["apply", "--check"], args, &[patch]].concat());
}
