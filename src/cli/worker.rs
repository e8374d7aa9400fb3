//! `mcve worker`: runs checks for another mcve.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::exit::{Exit, Failed, OrExit};
use super::sandbox::SandboxArgs;
use super::setup;
use super::values::number;
use mcve_reduce::event::Nobody;
use mcve_reduce::exec::limits::Memory;

/// The options of `mcve worker`.
#[derive(Args, Debug)]
pub(super) struct WorkerArgs {
    /// How many checks it runs at once: it gets its share of the checks by that. By default one for each processor.
    #[arg(short, long, value_name = "N", value_parser = number)]
    jobs: Option<NonZeroUsize>,

    /// The most memory that a process may have, such as `4G`, or `unlimited`. Only on Linux. By default half of the machine's, at
    /// least 4G.
    #[arg(long, value_name = "SIZE")]
    memory: Option<Memory>,

    /// Runs the checks of this folder, and ends: the lines of its file `lines`, with files in `blobs` by their hashes, and in
    /// `outside` by the paths that they have where the other mcve runs.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,

    #[command(flatten)]
    sandbox: SandboxArgs,
}

/// Runs the checks that come on standard input, until it ends.
pub(super) fn run(args: &WorkerArgs) -> Result<Exit, Failed> {
    let limits = setup::limits(None, None)?;
    let session = args.sandbox.session(None, limits, args.memory)?;
    let served = match &args.folder {
        Some(folder) => session.serve_folder(folder, std::io::stdout()),
        None => session.serve(setup::jobs(args.jobs, &mut Nobody), std::io::stdin().lock(), std::io::stdout()),
    };
    served.context("cannot go on as a worker").or_exit(Exit::Output).map(|()| Exit::Done)
}
