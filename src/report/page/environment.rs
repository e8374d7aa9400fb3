//! Where a run was made, without who made it.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use mcve_reduce::oracle::shell;

use crate::report::log::{End, Run};
use crate::report::private::Private;

/// What was asked, and the versions of mcve, of the compiler and of the system.
pub(super) fn environment(run: &Run, end: &End, private: &Private) -> [(&'static str, String); 4] {
    let mut words: Vec<&OsStr> = run.begun.words.iter().map(OsStr::new).collect();
    // Where it is installed is of no use to others.
    words.iter_mut().take(1).for_each(|word| *word = Path::new(*word).file_name().unwrap_or_default());
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let system = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME=")).unwrap_or(std::env::consts::OS);
    let toolchain = end.command.split_whitespace().find(|word| word.starts_with('+') && word.len() > 1);
    let compiler = Command::new("rustc").args(toolchain).arg("-vV").output().map(|output| output.stdout);
    let compiler = String::from_utf8(compiler.unwrap_or_default()).unwrap_or_default();
    let compiler = compiler.lines().filter(|line| !line.contains(": ") || line.starts_with(['h', 'L']));
    let rows = [
        ("Asked", shell::line(words)),
        ("mcve", run.version.clone()),
        ("Compiler", compiler.collect::<Vec<_>>().join(", ")),
        ("System", format!("{}, {}", system.trim_matches('"'), std::env::consts::ARCH)),
    ];
    rows.map(|(name, value)| (name, private.hide_in_line(&value)))
}
