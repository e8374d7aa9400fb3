//! Where a run was made, without who made it.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use mcve_reduce::oracle::shell;
use mcve_reduce::visible::visible_line;

use crate::report::log::{End, Run};

/// What was asked, and the versions of mcve, of the compiler and of the system.
pub(super) fn environment(run: &Run, end: &End) -> Vec<(&'static str, String)> {
    let mut rows = vec![("Asked", asked(&run.begun.words)), ("mcve", run.version.clone())];
    for line in compiler(&end.command).lines() {
        match line.split_once(": ") {
            None if line.starts_with("rustc ") => rows.push(("Compiler", line.to_owned())),
            Some(("host", host)) => rows.push(("Host", host.to_owned())),
            Some(("LLVM version", version)) => rows.push(("LLVM", version.to_owned())),
            _ => {}
        }
    }
    rows.push(("System", system()));
    rows.into_iter().map(|(name, value)| (name, tidy(&value))).collect()
}

/// The command line of a run, without the folder of mcve.
fn asked(words: &[String]) -> String {
    let name = |word: &String| Path::new(word).file_name().unwrap_or_default().to_owned();
    let first = words.first().map(name).unwrap_or_default();
    let rest = words.iter().skip(1).map(OsStr::new);
    shell::line(std::iter::once(&*first).chain(rest))
}

/// What the compiler of a command says of itself; empty where there is none.
fn compiler(command: &str) -> String {
    let toolchain = command.split_whitespace().find(|word| word.starts_with('+') && word.len() > 1);
    let output = Command::new("rustc").args(toolchain).arg("-vV").output();
    let output = output.ok().filter(|output| output.status.success());
    output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
}

/// The name of the system.
fn system() -> String {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let name = name.map_or(std::env::consts::OS, |name| name.trim_matches('"'));
    format!("{name}, {}", std::env::consts::ARCH)
}

/// A text on one line, with `~` for the home folder, whose name may be that of the user.
pub(super) fn tidy(text: &str) -> String {
    let home = std::env::var("HOME").unwrap_or_default();
    visible_line(&without_home(text, home.trim_end_matches('/')))
}

fn without_home(text: &str, home: &str) -> String {
    let (mut shown, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(home).filter(|_| !home.is_empty()) {
        let (before, after) = (&rest[..at], &rest[at + home.len()..]);
        let is_part = |c: char| c.is_alphanumeric() || "_-.".contains(c);
        let is_whole = !before.ends_with(is_part) && !after.starts_with(is_part);
        shown.push_str(before);
        shown.push_str(if is_whole { "~" } else { home });
        rest = after;
    }
    shown + rest
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

    #[test]
    fn what_was_asked_is_a_line_for_a_shell() {
        let words = ["/usr/x/mcve", "+nightly", "a b.rs"].map(str::to_owned);
        assert_eq!(asked(&words), "mcve +nightly 'a b.rs'");
    }
}
