//! `mcve resume`: finds the journal of a run, and what that run was asked, and goes on if nothing has changed since.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::args::{OutputArgs, ReduceArgs};
use super::argv::parse;
use super::command::Command;
use super::exit::{Exit, Failed, OrExit, failed};
use super::work::{self, Made};
use super::{catalogue, changes, grammar, input, output};
use mcve_reduce::event::{Event, Observer};
use mcve_reduce::modes::task::{Task, lock};
use mcve_reduce::oracle::shell::quote;
use mcve_reduce::output::{Output, backup, program_name, tokens};
use mcve_reduce::program::{ContentHash, Program};
use mcve_reduce::state::invocation::{Invocation, VERSION};
use mcve_reduce::state::journal::Journal;
use mcve_reduce::state::place::{NotFound, StateFolder};

/// Continues the run that `place` refers to, and reports as `output_args` says.
///
/// # Errors
/// When there is none, or several, or one under way, or when something has changed since; and as a run that was begun.
pub(super) fn resume(place: &Path, output_args: &OutputArgs) -> Result<Exit, Failed> {
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
    let gone = || format!("cannot go to {}, where the run was begun", folder.display());
    std::env::set_current_dir(&folder).with_context(gone).or_exit(Exit::Input)?;
    let (toolchain, mut args) = match parse(&question.words()) {
        Ok((toolchain, Command::Reduce(args))) => (toolchain, args),
        Ok((toolchain, Command::Changes(mut args))) => {
            args.output_args.override_by(output_args);
            return changes::go_on(&args, toolchain, journal, &question);
        }
        _ => return Err(failed!(Input, "{shown} does not tell how to go on: begin anew with: {question}")),
    };
    args.output_args.override_by(output_args);
    let limits = work::limits(args.oracle.failure.timeout, args.search.budget)?;
    let spec = args.oracle.spec()?;
    let transforms = catalogue::choose(&args.search.only, &args.search.skip)?;
    let made = original(&args, &question)?;
    let fixed = input::fixed(&args)?;
    let output = output::output(&args, &made.0)?;
    let observer = work::keep_log(work::observer(&args.output_args)?, args.log.as_deref())?;
    let mut observer = work::keep_finds(observer, args.finds.as_deref(), spec.recognises_failures())?;
    let lock = lock(&output)?;
    let warning = check_result(&args, &output, &journal, &question)?;
    output.clean();
    let place = if here == folder { place.to_owned() } else { question.result() };
    report_resumed(&question, &journal, warning, &mut *observer);
    let sentences = grammar::sentences(args.grammar.as_deref(), &args.file, &made.0, &mut *observer)?;
    let mut task = Task { lock, ..work::task(&args, spec, transforms, made, output) };
    (task.plan.place, task.plan.fixed, task.plan.schedule.sentences) = (place, fixed, sentences);
    work::run(&args, task, work::session(&args, toolchain, limits)?.with_journal(journal), observer)
}

/// Whether the run that `args` begin goes on from where an earlier one of the same command stopped. It begins anew where
/// somebody has changed or removed the result since.
pub(super) fn goes_on(args: &ReduceArgs, output: &Output, journal: &Journal, observer: &mut dyn Observer) -> bool {
    let (Some(question), Some(path)) = (journal.goes_on(), output.path()) else { return false };
    let is_gone = output.file().is_some_and(|file| !file.is_there());
    let checked = check_result(args, output, journal, &question).ok().filter(|_| !is_gone);
    let Some(warning) = checked else {
        let change = if is_gone { "is gone" } else { "has changed since the last run wrote it" };
        journal.begin_anew(&format!("{} {change}", path.display()));
        return false;
    };
    output.clean();
    report_resumed(&question, journal, warning, observer);
    true
}

/// Reports that a run goes on.
fn report_resumed(question: &Invocation, journal: &Journal, warning: Option<String>, observer: &mut dyn Observer) {
    let (command, folder) = (question.to_string(), question.folder());
    observer.event(&Event::Resumed { command, folder, known: journal.verdicts() });
    warning.into_iter().for_each(|message| observer.event(&Event::Warning { message }));
}

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

/// The unreduced program. A run in place has put it aside, if it came so far.
fn original(args: &ReduceArgs, question: &Invocation) -> Result<Made, Failed> {
    if args.choices {
        let (program, made) = input::made(args)?;
        if program.hash() == question.input {
            return Ok((program, Some(made)));
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
        let message =
            "the journal does not tell of the last result: its end is lost. The run goes on from what is left";
        let kept = aside.map_or(String::new(), |aside| format!("; {} is kept as {}", path.display(), aside.display()));
        file.record_written(content);
        return Ok(Some(format!("{message}{kept}")));
    }
    let shown = path.display();
    Err(failed!(Input, "{shown} has changed since the run wrote it: move it away, or begin anew with: {question}"))
}
