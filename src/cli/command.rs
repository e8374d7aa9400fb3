//! The command line: its commands, as clap reads them.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use super::args::{GeneraliseArgs, IsolateArgs, ReduceArgs, RepairArgs};
use super::batch_args::BatchArgs;
use super::changes::ChangesArgs;
use super::debug::DebugArgs;
use super::fuzz::FuzzArgs;
use super::generate::GenerateArgs;
use super::page::PageArgs;
use super::result_args::{BisectArgs, FingerprintArgs, LlvmArgs, ReportArgs, TestFileArgs, VerifyArgs, WhyArgs};
use super::run_args::{OutputArgs, ScreenArgs};
use super::worker::WorkerArgs;

/// Turns a Rust program that shows a failure into the smallest program that still shows it.
///
/// With a file and nothing else, rustc is run on it, what goes wrong is recognised (a compiler crash, or else the error
/// codes), and every candidate is held to the same failure. The result is written beside the input as FILE_mcve.rs.
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(
    override_usage = "mcve [+TOOLCHAIN] [OPTIONS] FILE|- [-- ARGS...]\n       mcve isolate | repair | generalise | debug [OPTIONS] FILE [-- ARGS...]\n       mcve changes [OPTIONS] GOOD BAD | --git GOOD..BAD [-- ARGS...]\n       mcve generate | fuzz [OPTIONS]\n       mcve resume [PLACE]\n       mcve why | verify | page | report FILE\n       mcve bisect | llvm FILE\n       mcve fingerprint FILE..\n       mcve test-file FILE.. -o DIR\n       mcve batch DIR|LIST -o OUT\n       mcve list | explain NAME | schema\n       mcve completions SHELL | man DIR"
)]
pub(super) struct Cli {
    #[command(subcommand)]
    /// What to do.
    pub(super) command: Option<Command>,
    /// `mcve FILE` is short for `mcve reduce FILE`.
    #[command(flatten)]
    pub(super) reduce: ReduceArgs,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
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
    /// Finds the parts of a failing file that may be any of their kind: any type, any integer, any body.
    ///
    /// Each part is replaced by samples of its kind, first alone and then together with the others. What is not marked in the
    /// result is what the failure needs.
    Generalise(Box<GeneraliseArgs>),
    /// Runs a failing program in a debugger, rust-gdb or rust-lldb, and stops where it fails, with the values of this run.
    ///
    /// The debugger runs in the sandbox as well and takes its commands from standard input.
    Debug(Box<DebugArgs>),
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
        /// The result of the run, its input, or the folder of the result; by default the one run that there is in this folder.
        #[arg(value_name = "PLACE", default_value = ".")]
        place: PathBuf,

        #[command(flatten)]
        /// What is reported, if not the same as before.
        output_args: OutputArgs,

        #[command(flatten)]
        screen: ScreenArgs,
    },
    /// Writes a random Rust program to standard output: one that compiles, ends, and prints something.
    Generate(GenerateArgs),
    /// Generates Rust programs until rustc fails on some, and keeps the smallest one of each failure.
    Fuzz(Box<FuzzArgs>),
    /// Lists the transforms, family by family, and the passes.
    List {
        /// Only transforms with this word in their name, description or example, such as clone
        #[arg(long, value_name = "WORD")]
        search: Option<String>,
    },
    /// Says what happens without each part of a result, as the run found out that made it.
    ///
    /// If nothing is kept of the run, or the file has changed, the parts are tried now, as the run was asked or as the options say.
    #[command(alias = "explain-run")]
    Why(Box<WhyArgs>),
    /// Checks a result: does it still fail in the same way, is it 1-minimal, does it stand alone, does it pass with its change, does
    /// it show only this failure?
    ///
    /// `mcve +TOOLCHAIN verify` checks it with another compiler. The exit code is 0 if all of it holds.
    Verify(Box<VerifyArgs>),
    /// Writes a page of a result, to look at in a browser or to send to somebody: what fails, where, and what makes it pass.
    ///
    /// It is one file that asks for no other: a program with the reasons for its parts, the change with which it passes, the command,
    /// and how the program became small. `mcve FILE --html PAGE` writes it at the end of a run.
    Page(PageArgs),
    /// Prints the text of an issue about a result, in the form of its tracker: the code, the command, versions, what it prints, and
    /// what is known of it.
    ///
    /// It has facts only. A line marks what you must write yourself. It does not name you, your machine or your home folder.
    Report(Box<ReportArgs>),
    /// Says which failures files show, in a form that can be compared, and whether they are known.
    ///
    /// mcve remembers the failure of a file for the next time.
    Fingerprint(Box<FingerprintArgs>),
    /// Reduces a file with which LLVM fails to LLVM IR, with `opt` or `llc` of the same version.
    ///
    /// The result is FILE.ll, with the command that shows the failure.
    Llvm(Box<LlvmArgs>),
    /// Writes failing files as tests of rustc's suite, one for each failure, and prints the text of a pull request.
    ///
    /// A crash becomes `NUMBER.rs` with the headers that the folder tests/crashes wants.
    TestFile(Box<TestFileArgs>),
    /// Reduces many failing files, packages and texts of crashes: groups them by failure, and reduces one of each group.
    ///
    /// OUT/index.html shows the groups. Several processes, also of several machines, may work on one OUT at the same time.
    Batch(Box<BatchArgs>),
    /// Runs the checks that another mcve sends, as `mcve FILE --executor 'ssh host mcve worker'` does.
    ///
    /// They come as lines of standard input, and the answers go to standard output.
    Worker(Box<WorkerArgs>),
    /// Finds the first nightly, or release, of rustc with the failure of a file.
    ///
    /// rustup installs the toolchains that are tried, and mcve removes them again. After an interrupt the same command goes on.
    Bisect(Box<BisectArgs>),
    /// Explains a transform, a family or a pass.
    Explain {
        /// The name of a transform, of a family, or of a pass, as progress shows it.
        name: String,
    },
    /// Prints the script that completes command lines of mcve in a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Writes the manual pages of all commands to a folder.
    Man {
        /// The folder, such as `~/.local/share/man/man1`; it is made if it is not there.
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Prints the JSON schema of the lines of `--message-format json`.
    Schema,
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
