//! The options that say what the failure of a file or of a package is, and how it is checked.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::kind_args::{KindArgs, WITHOUT_PARTS};
use super::sandbox::SandboxArgs;
use super::values::{code, duration, strictness};
use mcve_reduce::check::baseline::Times;
use mcve_reduce::exec::limits::Memory;
use mcve_reduce::failure::spec::{FailureSpec, Match};
use mcve_reduce::oracle::wanted::{At, Wanted};

/// What the failure of a file or of a package is, and how it is checked.
#[derive(Args, Clone, Debug)]
pub(super) struct FailureArgs {
    /// The code of the error to keep, such as `E0499`, where rustc says more; may be given several times.
    #[arg(long, value_name = "CODE", value_parser = code, help_heading = "What the failure is")]
    pub(super) code: Vec<String>,

    /// The name of the lint to keep, such as `unused_mut`; may be given several times.
    #[arg(long, value_name = "NAME", help_heading = "What the failure is")]
    pub(super) lint: Vec<String>,

    /// Keeps an error or a warning of rustc that this regex matches: its message, a label, a note or a suggestion.
    /// May be given several times.
    #[arg(long, value_name = "REGEX", help_heading = "What the failure is")]
    pub(super) message: Vec<regex::Regex>,

    /// The line of the error or warning to keep, such as `12` or `src/lib.rs:12`.
    #[arg(long, value_name = "LINE|FILE:LINE", help_heading = "What the failure is")]
    pub(super) at: Option<At>,

    /// How much a candidate must reproduce.
    ///
    /// Of an error or warning: `code`, `message` (its words), `labels`, or `notes` (by default); each includes those
    /// before it. Of a crash of rustc: some of `message,place,stack` (all three by default), or `any-ice` for any
    /// crash.
    #[arg(long = "match", value_name = "PARTS", value_parser = strictness, help_heading = "What the failure is", conflicts_with = "stdin", conflicts_with_all = WITHOUT_PARTS)]
    pub(super) strictness: Option<Match>,

    /// A file for the standard input of the program that is run.
    #[arg(long, value_name = "FILE", help_heading = "What the failure is")]
    pub(super) stdin: Option<PathBuf>,

    #[command(flatten)]
    pub(super) kinds: KindArgs,

    /// Accepts candidates with errors that the input does not have.
    #[arg(long, help_heading = "What the failure is")]
    pub(super) allow_errors: bool,

    /// Keeps only what a failing run shows, its message and its place.
    ///
    /// By default its cause is kept as well: each candidate must pass with the small changes with which the input
    /// passes.
    #[arg(long, help_heading = "What the failure is")]
    pub(super) no_pair: bool,

    /// Keeps what `main` or the test does, also where a single call goes wrong.
    ///
    /// By default, where a change shows the cause, the innermost call that returns something else with it becomes the
    /// test: with its arguments, and an assertion of what it has to return.
    #[arg(long, help_heading = "What the failure is")]
    pub(super) no_carve: bool,

    /// The longest that one check may take, such as `30s`.
    ///
    /// By default ten times the slowest one that failed, at least ten seconds. The first check of the input may take
    /// longer: 60 seconds where the program or a test is run, an hour by a script or command, else ten minutes
    /// (rustc, --hang, --prints, ..).
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "How checks run")]
    pub(super) timeout: Option<Duration>,

    /// The most memory that a process of a check may have, such as `4G`, or `unlimited`. Only on Linux.
    ///
    /// By default half of the machine's, at least 4G.
    #[arg(long, value_name = "SIZE", help_heading = "How checks run")]
    pub(super) memory: Option<Memory>,

    #[command(flatten)]
    pub(super) sandbox: SandboxArgs,

    /// Goes on where mcve would refuse.
    ///
    /// It refuses if the check accepts an empty file, too few runs fail (by default one in more than five seconds), files or
    /// crates are missing, the file is not Rust, cargo did not show the error, or the failure comes from the memory
    /// limit.
    #[arg(long, help_heading = "What the failure is")]
    pub(super) force: bool,

    /// How often the program is checked at the beginning; it must fail each time. K/N: it fails if K of N runs do.
    ///
    /// By default three times, or five times where a check takes less than a second and runs more than the compiler
    /// (a script, a command, the program, a test). Where it fails only sometimes, 20 to 300 times.
    #[arg(long, value_name = "N|K/N", help_heading = "What the failure is")]
    pub(super) runs: Option<Times>,
}

impl FailureArgs {
    /// The failure that is asked for, shown by rustc.
    pub(super) fn spec(&self) -> FailureSpec {
        let codes = self.code.iter().chain(&self.lint).cloned().collect();
        self.kinds.add_to(FailureSpec {
            stdin: self.stdin.clone(),
            diagnostics: Wanted { codes, messages: self.message.clone(), at: self.at.clone() },
            names_lint: !self.lint.is_empty(),
            strictness: self.strictness,
            allow_errors: self.allow_errors,
            no_pair: self.no_pair,
            no_carve: self.no_carve,
            force: self.force,
            times: self.runs.unwrap_or_default(),
            ..FailureSpec::default()
        })
    }
}
