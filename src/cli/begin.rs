//! The beginning of a run: anew, or from where an earlier one stopped if nothing has changed since.

use std::ffi::OsString;
use std::path::PathBuf;

use super::args::ReduceArgs;
use super::exit::{Exit, Failed, OrExit, failed};
use super::input::{self, Made};
use mcve_reduce::event::{Event, Observer};
use mcve_reduce::output::{Output, backup, program_name, tokens};
use mcve_reduce::program::{ContentHash, Program};
use mcve_reduce::state::invocation::Invocation;
use mcve_reduce::state::journal::Journal;

/// How a run begins.
pub(super) enum Begin<'a> {
    /// By this command line.
    Anew(&'a [OsString]),
    /// From the journal of an earlier run: what that run was asked, and how the user names it.
    Resumed(Journal, Invocation, PathBuf),
}

/// Whether the run that `args` begin goes on from where an earlier one of the same command stopped. It begins anew where
/// somebody has changed or removed the result since.
pub(super) fn goes_on(args: &ReduceArgs, output: &Output, journal: &Journal, observer: &mut dyn Observer) -> bool {
    let (Some(question), Some(path)) = (journal.goes_on(), output.path()) else { return false };
    let is_gone = output.file().is_some_and(|file| !file.is_there());
    if !is_gone && go_on(args, output, journal, &question, observer).is_ok() {
        return true;
    }
    let change = if is_gone { "is gone" } else { "has changed since the last run wrote it" };
    journal.begin_anew(&format!("{} {change}", path.display()));
    false
}

/// Goes on with a run. Fails when its result has changed since.
pub(super) fn go_on(
    args: &ReduceArgs,
    output: &Output,
    journal: &Journal,
    question: &Invocation,
    observer: &mut dyn Observer,
) -> Result<(), Failed> {
    let warning = check_result(args, output, journal, question)?;
    output.file().iter().for_each(|file| file.clean());
    report_resumed(question, journal, observer);
    warning.into_iter().for_each(|message| observer.event(&Event::Warning { message }));
    Ok(())
}

pub(super) fn report_resumed(question: &Invocation, journal: &Journal, observer: &mut dyn Observer) {
    let (command, folder) = (question.to_string(), question.folder());
    observer.event(&Event::Resumed { command, folder, known: journal.verdicts() });
}

/// The unreduced program. A run in place has put it aside, if it came so far.
pub(super) fn original(args: &ReduceArgs, question: &Invocation) -> Result<Made, Failed> {
    if args.choices {
        let made = input::made(args)?;
        if made.0.hash() == question.input {
            return Ok(made);
        }
    }
    let found = input::read_any(args);
    let aside = args.in_place.then(|| input::read(&backup(&args.file)).ok()).flatten();
    let is_original = |program: &&Program| program.hash() == question.input;
    if let Some(program) = found.as_ref().ok().into_iter().chain(&aside).find(is_original) {
        return Ok((program.called(program_name(&args.file)), None));
    }
    found?;
    Err(failed!(Input, "{} has changed since the run was begun: begin anew with: {question}", args.file.display()))
}

/// Checks that nobody else has written where the result goes. Where mcve has, and the end of the journal is lost, the run goes on
/// from what is left, and what was written is kept under another name, as the warning says that is returned.
fn check_result(
    args: &ReduceArgs,
    output: &Output,
    journal: &Journal,
    question: &Invocation,
) -> Result<Option<String>, Failed> {
    let Some((file, path)) = output.file().zip(output.path()) else { return Ok(None) };
    if let Some(content) = file.tree_content().filter(|(content, tokens)| journal.expect_result(*content, *tokens)) {
        file.record_tree(content.0);
        return Ok(None);
    }
    // What is not there is not what somebody has worked on.
    let Ok(bytes) = std::fs::read(file.real()) else { return Ok(None) };
    let content = ContentHash::of(&bytes);
    if journal.expect_result(content, tokens(&bytes)) {
        file.record_written(content);
        return Ok(None);
    }
    let is_as_found = if args.in_place { content == question.input } else { !journal.has_written() };
    if is_as_found {
        return Ok(None);
    }
    if file.is_marked() || journal.is_damaged() {
        let aside = file.put_aside().or_exit(Exit::Output)?;
        let message = "the journal lacks the last result, as its end is lost. The run goes on from an earlier one";
        let kept = aside.map_or(String::new(), |aside| format!("; {} is kept as {}", path.display(), aside.display()));
        file.record_written(content);
        return Ok(Some(format!("{message}{kept}")));
    }
    let shown = path.display();
    Err(failed!(Input, "{shown} has changed since the run wrote it: move it away, or begin anew with: {question}"))
}
