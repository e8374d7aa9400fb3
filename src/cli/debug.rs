//! `mcve debug`: from arguments to a debugger that talks by the streams of this process.

use std::io::{Write, stdin, stdout};
use std::path::PathBuf;

use clap::Args;

use super::args::PairArgs;
use super::exit::{Exit, Failed};
use super::oracle_args::OracleArgs;
use super::run_args::{OutputArgs, SearchArgs};
use crate::report::terminal::Shown;
use mcve_reduce::modes::debug::debug;
use mcve_reduce::modes::pair::NoPair;

/// The options of `mcve debug`.
#[derive(Args, Debug)]
pub(super) struct DebugArgs {
    /// The Rust file that fails when it is run, best a reduced one. It is never changed.
    pub(super) file: PathBuf,

    #[command(flatten)]
    pub(super) oracle: OracleArgs,
}

/// Runs `mcve debug`.
pub(super) fn run(args: DebugArgs, toolchain: Option<String>) -> Result<Exit, Failed> {
    let DebugArgs { file, oracle } = args;
    let search = SearchArgs::default();
    let args = PairArgs { file, grammar: None, oracle, search, output_args: OutputArgs::default() };
    args.start(toolchain)?.run(|problem, session, _, observer| {
        debug(problem, session, stdin(), show, observer).map_err(NoPair::Baseline)
    })?;
    Ok(Exit::Done)
}

/// Prints what the debugger and the program print.
fn show(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).replace('\r', "");
    // Who reads no further can still give commands.
    let _ = Shown::plain(text).print().and_then(|()| stdout().flush());
}
