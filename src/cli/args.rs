//! Groups of options, as clap reads them.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::kind_args::WITHOUT_PARTS;
use super::oracle_args::{CONDITIONS, OracleArgs};
use super::run_args::{OutputArgs, RunArgs, SearchArgs};
use super::rustc_version::Version;
use super::trace::TraceArgs;
use super::values::{duration, number};
use crate::report::issue::Form;

/// The options of `mcve reduce`.
#[derive(Args, Debug)]
pub(super) struct ReduceArgs {
    /// The Rust file to reduce, with the files that it names; or a folder, where --test or a command says when it
    /// fails. `-` is standard input.
    ///
    /// They are never changed without --in-place. The result of standard input goes to standard output, without -o.
    pub(super) file: PathBuf,

    /// With --incremental, the version that is compiled after FILE, and fails.
    #[arg(value_name = "SECOND", requires = "incremental")]
    pub(super) second: Option<PathBuf>,

    /// FILE holds what a generator decided, as `mcve generate --choices` writes it. The program that it makes is
    /// reduced, through the generator first.
    #[arg(long, conflicts_with = "in_place", help_heading = "How it was made")]
    pub(super) choices: bool,

    /// The line for the shell that runs the generator, where it is not the one of `mcve generate`.
    #[arg(long, value_name = "COMMAND", requires = "choices", help_heading = "How it was made")]
    pub(super) generator: Option<OsString>,

    #[command(flatten)]
    pub(super) trace: TraceArgs,

    /// Where the result goes; `-` is standard output. Several files go to a folder: PATH without `.rs`, or else PATH.files.
    #[arg(
        short,
        long,
        value_name = "PATH",
        conflicts_with = "in_place",
        overrides_with = "output",
        help_heading = "Where results go"
    )]
    pub(super) output: Option<PathBuf>,

    /// Replaces FILE by the result and keeps what it was as FILE.orig.
    #[arg(long, help_heading = "Where results go")]
    pub(super) in_place: bool,

    /// A version of FILE that passes: a file, or a revision of git such as `HEAD~1`.
    ///
    /// Each candidate must pass with the change from FILE to it, as far as that is left.
    #[arg(long, value_name = "FILE|REVISION", conflicts_with_all = ["choices", "no_pair"], help_heading = "What the failure is")]
    pub(super) fixed: Option<PathBuf>,

    /// Writes the result as a test of rustc's own suite.
    ///
    /// It has headers, annotations of what rustc says (`//~ ERROR ..`), and for a crash the form of tests/crashes.
    /// mcve checks that the test shows the failure by its headers alone.
    #[arg(long, help_heading = "Where results go", conflicts_with_all = ["test", "stdin", "choices"], conflicts_with_all = CONDITIONS, conflicts_with_all = WITHOUT_PARTS)]
    pub(super) as_ui_test: bool,

    /// Takes out of the result what comes from the source and the failure does not need: names, texts, numbers,
    /// comments. A table says what is left, and why.
    #[arg(long, help_heading = "Where results go")]
    pub(super) scrub: bool,

    /// Gives the result names and a layout for people: words for roles in the place of letters, attributes in order.
    #[arg(long, help_heading = "Where results go")]
    pub(super) readable: bool,

    /// The grammar of FILE, of which each candidate is a sentence.
    ///
    /// `arithmetic`, `cgi`, `csv`, `json`, `sql`, `toml`, `url`, or a file with EBNF or the notation of the Fuzzing
    /// Book (docs/grammar.md).
    #[arg(long, value_name = "GRAMMAR", conflicts_with_all = ["choices", "as_ui_test", "fixed"], help_heading = "How it is searched")]
    pub(super) grammar: Option<PathBuf>,

    #[command(flatten)]
    pub(super) oracle: OracleArgs,

    /// Keeps the smallest program of each other crash that a candidate shows in this folder. Its `finds.json` says
    /// what they are.
    #[arg(long, value_name = "DIR", help_heading = "Where results go")]
    pub(super) finds: Option<PathBuf>,

    /// Goes on from this step of a history, such as `DIR/0042.rs`; without FILE, as its run was asked.
    #[arg(long, value_name = "STEP", overrides_with = "from", conflicts_with_all = ["choices", "second"], help_heading = "How it was made")]
    pub(super) from: Option<PathBuf>,

    /// Starts rustc anew for each check, also where forks of one that has started are faster. The result is the same.
    #[arg(long, help_heading = "How checks run")]
    pub(super) no_fork_server: bool,

    #[command(flatten)]
    pub(super) run: RunArgs,
}

/// The options of `mcve isolate`.
#[derive(Args, Debug)]
pub(super) struct IsolateArgs {
    /// A folder for pass.rs, fail.rs and difference.patch; it is made if it is not there. What is not Rust keeps its extension.
    #[arg(short, long, value_name = "DIR", help_heading = "Where results go")]
    pub(super) output: Option<PathBuf>,

    #[command(flatten)]
    pub(super) pair: PairArgs,
}

/// The options of `mcve repair`.
#[derive(Args, Debug)]
pub(super) struct RepairArgs {
    /// Where the version that does not fail goes.
    #[arg(short, long, value_name = "PATH", help_heading = "Where results go")]
    pub(super) output: Option<PathBuf>,

    #[command(flatten)]
    pub(super) pair: PairArgs,
}

/// The options of `mcve generalise`.
#[derive(Args, Debug)]
pub(super) struct GeneraliseArgs {
    /// The Rust file that fails, best a reduced one. It is never changed.
    pub(super) file: PathBuf,

    #[command(flatten)]
    pub(super) oracle: OracleArgs,

    /// Ends after this time, such as `5m`, with what is known by then.
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "How it is searched")]
    pub(super) budget: Option<Duration>,

    /// How many checks run at once; by default as many as there are cores.
    #[arg(short, long, value_name = "N", value_parser = number, help_heading = "How it is searched")]
    pub(super) jobs: Option<std::num::NonZeroUsize>,

    #[command(flatten)]
    pub(super) output_args: OutputArgs,
}

/// The options of `mcve why`.
#[derive(Args, Debug)]
pub(super) struct WhyArgs {
    /// The result, or a log that `--log` wrote.
    pub(super) file: PathBuf,

    /// One line, with all changes of it that were refused; of several files, that of one of them.
    #[arg(long, value_name = "[FILE:]N")]
    pub(super) line: Option<String>,

    /// What this transform, family or pass tried, there or anywhere.
    #[arg(long, value_name = "NAME")]
    pub(super) transform: Option<String>,

    /// Also asks which parts may be any of their kind: any type, any integer, any body. The answer is kept.
    #[arg(long)]
    pub(super) any: bool,

    #[command(flatten)]
    pub(super) oracle: OracleArgs,
}

/// The options of `mcve verify`.
#[derive(Args, Debug)]
pub(super) struct VerifyArgs {
    /// The result: a file, or the folder of a package.
    pub(super) file: PathBuf,

    #[command(flatten)]
    pub(super) oracle: OracleArgs,
}

/// The options of `mcve report`.
#[derive(Args, Debug)]
pub(super) struct ReportArgs {
    /// The result: a file.
    pub(super) file: PathBuf,

    /// The form of the issue; by default the one for the failure.
    #[arg(long, value_enum, value_name = "FORM")]
    pub(super) form: Option<Form>,

    /// Also tries all installed toolchains: does the program fail in the same way?
    #[arg(long)]
    pub(super) channels: bool,

    /// Installs these toolchains first with rustup, such as `nightly,beta`.
    #[arg(long, value_name = "TOOLCHAIN", value_delimiter = ',', requires = "channels")]
    pub(super) install: Vec<String>,

    /// Where the text goes; by default to standard output.
    #[arg(short, long, value_name = "PATH")]
    pub(super) output: Option<PathBuf>,

    /// Also copies the text to the clipboard, through the terminal (OSC 52).
    #[arg(long)]
    pub(super) copy: bool,

    #[command(flatten)]
    pub(super) oracle: OracleArgs,
}

/// The options of `mcve bisect`.
#[derive(Args, Debug)]
pub(super) struct BisectArgs {
    /// The file that fails, best a reduced one.
    pub(super) file: PathBuf,

    /// A version without the failure, such as `2026-01-31` or `1.90`; by default mcve looks for one.
    #[arg(long, value_name = "DATE|RELEASE")]
    pub(super) start: Option<Version>,

    /// A version with the failure; by default that of the toolchain.
    #[arg(long, value_name = "DATE|RELEASE")]
    pub(super) end: Option<Version>,

    /// Keeps the toolchains that it installs.
    #[arg(long)]
    pub(super) keep_toolchains: bool,

    #[command(flatten)]
    pub(super) oracle: OracleArgs,
}

/// The options of both.
#[derive(Args, Debug)]
pub(super) struct PairArgs {
    /// The Rust file that fails. It is never changed.
    pub(super) file: PathBuf,

    /// The grammar of FILE, of which both versions are sentences: `json` or another that `mcve reduce` knows, or a file.
    #[arg(long, value_name = "GRAMMAR", help_heading = "How it is searched")]
    pub(super) grammar: Option<PathBuf>,

    #[command(flatten)]
    pub(super) oracle: OracleArgs,

    #[command(flatten)]
    pub(super) search: SearchArgs,

    #[command(flatten)]
    pub(super) output_args: OutputArgs,
}
