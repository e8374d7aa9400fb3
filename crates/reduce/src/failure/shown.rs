//! The failures that cargo showed of a crate. The first check may show no others: mcve reduces no error that it made itself.

use std::path::Path;

use regex::Regex;

use crate::exec::job::{End, JobResult};
use crate::oracle::diagnostics::{Diagnostic, Stderr};
use crate::oracle::failure::Failure;

/// The failures that cargo showed of a crate.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// The failures, errors and warnings, a line each, in a comparable form.
    lines: Vec<String>,
    /// The names of the crate for cargo and in a check.
    names: Vec<String>,
}

impl Shown {
    /// The failures in the standard error of a compiler that exited with `status`, for a crate with these names.
    pub fn new(stderr: &str, status: i32, names: Vec<String>) -> Self {
        let result = JobResult { stderr: stderr.as_bytes().to_vec(), ..JobResult::ended(End::Exited(status)) };
        let mut shown = Self { lines: Vec::new(), names };
        let said = Stderr::read(&result.stderr).diagnostics;
        let lines = Failure::list(&result).into_iter().chain(said.iter().map(Diagnostic::headline));
        shown.lines = lines.map(|line| shown.comparable(&line)).collect();
        shown
    }

    /// The first failure of the first check that cargo did not show.
    pub(super) fn lacking<'f>(&self, failures: &'f [String]) -> Option<&'f str> {
        failures.iter().find(|line| !self.lines.contains(&self.comparable(line))).map(String::as_str)
    }

    /// A line without what differs between two builds: its number, folders, the crate's name, and the message of a crash.
    fn comparable(&self, line: &str) -> String {
        let line = line.rsplit_once(" (line ").map_or(line, |(line, _)| line);
        let is_said = line.starts_with("error") || line.starts_with("warning");
        let line = if is_said { line } else { line.split(": ").next().unwrap_or(line) };
        let line = self.names.iter().fold(line.to_owned(), |line, name| line.replace(&format!("{name}::"), "crate::"));
        // A check names the file of a closure's type from another folder.
        let line = Regex::new(r"@[^}]*\}").expect("it is a regex").replace_all(&line, "}");
        let words = line.split([' ', '`', '"']).filter(|word| !word.is_empty());
        let words = words.map(|word| if word.starts_with('/') { file_name(word) } else { word });
        words.collect::<Vec<_>>().join(" ")
    }
}

fn file_name(path: &str) -> &str {
    Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path)
}

/// The most likely reason why the first check shows an error that cargo did not.
pub(super) fn likely_reason(error: &str) -> &'static str {
    if !error.starts_with("error") && !error.starts_with("warning") {
        "it is another crash, as the check lacks a folder or an option of the call that crashes"
    } else if error.contains("environment variable") {
        "a variable that cargo sets is not set in the check"
    } else if error.contains("couldn't read") || error.contains("file not found") {
        "a file that the build makes is not there in the check"
    } else if ["unresolved", "cannot find", "undeclared"].iter().any(|words| error.contains(words)) {
        "a feature, a `cfg` or a crate is missing in the check"
    } else {
        "a variable, a feature or a level of a lint is another one in the check"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(shown: &str, line: &str, is_shown: bool) {
        let mut all = Shown { lines: Vec::new(), names: vec!["walk".to_owned(), "lib".to_owned()] };
        all.lines = vec![all.comparable(shown)];
        assert_eq!(all.lacking(&[line.to_owned()]).is_none(), is_shown, "{line}");
    }

    #[test]
    fn the_same_error_of_another_build_is_the_same() {
        check("error E0308: mismatched types (line 3)", "error E0308: mismatched types (line 9)", true);
        check("warning unused_mut: never", "warning unused_mut: never", true);
        check("error: couldn't read `/a/b.txt`: no", "error: couldn't read `/c/b.txt`: no", true);
        check("error E0277: `walk::A` is not", "error E0277: `lib::A` is not", true);
        check("error: in `{closure@src/a.rs:1:2: 3:4}`", "error: in `{closure@a.rs:5:6: 7:8}`", true);
        check("error: in `a@b`", "error: in `a@c`", false);
        check(
            "internal compiler error at compiler/a.rs:1:2: one",
            "internal compiler error at compiler/a.rs:1:2: two",
            true,
        );
    }

    #[test]
    fn another_error_is_another_one() {
        check("error E0308: mismatched types", "error E0277: mismatched types", false);
        check("warning unused_mut: never", "warning unused_mut: ever", false);
        check("error: unused `a`", "error: unused `b`", false);
        check(
            "internal compiler error at compiler/a.rs:1:2: one",
            "internal compiler error at compiler/b.rs:1:2: one",
            false,
        );
        check("error E0308: mismatched types", "internal compiler error at compiler/b.rs:1:2: one", false);
    }
}
