//! `mcve resume`: finds the journal of a run, and what that run was asked, and goes on if nothing has changed since.

use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use super::args::{OutputArgs, ReduceArgs};
use super::argv::parse;
use super::command::Command;
use super::exit::{Exit, Failed};
use super::work::{self, Made};
use super::{catalogue, input, output};
use mcve_reduce::event::Event;
use mcve_reduce::modes::task::{Task, lock};
use mcve_reduce::oracle::shell::{quote, visible};
use mcve_reduce::output::{Output, backup, program_name};
use mcve_reduce::program::{ContentHash, Program};
use mcve_reduce::state::invocation::{Invocation, VERSION};
use mcve_reduce::state::journal::Journal;
use mcve_reduce::state::place::{self, NotFound};
use mcve_reduce::user_key::UserKey;

/// Continues the run that `place` refers to, and reports as `output_args` says. With `trust` it may be another user's run.
///
/// # Errors
/// When there is none, or several, or one under way, or when something has changed since, or when it is not the user's; and as a
/// run that was begun.
pub(super) fn resume(place: &Path, trust: bool, output_args: &OutputArgs) -> Result<Exit, Failed> {
    let failed = |error| Failed::new(Exit::Input, error);
    let path = find(place)?;
    let path = std::path::absolute(&path).with_context(|| format!("{} is no path", path.display())).map_err(failed)?;
    let (journal, question) = Journal::resume(&path).map_err(|error| Failed::new(Exit::Output, error))?;
    let shown = path.display();
    let Some(question) = question else {
        return Err(failed(anyhow!("{shown} does not tell what the run was asked: begin it anew")));
    };
    if !trust {
        authenticate(&question, &path)?;
    }
    if question.version != VERSION {
        let version = &question.version;
        let error =
            anyhow!("{shown} was written by mcve {version}, and this is {VERSION}: begin anew with: {question}");
        return Err(failed(error));
    }
    let (here, folder) = (std::env::current_dir().unwrap_or_default(), question.folder());
    let gone = || format!("cannot go to {}, where the run was begun", folder.display());
    std::env::set_current_dir(&folder).with_context(gone).map_err(failed)?;
    let Ok((toolchain, Command::Reduce(mut args))) = parse(&question.words()) else {
        return Err(failed(anyhow!("{shown} does not tell how to go on: begin anew with: {question}")));
    };
    args.output_args.override_by(output_args);
    let limits = work::limits(args.oracle.failure.timeout, args.search.budget)?;
    let spec = args.oracle.spec()?;
    let transforms = catalogue::choose(&args.search.only, &args.search.skip)?;
    let made = original(&args, &question)?;
    let output = output::output(&args, &made.0)?;
    let observer = work::observer(&args.output_args)?;
    let mut observer = work::keep_finds(observer, args.finds.as_deref(), spec.recognises_failures())?;
    let lock = lock(&output)?;
    let warning = check_result(&args, &output, &journal, &question)?;
    output.clean();
    let place = if here == folder { place.to_owned() } else { path };
    observer.event(&Event::Resumed { command: question.to_string(), folder, known: journal.verdicts() });
    if let Some(message) = warning {
        observer.event(&Event::Warning { message });
    }
    let task = Task { lock, place, ..work::task(&args, spec, transforms, made, output) };
    work::run(&args, task, work::session(&args, toolchain, limits)?.with_journal(journal), observer)
}

/// Checks that the user has asked what a journal says, or has the user say that it may be done all the same.
///
/// # Errors
/// When that is not so.
fn authenticate(question: &Invocation, path: &Path) -> Result<(), Failed> {
    let why = match UserKey::load() {
        Ok(key) if question.is_signed_by(&key) => return Ok(()),
        Ok(_) => "it is not signed by your key".to_owned(),
        Err(error) => format!("there is no key to know it by: {error:#}"),
    };
    let (folder, shown) = (quote(question.folder().as_os_str()), quote(path.as_os_str()));
    let (folder, shown) = (visible(&folder), visible(&shown));
    let about = format!("{shown} may be somebody else's: {why}. It says to run, in {folder}:\n  {question}");
    let (input, mut output) = (std::io::stdin(), std::io::stderr());
    if !input.is_terminal() || !output.is_terminal() {
        let error = anyhow!(
            "{about}\nto go on with it, if you trust it: mcve resume --trust {shown}\nto begin anew: cd {folder} && {question}"
        );
        return Err(Failed::new(Exit::Input, error));
    }
    let mut answer = String::new();
    let asked = write!(output, "{about}\nRun it? [y/N] ").and_then(|()| input.lock().read_line(&mut answer));
    let says_yes = ["y", "yes"].contains(&answer.trim().to_lowercase().as_str());
    if asked.is_ok() && says_yes {
        return Ok(());
    }
    Err(Failed::new(Exit::Input, anyhow!("the run is not resumed")))
}

fn find(place: &Path) -> Result<PathBuf, Failed> {
    let shown = place.display();
    place::find(place).map_err(|found| match found {
        NotFound::None => Failed::new(
            Exit::Input,
            anyhow!("there is no run to resume at {shown}: name what it wrote, or the folder that its journal is in"),
        ),
        NotFound::Several(journals) => {
            let names = journals.iter().map(|journal| format!("\n  mcve resume {}", quote(journal.as_os_str())));
            let names: String = names.collect();
            Failed::new(Exit::Usage, anyhow!("there are several runs to resume at {shown}:{names}"))
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
    let error = anyhow!("{} has changed since the run was begun: begin anew with: {question}", args.file.display());
    Err(Failed::new(Exit::Input, error))
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
    if let Some(content) = file.tree_content().filter(|content| journal.expect_result(*content)) {
        file.record_tree(content);
        return Ok(None);
    }
    // What is not there is not what somebody has worked on.
    let Ok(bytes) = std::fs::read(file.real()) else { return Ok(None) };
    let content = ContentHash::of(&bytes);
    if journal.expect_result(content) {
        file.record_written(content);
        return Ok(None);
    }
    let is_as_found = if args.in_place { content == question.input } else { !journal.has_written() };
    if is_as_found {
        return Ok(None);
    }
    if file.is_marked() || journal.is_damaged() {
        let aside = file.put_aside().map_err(|error| Failed::new(Exit::Output, error))?;
        let message =
            "the journal does not tell of the last result: its end is lost. The run goes on from what is left";
        let kept = aside.map_or(String::new(), |aside| format!("; {} is kept as {}", path.display(), aside.display()));
        file.record_written(content);
        return Ok(Some(format!("{message}{kept}")));
    }
    let shown = path.display();
    let error = anyhow!("{shown} has changed since the run wrote it: move it away, or begin anew with: {question}");
    Err(Failed::new(Exit::Input, error))
}
