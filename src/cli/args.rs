//! Groups of options, as clap reads them.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::kind_args::WITHOUT_PARTS;
use super::oracle_args::{CONDITIONS, OracleArgs};
use super::run_args::{OutputArgs, RunArgs, SearchArgs};
use super::trace::TraceArgs;
use super::values::{duration, number};

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

    /// Begins at a text that shows the failure: an issue, a log of CI, or the `rustc-ice-..txt` that a crash left.
    ///
    /// mcve takes the program, the toolchain and the flags from it, and prints the command line that it stands for.
    /// Of several programs it takes the one that fails. Words of your own count more. `-` is standard input.
    #[arg(long, value_name = "TEXT", help_heading = "What the failure is")]
    pub(super) issue: Option<PathBuf>,

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

/// The options of both.
#[derive(Args, Clone, Debug)]
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
