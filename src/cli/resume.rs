//! `mcve resume`: finds the journal of a run and goes on with what that run was asked.

use std::path::{Path, PathBuf};

use super::argv::parse;
use super::begin::Begin;
use super::changes;
use super::command::Command;
use super::exit::{Exit, Failed, OrExit, failed};
use super::reduce::reduce;
use super::run_args::{OutputArgs, ScreenArgs};
use super::setup::go_to;
use mcve_reduce::oracle::shell::quote;
use mcve_reduce::state::invocation::VERSION;
use mcve_reduce::state::journal::Journal;
use mcve_reduce::state::place::{NotFound, StateFolder};

/// Continues the run that `place` refers to, and reports as `output_args` says, or on a screen.
/// Fails when there is none, or several, or one under way, or when something has changed since; and as a run that was begun.
pub(super) fn resume(place: &Path, output_args: &OutputArgs, screen: ScreenArgs) -> Result<Exit, Failed> {
    let path = find(place)?;
    let (journal, question) = Journal::resume(&path).or_exit(Exit::Output)?;
    let shown = path.display();
    let Some(question) = question else {
        return Err(failed!(Input, "{shown} does not tell what the run was asked: begin it anew"));
    };
    if question.version != VERSION {
        let version = &question.version;
        return Err(failed!(
            Input,
            "{shown} was written by mcve {version}, and this is {VERSION}: begin anew with: {question}"
        ));
    }
    let (here, folder) = (std::env::current_dir().unwrap_or_default(), question.folder());
    go_to(&folder)?;
    let named = if here == folder { place.to_owned() } else { question.result() };
    match parse(&question.words()) {
        Ok((toolchain, Command::Reduce(mut args))) => {
            if screen.tui {
                args.run.output_args = OutputArgs::default();
            }
            args.run.screen = screen;
            args.run.output_args.override_by(output_args);
            reduce(&args, toolchain, Begin::Resumed(journal, question, named))
        }
        Ok((_, Command::Changes(_))) if screen.tui => {
            Err(failed!(Usage, "--tui shows a reduction, and not `mcve changes`"))
        }
        Ok((toolchain, Command::Changes(mut args))) => {
            args.output_args.override_by(output_args);
            changes::run(&args, toolchain, Begin::Resumed(journal, question, named))
        }
        _ => Err(failed!(Input, "{shown} does not tell how to go on: begin anew with: {question}")),
    }
}

/// The journal of the run that `place` refers to.
fn find(place: &Path) -> Result<PathBuf, Failed> {
    let shown = place.display();
    let state = StateFolder::of_user().or_exit(Exit::Input)?;
    state.find(place).map_err(|found| match found {
        NotFound::None => failed!(
            Input,
            "there is no run to resume at {shown}, or it came to its end: name the result of the run, its input, or the folder of the result (for `cargo mcve`, run the same command again)"
        ),
        NotFound::Several(results) => {
            let names = results.iter().map(|result| format!("\n  mcve resume {}", quote(result.as_os_str())));
            let names: String = names.collect();
            failed!(Usage, "there are several runs to resume at {shown}:{names}")
        }
    })
}
