//! Shell snippets, and the shell into which a user pastes a command.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use mcve_reduce::exec::programs;

/// In a check: the pid of mcve, the parent of the two processes that start and watch a check.
pub const MCVE_PID: &str = r#"$(cut -d" " -f4 /proc/$(cut -d" " -f4 /proc/$PPID/stat)/stat)"#;

/// In a check: counts it in a file, one byte for each, and expands to the number of checks so far.
#[must_use]
pub fn count(file: &Path) -> String {
    format!("$(printf x >> {0}; wc -c < {0})", file.display())
}

/// The variables in the environment of a newly opened shell.
const KEPT: [&str; 5] = ["PATH", "HOME", "CARGO_HOME", "RUSTUP_HOME", "USER"];

/// A command in the environment of a newly opened shell.
pub fn fresh(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.env_clear().envs(KEPT.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    command
}

/// The compiler itself, not a proxy.
///
/// # Panics
///
/// When there is none.
#[must_use]
pub fn rustc() -> PathBuf {
    static RUSTC: OnceLock<PathBuf> = OnceLock::new();
    RUSTC.get_or_init(|| programs::rustc(None, None).expect("the tests are compiled by one")).clone()
}
