//! `mcve generalise`: from arguments to the parts that may be any of their kind.

use super::args::{GeneraliseArgs, PairArgs};
use super::exit::{Exit, Failed, OrExit, failed};
use super::pair::Start;
use super::run_args::{MessageFormat, OutputArgs, SearchArgs};
use super::{input, setup};
use crate::report::general::marked;
use mcve_reduce::modes::generalise::generalise;
use mcve_reduce::modes::pair::NoPair;
use mcve_reduce::program::Language;

/// Runs `mcve generalise`.
pub(super) fn run(args: GeneraliseArgs, toolchain: Option<String>) -> Result<Exit, Failed> {
    let GeneraliseArgs { file, oracle, budget, jobs, output_args } = args;
    let program = input::read(&file)?;
    if program.language != Language::Rust || !program.is_lone() {
        return Err(failed!(Input, "{} is not a single file of Rust", file.display()));
    }
    let search = SearchArgs { budget, jobs, ..SearchArgs::default() };
    let args = PairArgs { file, grammar: None, oracle, search, output_args };
    print(&args.output_args, args.start(toolchain)?)
}

/// Prints the parts of a program that may be any of their kind.
pub(super) fn print(output_args: &OutputArgs, start: Start) -> Result<Exit, Failed> {
    let (done, _) =
        start.run(|problem, session, _, observer| generalise(problem, session, observer).map_err(NoPair::Baseline))?;
    if output_args.message_format != MessageFormat::Json {
        marked(&done).print().or_exit(Exit::Output)?;
    }
    Ok(setup::exit(done.ending))
}
