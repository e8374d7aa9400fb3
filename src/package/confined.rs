//! cargo, and the build scripts that it runs, write only where they have to: a process of ours takes away the right to write elsewhere and
//! becomes cargo.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable that lists what may be written. Where it is set, the process becomes the command that its words are.
pub const WRITABLE: &str = "MCVE_WRITABLE";

/// What cargo writes to in its home: what it downloads, and its locks.
const OF_HOME: [&str; 2] = ["registry", "git"];
const LOCKS: [&str; 3] = [".package-cache", ".package-cache-mutate", ".global-cache"];

/// `program` as this program, `own`, starts it, so that it writes only to these paths and what is below them.
///
/// # Errors
/// When the paths cannot be listed.
pub fn command(own: &Path, program: &OsStr, writable: &[PathBuf]) -> io::Result<Command> {
    let mut command = Command::new(own);
    command.arg(program).env(WRITABLE, std::env::join_paths(writable).map_err(io::Error::other)?);
    Ok(command)
}

/// Becomes the command that `words` are behind the name of this program.
///
/// # Errors
/// When that cannot be started, or the right to write not be taken away.
pub fn become_command(words: &[OsString]) -> io::Result<std::convert::Infallible> {
    let [_, program, arguments @ ..] = words else { return Err(io::Error::other("it is called with a command")) };
    let writable: Vec<PathBuf> = std::env::var_os(WRITABLE).iter().flat_map(std::env::split_paths).collect();
    mcve_launch::confine_files(&writable)?;
    let mut command = Command::new(program);
    command.args(arguments).env_remove(WRITABLE);
    Err(replace_process(&mut command))
}

#[cfg(unix)]
fn replace_process(command: &mut Command) -> io::Error {
    std::os::unix::process::CommandExt::exec(command)
}

/// Without a way to become another program, it ends as that does.
#[cfg(not(unix))]
fn replace_process(command: &mut Command) -> io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}

/// What cargo may write to besides `target`: its downloads, `lock`, and temporary files.
///
/// # Errors
/// When the folders of downloads cannot be made.
pub fn writable(target: &Path, lock: &Path) -> io::Result<Vec<PathBuf>> {
    let mut writable = vec![target.to_owned(), lock.to_owned(), std::env::temp_dir()];
    if let Some(home) = cargo_home() {
        for folder in OF_HOME.map(|name| home.join(name)) {
            std::fs::create_dir_all(&folder)?;
            writable.push(folder);
        }
        writable.extend(LOCKS.map(|name| home.join(name)));
    }
    Ok(writable)
}

fn cargo_home() -> Option<PathBuf> {
    let given = std::env::var_os("CARGO_HOME").filter(|home| !home.is_empty());
    given.map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(".cargo")))
}

/// A file that is at the end as it was at the beginning, or not there.
#[derive(Debug)]
pub struct Untouched {
    path: PathBuf,
    before: Option<Vec<u8>>,
}

impl Untouched {
    /// The file at `path`.
    #[must_use]
    pub fn at(path: PathBuf) -> Self {
        let before = std::fs::read(&path).ok();
        Self { path, before }
    }
}

impl Drop for Untouched {
    fn drop(&mut self) {
        // Where it cannot be written now, nobody wrote it before.
        let _ = match (&self.before, std::fs::read(&self.path)) {
            (Some(before), Ok(now)) if *before == now => Ok(()),
            (Some(before), _) => std::fs::write(&self.path, before),
            (None, Ok(_)) => std::fs::remove_file(&self.path),
            (None, Err(_)) => Ok(()),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_as_it_was_or_not_there() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let [there, new] = ["there", "new"].map(|name| folder.path().join(name));
        std::fs::write(&there, "a").expect("it can be written");
        let untouched = [there.clone(), new.clone()].map(Untouched::at);
        std::fs::write(&there, "b").expect("it can be written");
        std::fs::write(&new, "b").expect("it can be written");
        drop(untouched);
        assert_eq!(std::fs::read(&there).expect("it is there"), b"a");
        assert!(!new.exists());
    }
}
