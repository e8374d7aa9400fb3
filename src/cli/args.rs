//! The arguments, as clap reads them.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::changes::ChangesArgs;
use super::check_args::{CheckArgs, duration};

/// Turns a Rust program that shows a failure into the smallest program that still shows it.
///
/// With a file and nothing else, rustc is run on it, what goes wrong is recognised (a compiler crash, or else the error
/// codes), and every candidate is held to the same failure. The result is written beside the input as FILE.mcve.rs.
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(
    override_usage = "mcve [+TOOLCHAIN] [OPTIONS] FILE [-- ARGS...]\n       mcve resume [PLACE]\n       mcve changes GOOD BAD | --git GOOD..BAD\n       mcve list | explain NAME"
)]
pub struct Cli {
    #[command(subcommand)]
    /// What to do.
    pub command: Option<Command>,
    #[command(flatten)]
    /// `mcve FILE` is short for `mcve reduce FILE`.
    pub reduce: Option<ReduceArgs>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Reduces a file. This is what `mcve FILE` does.
    Reduce(Box<ReduceArgs>),
    /// Goes on with a run that was interrupted, killed, or out of its time, as if it had not been.
    ///
    /// The command line is the one that the run was begun with; a budget begins anew.
    Resume {
        /// What the run wrote, or a folder with its journal; by default the one run that there is in this folder.
        #[arg(value_name = "PLACE", default_value = ".")]
        place: PathBuf,
    },
    /// Finds the change that made a program fail, between two files, two folders, or in a history of git.
    ///
    /// The history is halved until the first bad commit is found, then the files, hunks, and lines or syntax nodes of the
    /// change, as far as they make the failure. Without --test or conditions, `cargo test` judges folders, and rustc files.
    /// The answer is a patch that `git apply` takes.
    Changes(Box<ChangesArgs>),
    /// Lists the transforms, family by family.
    List,
    /// Explains a transform or a family.
    Explain {
        /// The name of a transform or of a family.
        name: String,
    },
}

/// How events are told.
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
    /// The Rust file to reduce. It is never changed without --in-place.
    pub file: PathBuf,

    /// Where the result goes; `-` is standard output.
    #[arg(short, long, value_name = "PATH", conflicts_with = "in_place")]
    pub output: Option<PathBuf>,

    /// Replaces FILE by the result and keeps what it was as FILE.orig.
    #[arg(long)]
    pub in_place: bool,

    #[command(flatten)]
    /// What the failure is.
    pub check: CheckArgs,

    /// Ends after this time, such as `5m`, with the best so far.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub budget: Option<Duration>,

    /// How many checks run at once; by default as many as there are cores. The result does not depend on it.
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<std::num::NonZeroUsize>,

    /// Where the journal is kept by which `mcve resume` goes on; by default in `.mcve` beside the result, until the run is at its end. One in DIR stays, and the next run need not ask what it knows.
    #[arg(long, value_name = "DIR")]
    pub state: Option<PathBuf>,

    /// Starts rustc anew for each check, also where forks of one that has started would be sooner. The result does not depend on it.
    #[arg(long)]
    pub no_fork_server: bool,

    /// Uses only these transforms or families, by name.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub only: Vec<String>,

    /// Does not use these transforms or families, by name.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub skip: Vec<String>,

    /// How progress is told.
    #[arg(long, value_enum, default_value = "human", value_name = "FORMAT")]
    pub message_format: MessageFormat,

    /// Says nothing but errors.
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Tells each step.
    #[arg(short, long)]
    pub verbose: bool,
}

/// The toolchain and the command that a command line asks for.
pub(super) fn parse(words: &[OsString]) -> Result<(Option<String>, Command), clap::Error> {
    let (toolchain, words) = toolchain(words.to_vec());
    let cli = Cli::try_parse_from(words)?;
    let command = match (cli.command, cli.reduce) {
        (Some(command), _) => command,
        (None, Some(args)) => Command::Reduce(Box::new(args)),
        (None, None) => unreachable!("clap asks for a file or a command"),
    };
    Ok((toolchain, command))
}

/// Takes a leading `+TOOLCHAIN` out of the words.
fn toolchain(mut words: Vec<OsString>) -> (Option<String>, Vec<OsString>) {
    let name = words.get(1).and_then(|word| word.to_str()).and_then(|word| word.strip_prefix('+')).map(str::to_owned);
    if name.is_some() {
        words.remove(1);
    }
    (name, words)
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
