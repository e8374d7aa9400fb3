//! Reads why a program failed when it was run.

use std::sync::LazyLock;

use regex::Regex;

use crate::exec::job::{End, JobResult};

/// The begin of a message with compared values. They stay, as the author of a test knows them.
const COMPARED: &str = "assertion `left";

/// The begin of the message of a failed `assert!`. Its source text follows.
pub(crate) const ASSERTED: &str = "assertion failed: ";

/// The begin of an error of `main` that is a text.
const WORDS: &str = "Error: \"";

/// The begin of lines that give the reason for an end without a panic.
const REASONS: [&str; 3] = ["Error: ", "note: test did not panic as expected", "note: panic did not contain expected"];

/// The begin of a line that follows every panic.
const HINT: &str = "note: run with `RUST_BACKTRACE=";

pub(crate) const OVERFLOW: &str = "has overflowed its stack";

/// The part of a sanitizer's report that is the same in each run.
static SANITIZER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(\w+Sanitizer: [\w-]+)").expect("it is a regular expression"));

/// Parts of a message that depend on the program: numbers and quoted text.
static VARYING: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#""(?:[^"\\]|\\.)*"|0x[0-9a-f]+|\d+(?:\.\d+)?"#).expect("it is a regular expression"));

/// Parts of an error text that depend on the program.
static NUMBERS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"0x[0-9a-f]+|\d+(?:\.\d+)?").expect("it is a regular expression"));

/// Why a program ended without a panic; empty if it does not say.
pub(crate) fn reason(lines: &[String], result: &JobResult) -> String {
    let stdout = String::from_utf8_lossy(&result.stdout);
    let all = || lines.iter().map(String::as_str).chain(stdout.lines());
    if all().any(|line| line.contains(OVERFLOW)) {
        return OVERFLOW.to_owned();
    }
    if let Some(report) = all().find_map(|line| SANITIZER.captures(line)) {
        return report[1].to_owned();
    }
    let said = all().find(|line| REASONS.iter().any(|reason| line.starts_with(reason)));
    // Who ends a program by an exit code says why, and that is the last thing.
    let is_said = |line: &&str| !line.trim().is_empty() && !line.starts_with(HINT);
    let last = || lines.iter().map(String::as_str).rfind(is_said);
    let said = said.or_else(|| last().filter(|_| matches!(result.end, End::Exited(_))));
    said.unwrap_or_default().to_owned()
}

/// A message with `_` for all numbers and quoted texts.
pub(crate) fn masked(message: &str) -> String {
    VARYING.replace_all(message, "_").into_owned()
}

/// A message with `_` for what depends on the program.
pub(crate) fn normalised(message: &str) -> String {
    if message.starts_with(COMPARED) {
        return message.to_owned();
    }
    if message.starts_with(ASSERTED) {
        return ASSERTED.trim_end_matches(": ").to_owned();
    }
    // The whole of such an error is its message.
    let varying = if message.starts_with(WORDS) { &NUMBERS } else { &VARYING };
    varying.replace_all(message, "_").into_owned()
}
