//! cargo, and the build scripts that it runs, write only where they have to: a process of ours takes away the right to write elsewhere and
//! becomes cargo.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable that lists what may be written. Where it is set, the process becomes the command that its words are.
pub const WRITABLE: &str = "MCVE_WRITABLE";

/// What cargo writes to in its home: what it downloads, and its locks.
const OF_HOME: [&str; 2] = ["registry", "git"];
const LOCKS: [&str; 3] = [".package-cache", ".package-cache-mutate", ".global-cache"];

/// The value of [`WRITABLE`] that lets a process write only to these paths and what is below them.
///
/// # Errors
/// When the paths cannot be listed.
pub fn list(writable: &[PathBuf]) -> io::Result<OsString> {
    std::env::join_paths(writable).map_err(io::Error::other)
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

/// What cargo may write to besides `target`: its downloads and temporary files.
///
/// # Errors
/// When the folders of downloads cannot be made.
pub fn writable(target: &Path) -> io::Result<Vec<PathBuf>> {
    let mut writable = vec![target.to_owned(), std::env::temp_dir()];
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
