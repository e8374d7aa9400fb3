//! The options of `mcve batch`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::values::{duration, number};
use mcve_batch::shard::Shard;

/// The options of `mcve batch`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct BatchArgs {
    #[command(subcommand)]
    pub(super) command: Option<Part>,

    #[command(flatten)]
    pub(super) run: BatchRunArgs,
}

/// The parts of a batch that can be done alone.
#[derive(Debug, Subcommand)]
pub(super) enum Part {
    /// Only recognises the failures and groups the inputs: writes OUT/plan.json, the same file on all machines.
    Plan(Box<BatchRunArgs>),
    /// Puts the outputs of several machines together in one folder.
    Merge {
        /// The output folders.
        #[arg(required = true, value_name = "DIR")]
        from: Vec<PathBuf>,

        /// The folder for the groups of all of them.
        #[arg(short, long, value_name = "OUT")]
        output: PathBuf,

        /// The outputs of earlier batches. A group with another failure is new.
        #[arg(long, value_name = "DIR")]
        known: Vec<PathBuf>,
    },
    /// Says which groups are finished and which are missing.
    Status {
        /// The output folder.
        folder: PathBuf,

        /// How many shards there are: prints those with missing groups, as an array of Slurm.
        #[arg(long, value_name = "N", value_parser = number)]
        shards: Option<NonZeroUsize>,

        /// Also prints what each group cost.
        #[arg(long)]
        cost: bool,
    },
}

/// The options of a batch, and of its plan.
#[derive(Args, Debug)]
pub(super) struct BatchRunArgs {
    /// Files, packages, texts of crashes, folders of all these, or a file with a path on each line.
    #[arg(required_unless_present = "plan", value_name = "DIR|LIST")]
    pub(super) inputs: Vec<PathBuf>,

    /// The folder of the results. It also keeps the state: after an interrupt or a kill the same command goes on.
    #[arg(short, long, value_name = "OUT", required = true)]
    pub(super) output: Option<PathBuf>,

    /// How many reductions run at once; by default one for each processor.
    #[arg(short, long, value_name = "N", value_parser = number)]
    pub(super) jobs: Option<NonZeroUsize>,

    /// Ends after this time. All groups get the same part of it.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(super) budget: Option<Duration>,

    /// The most time for each reduction; its result is then the best so far.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(super) per_group: Option<Duration>,

    /// Does one of N parts, from 1 on; `auto` or `auto/N` as Slurm, GitLab, Kubernetes, AWS Batch or GNU parallel number this job.
    #[arg(long, value_name = "K/N")]
    pub(super) shard: Option<Shard>,

    /// Reduces the groups of this plan, and recognises nothing.
    #[arg(long, value_name = "PLAN", conflicts_with = "inputs")]
    pub(super) plan: Option<PathBuf>,

    /// Known failures: the output of an earlier batch, a file, or a folder. A group with another failure is new.
    #[arg(long, value_name = "DIR|FILE")]
    pub(super) known: Vec<PathBuf>,

    /// Options of `mcve` for each input, as in a shell, such as `--run --timeout 5s`.
    #[arg(long = "with", value_name = "OPTIONS")]
    pub(super) options: Option<String>,

    /// Also prints what each group cost.
    #[arg(long)]
    pub(super) cost: bool,

    /// The time after which a process that has not renewed its claim counts as dead.
    #[arg(long, value_name = "TIME", value_parser = duration, hide = true)]
    pub(super) lease: Option<Duration>,

    /// Says nothing but errors.
    #[arg(short, long)]
    pub(super) quiet: bool,

    /// Shares verdicts in this folder, as `mcve FILE --store` does.
    #[arg(long, value_name = "DIR")]
    pub(super) store: Option<PathBuf>,

    /// Arguments of the compiler for each input.
    #[arg(last = true, value_name = "ARGS")]
    pub(super) args: Vec<String>,
}
