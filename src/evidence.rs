//! What a text says of a failure: the text of an issue, a log of CI, or the file that a crash of rustc leaves.

mod call;
mod markdown;

use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

pub(crate) use self::call::{Call, Tool};
use self::markdown::Blocks;
use crate::report::known::masked;

/// What a text says of a failure, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Evidence {
    /// The programs in it.
    pub(crate) programs: Vec<String>,
    /// The files of a package, or of a program of several files: their paths and texts.
    pub(crate) files: Vec<(String, String)>,
    /// The part of a manifest that names dependencies.
    pub(crate) manifest: Option<String>,
    /// The commands of compilers and of cargo.
    pub(crate) calls: Vec<Call>,
    /// Versions of rustc, such as `1.97.0-nightly (e50aa6fba 2026-05-19)`.
    pub(crate) versions: Vec<String>,
    /// The crates that rustc compiled when it crashed.
    pub(crate) crates: Vec<String>,
    /// Whether it is about incremental compilation.
    pub(crate) is_incremental: bool,
    /// The failures.
    pub(crate) shows: Vec<Shown>,
}

/// A failure that a text shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// A crash of a compiler: the file of its source, its message or its signal; empty if the text has none of these.
    Crash(String),
    /// An error with this code.
    Error(String),
    /// A warning of this lint.
    Lint(String),
    /// A test of this name failed.
    Test(String),
    /// A program panicked.
    Panic,
}

impl Shown {
    /// Whether a failure in words, a crash or not, may be this one.
    pub(crate) fn is_in(&self, words: &str, is_crash: bool) -> bool {
        match self {
            Self::Crash(part) => is_crash && masked(words).contains(&masked(part)),
            Self::Error(code) => words.contains(code.as_str()),
            Self::Lint(name) => words.contains(name.trim_start_matches("clippy::")),
            Self::Test(_) | Self::Panic => !is_crash,
        }
    }
}

impl Evidence {
    /// Reads a text.
    pub(crate) fn read(text: &str) -> Self {
        let text = plain(text);
        let Blocks { programs, files, manifest } = markdown::blocks(&text);
        let find = |pattern: &LazyLock<Regex>| {
            let mut found: Vec<String> = Vec::new();
            for captures in pattern.captures_iter(&text) {
                let one = captures[1].to_owned();
                found.extend((!found.contains(&one)).then_some(one));
            }
            found
        };
        Self {
            programs,
            files: if is_whole(&files) { files } else { Vec::new() },
            is_incremental: INCREMENTAL.is_match(&text),
            manifest,
            calls: call::calls(&text),
            versions: find(&VERSION),
            crates: find(&CRATE),
            shows: shown(&text, &find),
        }
    }
}

/// How compilers call the thread in which they work.
const COMPILERS: [&str; 4] = ["rustc", "rustdoc", "clippy-driver", "rustfmt"];

macro_rules! pattern {
    ($name:ident, $text:literal) => {
        static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($text).expect("it is well-formed"));
    };
}

// cargo always names a folder, an absolute one, which rustc shows as `[REDACTED]`.
pattern!(INCREMENTAL, r"-C ?incremental=[\w.]|incremental compilation error");
pattern!(VERSION, r"\b([1-9]\d*\.\d+\.\d+(?:-[a-z]+(?:\.\d+)?)? \([0-9a-f]{7,} \d{4}-\d\d-\d\d\))");
pattern!(CRATE, r"(?m)^#\d+ .* crate `(\w+)`$");
pattern!(CRASH_PLACE, r"(?m)panicked at .*?((?:compiler|src/tools)/\S+?\.rs)");
pattern!(CRASH_MESSAGE, r"(?m)(?:internal compiler error|LLVM ERROR): (?:\S+\.rs:[\d:]+ )?(.{1,200})$");
pattern!(SIGNAL, r"(SIG(?:SEGV|ABRT|ILL|BUS))");
pattern!(CODE, r"\berror\[(E\d{4})\]");
pattern!(
    LINT,
    r"#\[(?:warn|deny|forbid)\(([\w:]+)\)\]` (?:implied by|on by default)|requested on the command line with `-[DW] ([\w:-]+)`"
);
pattern!(TEST, r"(?m)^test (\S.*?) (?:- should panic )?\.\.\. FAILED");
pattern!(PANIC, r"(?m)^thread '(.+)' (?:\(\d+\) )?panicked at ");
pattern!(STAMP, r"(?m)^\d{4}-\d\d-\d\dT[\d:.]+Z ");

/// Whether files belong together: there is a manifest, or one declares another as its module.
fn is_whole(files: &[(String, String)]) -> bool {
    let stems = || files.iter().filter_map(|(path, _)| Path::new(path).file_stem()?.to_str());
    let declares = |text: &str| stems().any(|stem| text.contains(&format!("mod {stem};")));
    files.len() > 1 && files.iter().any(|(path, text)| path == "Cargo.toml" || declares(text))
}

/// The failures in a text.
fn shown(text: &str, find: &dyn Fn(&LazyLock<Regex>) -> Vec<String>) -> Vec<Shown> {
    let mut crashes = find(&CRASH_PLACE);
    // The message of a panic may quote names of the program, which the reduction changes.
    crashes.extend(if crashes.is_empty() { find(&CRASH_MESSAGE) } else { Vec::new() });
    crashes.extend(if crashes.is_empty() { find(&SIGNAL) } else { Vec::new() });
    let threads = find(&PANIC);
    if crashes.is_empty() && threads.iter().any(|name| COMPILERS.contains(&name.as_str())) {
        crashes.push(String::new());
    }
    let mut shown: Vec<Shown> = crashes.into_iter().map(Shown::Crash).collect();
    if !shown.is_empty() {
        return shown;
    }
    shown.extend(find(&TEST).into_iter().map(Shown::Test));
    shown.extend(find(&CODE).into_iter().map(Shown::Error));
    if shown.is_empty() {
        let is_test = |name: &str| name != "main" && name.chars().all(|c| c == '_' || c == ':' || c.is_alphanumeric());
        shown.extend(threads.into_iter().map(|name| if is_test(&name) { Shown::Test(name) } else { Shown::Panic }));
    }
    let lints = LINT.captures_iter(text).filter_map(|found| found.get(1).or(found.get(2)));
    shown.extend(lints.map(|lint| Shown::Lint(lint.as_str().replace('-', "_"))));
    shown.dedup();
    shown
}

/// A text without colours and the times that CI puts in front of lines.
fn plain(text: &str) -> String {
    let text = anstream::adapter::strip_str(text).to_string().replace("\r\n", "\n");
    STAMP.replace_all(&text, "").into_owned()
}

#[cfg(test)]
mod tests;
