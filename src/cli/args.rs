//! The arguments, as clap reads them.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::changes::ChangesArgs;
use super::oracle_args::{CONDITIONS, OracleArgs};
use super::values::duration;

/// Turns a Rust program that shows a failure into the smallest program that still shows it.
///
/// With a file and nothing else, rustc is run on it, what goes wrong is recognised (a compiler crash, or else the error
/// codes), and every candidate is held to the same failure. The result is written beside the input as FILE_mcve.rs.
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(
    override_usage = "mcve [+TOOLCHAIN] [OPTIONS] FILE [-- ARGS...]\n       mcve isolate | repair [OPTIONS] FILE [-- ARGS...]\n       mcve changes [OPTIONS] GOOD BAD | --git GOOD..BAD [-- ARGS...]\n       mcve generate | fuzz [OPTIONS]\n       mcve resume [PLACE]\n       mcve list | explain NAME"
)]
pub struct Cli {
    #[command(subcommand)]
    /// What to do.
    pub command: Option<Command>,
    #[command(flatten)]
    /// `mcve FILE` is short for `mcve reduce FILE`.
    pub reduce: ReduceArgs,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Reduces a file. This is what `mcve FILE` does.
    Reduce(Box<ReduceArgs>),
    /// Finds two versions of a file, one that fails and one that does not, that differ as little as possible.
    ///
    /// What they differ in is what makes it fail. For a compiler crash the one that does not fail compiles. It takes a small part
    /// of the checks that a reduction takes.
    Isolate(Box<IsolateArgs>),
    /// Finds the largest version of a file that does not fail: the smallest removal that makes the failure go away.
    ///
    /// The removal is printed as a diff that `git apply` and `patch -p1` take.
    Repair(Box<RepairArgs>),
    /// Finds the change that made a program fail, between two files, two folders, or in a history of git.
    ///
    /// The history is halved until the first bad commit is found, then the files, hunks, and lines or syntax nodes of the
    /// change, as far as they make the failure. Without --test or conditions, `cargo test` judges folders, and rustc files.
    /// The answer is a patch that `git apply` takes.
    Changes(Box<ChangesArgs>),
    /// Goes on with a run that was interrupted, killed, or out of its time, as if it had not been.
    ///
    /// The command line is the one that the run was begun with; a budget begins anew.
    Resume {
        /// What the run wrote, or a folder with its journal; by default the one run that there is in this folder.
        #[arg(value_name = "PLACE", default_value = ".")]
        place: PathBuf,

        /// Runs the command line of a journal that is not signed by your key, without asking.
        #[arg(long)]
        trust: bool,

        #[command(flatten)]
        /// What is reported, if not the same as before.
        output_args: OutputArgs,
    },
    /// Writes a random Rust program to standard output: one that compiles, ends, and prints something.
    Generate(super::generate::GenerateArgs),
    /// Generates Rust programs until rustc fails on some, and keeps the smallest one of each failure.
    Fuzz(Box<super::fuzz::FuzzArgs>),
    /// Lists the transforms, family by family, and the passes.
    List,
    /// Explains a transform, a family or a pass.
    Explain {
        /// The name of a transform, of a family, or of a pass, as progress shows it.
        name: String,
    },
}

/// How events are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// Words on standard error, a progress bar on a terminal.
    Human,
    /// A JSON object a line on standard output.
    Json,
}

/// The options of `mcve reduce`.
#[derive(Args, Debug)]
pub struct ReduceArgs {
    /// The Rust file to reduce, with the files that it names; or a folder, where --test or a command says when it fails. They are never changed without --in-place.
    pub file: PathBuf,

    /// FILE holds what a generator decided, as `mcve generate --choices` writes it: the program that it makes is reduced, through the generator first.
    #[arg(long, conflicts_with = "in_place", help_heading = "How it was made")]
    pub choices: bool,

    /// The line for the shell that runs the generator, where it is not the one of `mcve generate`.
    #[arg(long, value_name = "COMMAND", requires = "choices", help_heading = "How it was made")]
    pub generator: Option<OsString>,

    /// Where the result goes; `-` is standard output. Several files go to a folder: PATH without `.rs`, or else PATH.files.
    #[arg(short, long, value_name = "PATH", conflicts_with = "in_place")]
    pub output: Option<PathBuf>,

    /// Replaces FILE by the result and keeps what it was as FILE.orig.
    #[arg(long)]
    pub in_place: bool,

    /// Keeps a file or an item as it is, such as `src/map.rs` or `Map::get`; may be given several times. Of a file its tests may go.
    #[arg(long, value_name = "PATH")]
    pub keep: Vec<String>,

    /// Writes the result as a test of rustc's own suite: headers, annotations of what rustc says (`//~ ERROR ..`), the form of tests/crashes for a crash. It is checked that the test shows the failure by its headers alone.
    #[arg(long, conflicts_with_all = ["test", "stdin", "choices"], conflicts_with_all = CONDITIONS, conflicts_with_all = ["hang", "slower_than", "memory_above", "differs", "prints", "expands_to"])]
    pub as_ui_test: bool,

    #[command(flatten)]
    /// What the failure is.
    pub oracle: OracleArgs,

    /// Where the journal is kept by which `mcve resume` goes on; by default in `.mcve` beside the result, until the run is at its end. One in DIR stays, and the next run need not ask what it knows.
    #[arg(long, value_name = "DIR")]
    pub state: Option<PathBuf>,

    /// Keeps the smallest program of each other crash that a candidate shows in this folder, and in its `finds.json` what they are.
    #[arg(long, value_name = "DIR")]
    pub finds: Option<PathBuf>,

    /// Starts rustc anew for each check, also where forks of one that has started would be sooner. The result does not depend on it.
    #[arg(long)]
    pub no_fork_server: bool,

    #[command(flatten)]
    /// What is tried.
    pub search: SearchArgs,

    #[command(flatten)]
    /// What is reported.
    pub output_args: OutputArgs,
}

/// The options of `mcve isolate`.
#[derive(Args, Debug)]
pub struct IsolateArgs {
    /// The Rust file that fails. It is never changed.
    pub file: PathBuf,

    /// A folder for pass.rs, fail.rs and difference.patch; it is made if it is not there.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    /// What the failure is.
    pub oracle: OracleArgs,

    #[command(flatten)]
    /// What is tried.
    pub search: SearchArgs,

    #[command(flatten)]
    /// What is reported.
    pub output_args: OutputArgs,
}

/// The options of `mcve repair`.
#[derive(Args, Debug)]
pub struct RepairArgs {
    /// The Rust file that fails. It is never changed.
    pub file: PathBuf,

    /// Where the version that does not fail goes.
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    /// What the failure is.
    pub oracle: OracleArgs,

    #[command(flatten)]
    /// What is tried.
    pub search: SearchArgs,

    #[command(flatten)]
    /// What is reported.
    pub output_args: OutputArgs,
}

/// The options that say how long is searched, and by what.
#[derive(Args, Clone, Debug)]
pub struct SearchArgs {
    /// Ends after this time, such as `5m`, with the best so far.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub budget: Option<Duration>,

    /// How many checks run at once; by default as many as there are cores. The result does not depend on it.
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<std::num::NonZeroUsize>,

    /// Uses only these transforms, families or passes, by name (`mcve list`).
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub only: Vec<String>,

    /// Does not use these transforms, families or passes, by name.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub skip: Vec<String>,
}

/// The options that say what is reported.
#[derive(Args, Debug)]
pub struct OutputArgs {
    /// How progress is reported.
    #[arg(long, value_enum, default_value = "human", value_name = "FORMAT")]
    pub message_format: MessageFormat,

    /// Says nothing but errors.
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Tells each step.
    #[arg(short, long)]
    pub verbose: bool,
}

impl OutputArgs {
    /// Lets what is said later hold.
    pub(super) fn override_by(&mut self, other: &Self) {
        if other.message_format == MessageFormat::Json {
            self.message_format = MessageFormat::Json;
        }
        if other.quiet || other.verbose {
            (self.quiet, self.verbose) = (other.quiet, other.verbose);
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }
}
