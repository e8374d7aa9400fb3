//! Where a run was made, without who made it.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use mcve_reduce::oracle::shell;
use mcve_reduce::visible::visible_line;
use regex::{Regex, escape};

use crate::report::log::{End, Run};

/// What was asked, and the versions of mcve, of the compiler and of the system.
pub(super) fn environment(run: &Run, end: &End) -> [(&'static str, String); 4] {
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
    rows.map(|(name, value)| (name, tidy(&value)))
}

/// A text on one line, with `~` for the home folder, whose name may be that of the user.
pub(super) fn tidy(text: &str) -> String {
    visible_line(&without_home(text, std::env::var("HOME").unwrap_or_default().trim_end_matches('/')))
}

fn without_home(text: &str, home: &str) -> String {
    let whole = Regex::new(&format!(r"(^|[^\w./-]){}($|[^\w.-])", escape(home))).expect("the name is escaped");
    if home.is_empty() { text.to_owned() } else { whole.replace_all(text, "$1~$2").into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_folder_is_not_named() {
        for (text, expected) in [
            ("rustc /home/ann/a.rs -o /home/ann", "rustc ~/a.rs -o ~"),
            ("/home/anna/a.rs /x/home/ann", "/home/anna/a.rs /x/home/ann"),
            ("--x='/home/ann/b c'", "--x='~/b c'"),
        ] {
            assert_eq!(without_home(text, "/home/ann"), expected);
        }
        assert_eq!(without_home("/a", ""), "/a");
    }
}
